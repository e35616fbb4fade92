#include "rankforest/detail/openmp_team.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <thread>

#include "rankforest/core/parallel.hpp"

namespace rankforest::detail {
namespace {

/// Calls `function` while no thread can be started: their stacks would not fit any memory.
template <class Function>
void WithoutNewThreads(const Function& function) {
  pthread_attr_t usual;
  pthread_getattr_default_np(&usual);
  pthread_attr_t huge;
  pthread_attr_init(&huge);
  pthread_attr_setstacksize(&huge, std::size_t{1} << 52U);
  pthread_setattr_default_np(&huge);
  function();
  pthread_setattr_default_np(&usual);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
}

/// Runs `function` on a thread of its own, to the end.
template <class Function>
void OnAnotherThread(const Function& function) {
  std::thread(function).join();
}

}  // namespace

TEST_CASE("whether threads can be started is found out by starting them") {
  CHECK(CanStartThreads(0));
  CHECK(CanStartThreads(3));
  WithoutNewThreads([] {
    CHECK(CanStartThreads(0));
    CHECK_FALSE(CanStartThreads(1));
    CHECK_FALSE(CanStartThreads(3));
  });
  CHECK(CanStartThreads(3));
}

TEST_CASE("one thread has the team until it ends, whoever asks first") {
  std::atomic<bool> first{false};
  std::atomic<bool> again{false};
  std::atomic<bool> second{true};
  std::atomic<bool> next{false};
  OnAnotherThread([&] {
    // The thread of the tests may have the team: then nobody here gets it.
    first = OpenMpTeam::MayServe(2);
    again = OpenMpTeam::MayServe(3);
    OnAnotherThread([&] { second = OpenMpTeam::MayServe(2); });
  });
  OnAnotherThread([&] { next = OpenMpTeam::MayServe(2); });
  CHECK(again == first);
  CHECK(next == first);
  CHECK_FALSE(second);
  const bool mine = OpenMpTeam::MayServe(2);
  CHECK(mine == kHasOpenMp);
  OnAnotherThread([&] { second = OpenMpTeam::MayServe(2); });
  CHECK_FALSE(second);
}

TEST_CASE("a team serves no thread that is in a parallel region already") {
  std::atomic<int> served{0};
  RunParallelRegion(2, [&](std::size_t) {
    if (IsInParallelRegion()) served += OpenMpTeam::MayServe(2) ? 1 : 0;
  });
  CHECK(served == 0);
}

TEST_CASE("where the system has no thread left, a coarse loop does with those there are") {
  CHECK(OpenMpTeam::MayServe(2) == kHasOpenMp);
  WithoutNewThreads([] {
    CHECK_FALSE(OpenMpTeam::MayServe(50));
    std::atomic<int> visits{0};
    ParallelFor(Threads{50, nullptr, Grain::kCoarse}, 1000, [&](std::size_t) { ++visits; });
    CHECK(visits == 1000);
  });
  CHECK(OpenMpTeam::MayServe(2) == kHasOpenMp);
}

}  // namespace rankforest::detail
