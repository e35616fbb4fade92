#include "rankforest/detail/atomic_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#if defined(__linux__)
#include <unistd.h>
#endif

#include "support/letor_text.hpp"

namespace rankforest::detail {
namespace {

using Names = std::vector<std::string>;

std::error_code ErrorOfWriting(const std::filesystem::path& path) {
  try {
    AtomicFile file(path);
    file.Write("text");
    file.Commit();
  } catch (const std::filesystem::filesystem_error& error) {
    CHECK(error.path1() == path);
    return error.code();
  }
  return {};
}

}  // namespace

TEST_CASE("a file appears with everything that was written, and nothing else is left") {
  const testing::TemporaryFolder folder("atomic_file");
  AtomicFile file(folder / "name");
  file.Write("one ");
  file.Write("two");
  CHECK_FALSE(std::filesystem::exists(folder / "name"));
  file.Commit();
  CHECK(testing::ContentsOf(folder / "name") == "one two");
  CHECK(folder.Names() == Names{"name"});
}

TEST_CASE("without a commit the old file stays and no other is left") {
  const testing::TemporaryFolder folder("atomic_file");
  const std::filesystem::path path = folder.Write("name", "old");
  {
    AtomicFile file(path);
    file.Write("new");
  }
  CHECK(testing::ContentsOf(path) == "old");
  CHECK(folder.Names() == Names{"name"});
}

TEST_CASE("two writers of one name do not disturb each other; the last commit wins") {
  const testing::TemporaryFolder folder("atomic_file");
  AtomicFile first(folder / "name");
  AtomicFile second(folder / "name");
  first.Write("first");
  second.Write("second");
  second.Commit();
  first.Commit();
  CHECK(testing::ContentsOf(folder / "name") == "first");
  CHECK(folder.Names() == Names{"name"});
}

TEST_CASE("a name may be as long as the file system lets it be") {
  const testing::TemporaryFolder folder("atomic_file");
  const std::string longest(255, 'n');  // NAME_MAX of Linux's and macOS's file systems
  CHECK_FALSE(ErrorOfWriting(folder / longest));
  CHECK_FALSE(ErrorOfWriting(folder / longest));
  CHECK(folder.Names() == Names{longest});
  CHECK(ErrorOfWriting(folder / (longest + "n")) == std::errc::filename_too_long);
  CHECK(folder.Names() == Names{longest});
}

TEST_CASE("a replaced file keeps its permissions") {
  const testing::TemporaryFolder folder("atomic_file");
  const std::filesystem::path path = folder.Write("name", "old");
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  CHECK_FALSE(ErrorOfWriting(path));
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a symbolic link stays one, and what it names is replaced") {
  const testing::TemporaryFolder folder("atomic_file");
  const std::filesystem::path target = folder.Write("target", "old");
  std::filesystem::create_symlink(target, folder / "link");
  CHECK_FALSE(ErrorOfWriting(folder / "link"));
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(testing::ContentsOf(target) == "text");
}

TEST_CASE("a device is written to directly") {
  CHECK_FALSE(ErrorOfWriting("/dev/null"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

#if defined(__linux__)
TEST_CASE("a pipe is written to by the name that the process has for it, such as /dev/stdout") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_FALSE(ErrorOfWriting("/proc/self/fd/" + std::to_string(ends[1])));
  char text[8] = {};
  CHECK(read(ends[0], text, sizeof text) == 4);
  CHECK(std::string(text) == "text");
  close(ends[0]);
  close(ends[1]);
}
#endif

TEST_CASE("what cannot be written is named in the error") {
  const testing::TemporaryFolder folder("atomic_file");
  CHECK(ErrorOfWriting(folder / "absent/name") == std::errc::no_such_file_or_directory);
  CHECK(ErrorOfWriting(folder / "") == std::errc::is_a_directory);
  CHECK(ErrorOfWriting("/dev/full") == std::errc::no_space_on_device);
}

}  // namespace rankforest::detail
