#include "rankforest/detail/platform_new_file.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "support/letor_text.hpp"

namespace rankforest::detail {

TEST_CASE("a new file has its name when it is finished") {
  const testing::TemporaryFolder folder("platform_new_file");
  NewFile file;
  REQUIRE_FALSE(file.Create(folder / "name"));
  REQUIRE_FALSE(file.Write("te", 2));
  REQUIRE_FALSE(file.Write("xt", 2));
  CHECK_FALSE(std::filesystem::exists(folder / "name"));
  REQUIRE_FALSE(file.Finish());
  CHECK(testing::ContentsOf(folder / "name") == "text");
}

TEST_CASE("a name that no file can get is found before the work") {
  const testing::TemporaryFolder folder("platform_new_file");
  NewFile file;
  CHECK(file.Create(folder / std::string(256, 'n')) == std::errc::filename_too_long);
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK(file.Create(folder / "circle") == std::errc::too_many_symbolic_link_levels);
  CHECK(file.Create(folder / "absent/name") == std::errc::no_such_file_or_directory);
}

TEST_CASE("a process that is killed while it writes leaves the old file and no other") {
  const testing::TemporaryFolder folder("platform_new_file");
  (void)folder.Write("name", "old");
  const pid_t child = fork();
  if (child == 0) {
    NewFile file;
    if (file.Create(folder / "name") || file.Write("new", 3)) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(testing::ContentsOf(folder / "name") == "old");
  CHECK(folder.Names() == std::vector<std::string>{"name"});
}

TEST_CASE("what is secret is never readable under another name") {
  const testing::TemporaryFolder folder("platform_new_file");
  const std::filesystem::path path = folder.Write("name", "old");
  for (const mode_t mode : {0600U, 0640U, 0444U}) {
    REQUIRE(chmod(path.c_str(), mode) == 0);
    NewFile file;
    REQUIRE_FALSE(file.Create(path));
    for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
      struct stat status = {};
      REQUIRE(stat(entry.path().c_str(), &status) == 0);
      CHECK((status.st_mode & 0777) == mode);
    }
    REQUIRE_FALSE(file.Finish());
    struct stat status = {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == mode);
  }
}

TEST_CASE("a new file has the rights that the process gives new files") {
  const testing::TemporaryFolder folder("platform_new_file");
  const mode_t mask = umask(027);
  NewFile file;
  REQUIRE_FALSE(file.Create(folder / "name"));
  umask(mask);
  REQUIRE_FALSE(file.Finish());
  struct stat status = {};
  REQUIRE(stat((folder / "name").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

}  // namespace rankforest::detail
