#include "rankforest/detail/platform_files.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "support/letor_text.hpp"

namespace rankforest::detail {

TEST_CASE("a regular file is mapped as it is") {
  const testing::TemporaryFolder folder("platform_files");
  const std::string contents = std::string("a\0b\n", 4);
  FileMapping mapping;
  REQUIRE_FALSE(MapFile(folder.Write("file", contents), mapping));
  CHECK(std::string_view(mapping.data, mapping.size) == contents);
  UnmapFile(mapping);
}

TEST_CASE("an empty file has no bytes to map") {
  const testing::TemporaryFolder folder("platform_files");
  FileMapping mapping;
  CHECK_FALSE(MapFile(folder.Write("file", ""), mapping));
  CHECK(mapping.data == nullptr);
  UnmapFile(mapping);
}

TEST_CASE("what cannot be mapped says why") {
  const testing::TemporaryFolder folder("platform_files");
  FileMapping mapping;
  CHECK(MapFile(folder / "absent", mapping) == std::errc::no_such_file_or_directory);
  CHECK(MapFile("/dev/null", mapping) == std::errc::not_supported);
}

TEST_CASE("waiting for the disk flushes what was written") {
  const testing::TemporaryFolder folder("platform_files");
  std::FILE* const file = std::fopen((folder / "file").c_str(), "wb");
  std::fwrite("text", 1, 4, file);
  CHECK_FALSE(SyncFile(file));
  CHECK(testing::ContentsOf(folder / "file") == "text");
  std::fclose(file);
  SyncDirectory(folder / "");
}

}  // namespace rankforest::detail
