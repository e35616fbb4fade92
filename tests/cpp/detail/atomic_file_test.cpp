#include "rankforest/detail/atomic_file.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
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

TEST_CASE("a link to a name that does not exist yet stays one, and the file gets that name") {
  const testing::TemporaryFolder folder("atomic_file");
  std::filesystem::create_symlink("target", folder / "link");
  std::filesystem::create_symlink(folder / "link", folder / "absolute");
  CHECK_FALSE(ErrorOfWriting(folder / "absolute"));
  CHECK(std::filesystem::is_symlink(folder / "absolute"));
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(testing::ContentsOf(folder / "target") == "text");
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK(ErrorOfWriting(folder / "circle") != std::error_code());
}

TEST_CASE("nothing that others left keeps a file from being written") {
  const testing::TemporaryFolder folder("atomic_file");
  for (int i = 0; i < 1000; ++i) (void)folder.Write("name.tmp" + std::to_string(i), "");
  CHECK_FALSE(ErrorOfWriting(folder / "name"));
  CHECK(testing::ContentsOf(folder / "name") == "text");
}

TEST_CASE("a name may be as long as the system lets it") {
  const testing::TemporaryFolder folder("atomic_file");
  const std::string longest(255, 'n');
  CHECK_FALSE(ErrorOfWriting(folder / longest));
  CHECK_FALSE(ErrorOfWriting(folder / longest));  // replaces
  CHECK(folder.Names() == Names{longest});
  CHECK(ErrorOfWriting(folder / (longest + "n")) == std::errc::filename_too_long);
}

TEST_CASE("threads that write one name leave one of their files and nothing else") {
  const testing::TemporaryFolder folder("atomic_file");
  std::vector<std::thread> threads;
  std::atomic<int> failed{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) failed += ErrorOfWriting(folder / "name") ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
  CHECK(folder.Names() == Names{"name"});
  CHECK(testing::ContentsOf(folder / "name") == "text");
}

TEST_CASE("a path is never cut short") {
  const testing::TemporaryFolder folder("atomic_file");
  CHECK_THROWS_AS(AtomicFile(folder / std::string("a\0b", 3)), std::invalid_argument);
  CHECK(folder.Names().empty());
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
