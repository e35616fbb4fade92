#include "rankforest/detail/input_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "support/letor_text.hpp"

namespace rankforest::detail {
namespace {

std::error_code ErrorOfReading(const std::filesystem::path& path) {
  try {
    const InputFile file(path);
  } catch (const std::filesystem::filesystem_error& error) {
    CHECK(error.path1() == path);
    return error.code();
  }
  return {};
}

std::string Piece(const InputFile& file, std::size_t begin, std::size_t end) {
  std::string piece(end - begin, '\0');
  file.Read(begin, piece.size(), piece.data());
  return piece;
}

}  // namespace

TEST_CASE("pieces of a file have its bytes, also after a move") {
  const testing::TemporaryFolder folder("input_file");
  InputFile file(folder.Write("file", "some text\n"));
  CHECK(file.size() == 10);
  CHECK(Piece(file, 0, 10) == "some text\n");
  const InputFile moved = std::move(file);
  CHECK(Piece(moved, 5, 9) == "text");
  moved.RequireUnchanged();
  CHECK(ContentsOf(folder / "file") == "some text\n");
}

TEST_CASE("an empty file is empty text") {
  const testing::TemporaryFolder folder("input_file");
  CHECK(InputFile(folder.Write("file", "")).size() == 0);
  CHECK(ContentsOf(folder / "file").empty());
}

TEST_CASE("a pipe is read to its end") {
  const testing::TemporaryFolder folder("input_file");
  const std::filesystem::path path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string contents(200000, 'x');
  std::thread writer([&] { std::ofstream(path) << contents; });
  CHECK(ContentsOf(path) == contents);
  writer.join();
}

TEST_CASE("a file that is shortened or rewritten while it is read is an error") {
  const testing::TemporaryFolder folder("input_file");
  const InputFile file(folder.Write("file", std::string(100000, 'x')));
  CHECK(Piece(file, 0, 10) == "xxxxxxxxxx");
  std::filesystem::resize_file(folder / "file", 4096);
  CHECK(Piece(file, 4000, 4096).size() == 96);
  const std::string message =
      (folder / "file").string() + ": the file was changed while it was read";
  CHECK_THROWS_WITH_AS((void)Piece(file, 4000, 4097), message.c_str(), std::invalid_argument);
  CHECK_THROWS_WITH_AS(file.RequireUnchanged(), message.c_str(), std::invalid_argument);
  const InputFile again(folder / "file");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a tick of the file system's clock
  (void)folder.Write("file", std::string(4096, 'y'));
  CHECK_THROWS_AS(again.RequireUnchanged(), std::invalid_argument);
}

TEST_CASE("a file that cannot be read is named in the error") {
  const testing::TemporaryFolder folder("input_file");
  CHECK(ErrorOfReading(folder / "absent") == std::errc::no_such_file_or_directory);
  CHECK(ErrorOfReading(folder / "") == std::errc::is_a_directory);
}

}  // namespace rankforest::detail
