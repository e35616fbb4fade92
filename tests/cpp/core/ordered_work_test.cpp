#include "rankforest/core/ordered_work.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rankforest {
namespace {

template <class Work, class Take>
bool RunOrdered(Threads threads, std::size_t size, const Work& work, const Take& take) {
  OrderedWork<Work, Take> ordered(threads, size, work, take);
  return ordered.Run();
}

/// Waits until a pulse says that the work has ended.
template <class Pulse>
void WaitForEnd(const Pulse& pulse) {
  while (pulse()) std::this_thread::yield();
}

std::atomic<int> n_checks{0};
void FailAtThirdCheck() {
  if (++n_checks >= 3) throw std::runtime_error("interrupted");
}

}  // namespace

TEST_CASE("every piece is done once and taken in order, on the calling thread") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> done(40);
    std::vector<std::size_t> taken;
    const auto caller = std::this_thread::get_id();
    CHECK(RunOrdered(
        {threads}, done.size(), [&](std::size_t i, const auto& /*pulse*/) { ++done[i]; },
        [&](std::size_t i) {
          CHECK(std::this_thread::get_id() == caller);
          CHECK(done[i] == 1);
          taken.push_back(i);
          return true;
        }));
    CHECK(done == std::vector<int>(40, 1));
    for (std::size_t i = 0; i < taken.size(); ++i) CHECK(taken[i] == i);
    CHECK(taken.size() == 40);
  }
}

TEST_CASE("no piece is no work") {
  CHECK(RunOrdered(
      {4}, 0, [](std::size_t, const auto&) { FAIL("work"); }, [](std::size_t) { return false; }));
}

TEST_CASE("a piece that is not wanted ends the work, and the others learn of it") {
  for (const int threads : {1, 2, 4}) {
    std::vector<std::size_t> taken;
    const auto work = [&](std::size_t i, const auto& pulse) {
      if (i > 2) WaitForEnd(pulse);  // else for ever
    };
    CHECK_FALSE(RunOrdered({threads}, 100, work, [&](std::size_t i) {
      taken.push_back(i);
      return i < 2;
    }));
    CHECK(taken == std::vector<std::size_t>{0, 1, 2});
  }
}

TEST_CASE("an error ends the work of all, and the error of the lowest piece comes out") {
  for (const int threads : {1, 2, 4}) {
    const auto work = [&](std::size_t i, const auto& pulse) {
      if (i == 3) throw std::runtime_error("piece " + std::to_string(i));
      if (i > 3) WaitForEnd(pulse);
    };
    const auto take = [](std::size_t i) { return i < 3; };
    CHECK_THROWS_WITH_AS(RunOrdered({threads}, 50, work, [](std::size_t) { return true; }),
                         "piece 3", std::runtime_error);
    const auto fail = [](std::size_t i) -> bool { throw std::runtime_error(std::to_string(i)); };
    CHECK_THROWS_WITH_AS(RunOrdered(
                             {threads}, 50, [](std::size_t, const auto& pulse) { pulse(); }, fail),
                         "0", std::runtime_error);
    CHECK(take(0));
  }
}

TEST_CASE("the caller's checkpoint ends the work while others are busy") {
  for (const int threads : {1, 3}) {
    n_checks = 0;
    const auto work = [](std::size_t, const auto& pulse) { WaitForEnd(pulse); };
    CHECK_THROWS_WITH_AS(
        RunOrdered({threads, &FailAtThirdCheck}, 3, work, [](std::size_t) { return true; }),
        "interrupted", std::runtime_error);
  }
}

TEST_CASE("loops inside a piece are serial where others are at work, and else have all threads") {
  std::atomic<int> widest{0};
  const auto work = [&](std::size_t, const auto&) {
    const auto width = static_cast<int>(WorkerCount({4}, 100));
    if (width > widest) widest = width;
  };
  const auto take = [](std::size_t) { return true; };
  RunOrdered({2}, 4, work, take);
  CHECK(widest == 1);
  RunOrdered({1}, 4, work, take);
  CHECK(widest == 4);
}

}  // namespace rankforest
