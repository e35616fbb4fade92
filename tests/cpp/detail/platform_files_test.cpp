#include "rankforest/detail/platform_files.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "support/letor_text.hpp"

namespace rankforest::detail {

TEST_CASE("a regular file is read at any place, to its end") {
  const testing::TemporaryFolder folder("platform_files");
  const std::string contents = std::string("a\0bcd\n", 6);
  ReadHandle file = kNoFile;
  REQUIRE_FALSE(OpenToRead(folder.Write("file", contents), file));
  FileStamp stamp;
  REQUIRE_FALSE(StampOf(file, stamp));
  CHECK(stamp.is_regular);
  CHECK(stamp.size == 6);
  CHECK(stamp == stamp);
  char bytes[16] = {};
  std::size_t got = 0;
  REQUIRE_FALSE(ReadAt(file, 1, bytes, 3, got));
  CHECK(std::string(bytes, got) == contents.substr(1, 3));
  REQUIRE_FALSE(ReadAt(file, 4, bytes, 16, got));
  CHECK(std::string(bytes, got) == contents.substr(4));
  REQUIRE_FALSE(ReadAt(file, 6, bytes, 16, got));
  CHECK(got == 0);
  REQUIRE_FALSE(ReadNext(file, bytes, 16, got));
  CHECK(std::string(bytes, got) == contents);
  CloseRead(file);
}

TEST_CASE("what is not a regular file, or empty, has no size to go by") {
  const testing::TemporaryFolder folder("platform_files");
  for (const std::filesystem::path& path :
       {folder.Write("file", ""), std::filesystem::path("/dev/null")}) {
    ReadHandle file = kNoFile;
    REQUIRE_FALSE(OpenToRead(path, file));
    FileStamp stamp;
    CHECK_FALSE(StampOf(file, stamp));
    CHECK_FALSE(stamp.is_regular);
    CloseRead(file);
  }
}

TEST_CASE("what cannot be read says why") {
  const testing::TemporaryFolder folder("platform_files");
  ReadHandle file = kNoFile;
  CHECK(OpenToRead(folder / "absent", file) == std::errc::no_such_file_or_directory);
  REQUIRE_FALSE(OpenToRead(folder / "", file));
  FileStamp stamp;
  CHECK(StampOf(file, stamp) == std::errc::is_a_directory);
  CloseRead(file);
  char byte = 0;
  std::size_t got = 0;
  CHECK(ReadAt(kNoFile, 0, &byte, 1, got) == std::errc::bad_file_descriptor);
}

TEST_CASE("one can wait for the names in a folder, and in none") {
  const testing::TemporaryFolder folder("platform_files");
  SyncDirectory(folder / "");
  SyncDirectory(folder / "absent");
}

}  // namespace rankforest::detail
