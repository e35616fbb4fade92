#include "rankforest/detail/fork_safe_mutex.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <vector>

namespace rankforest::detail {

TEST_CASE("one thread at a time holds the mutex") {
  ForkSafeMutex mutex;
  int count = 0;  // no atomic: TSan would see a race
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const std::lock_guard<ForkSafeMutex> lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(count == 400);
}

TEST_CASE("a child takes the mutex that a thread of its parent held") {
  ForkSafeMutex mutex;
  mutex.lock();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    mutex.lock();
    mutex.unlock();
    mutex.lock();
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  mutex.unlock();
}

}  // namespace rankforest::detail
