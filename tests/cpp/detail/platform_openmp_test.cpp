#include "rankforest/detail/platform_openmp.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace rankforest::detail {

TEST_CASE("a parallel region numbers its threads from 0, the caller's number") {
  const auto caller = std::this_thread::get_id();
  std::vector<std::atomic<int>> calls(3);
  std::atomic<bool> caller_is_first{false};
  RunParallelRegion(calls.size(), [&](std::size_t worker) {
    ++calls.at(worker);
    if (worker == 0) caller_is_first = std::this_thread::get_id() == caller;
  });
  CHECK(caller_is_first);
  CHECK(calls[0] == 1);
  for (const std::atomic<int>& of_worker : calls) CHECK(of_worker <= 1);
}

TEST_CASE("a thread knows that it is in a parallel region") {
  CHECK_FALSE(IsInParallelRegion());
  std::atomic<int> inside{0};
  RunParallelRegion(2, [&](std::size_t) { inside += IsInParallelRegion() ? 1 : 0; });
  CHECK((inside > 0) == kHasOpenMp);
  CHECK_FALSE(IsInParallelRegion());
}

TEST_CASE("a process knows that it goes on after a fork") {
  CHECK_FALSE(WasForked());
  const pid_t child = fork();
  if (child == 0) _exit(WasForked() ? 7 : 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

}  // namespace rankforest::detail
