#include "rankforest/detail/platform_openmp.hpp"

#include <doctest/doctest.h>

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

}  // namespace rankforest::detail
