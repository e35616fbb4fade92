#include "rankforest/detail/mapped_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "support/letor_text.hpp"

namespace rankforest::detail {
namespace {

std::error_code ErrorOfReading(const std::filesystem::path& path) {
  try {
    const MappedFile file(path);
  } catch (const std::filesystem::filesystem_error& error) {
    CHECK(error.path1() == path);
    return error.code();
  }
  return {};
}

}  // namespace

TEST_CASE("a mapped file has the bytes of the file, also after a move") {
  const testing::TemporaryFolder folder("mapped_file");
  MappedFile file(folder.Write("file", "some text\n"));
  CHECK(file.text() == "some text\n");
  const MappedFile moved = std::move(file);
  CHECK(moved.text() == "some text\n");
}

TEST_CASE("an empty file is empty text") {
  const testing::TemporaryFolder folder("mapped_file");
  CHECK(MappedFile(folder.Write("file", "")).text().empty());
}

TEST_CASE("a pipe is read to its end") {
  const testing::TemporaryFolder folder("mapped_file");
  const std::filesystem::path path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string contents(200000, 'x');
  std::thread writer([&] { std::ofstream(path) << contents; });
  CHECK(MappedFile(path).text() == contents);
  writer.join();
}

TEST_CASE("a file that cannot be read is named in the error") {
  const testing::TemporaryFolder folder("mapped_file");
  CHECK(ErrorOfReading(folder / "absent") == std::errc::no_such_file_or_directory);
  CHECK(ErrorOfReading(folder / "") == std::errc::is_a_directory);
}

}  // namespace rankforest::detail
