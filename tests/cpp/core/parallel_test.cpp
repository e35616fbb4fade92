#include "rankforest/core/parallel.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rankforest/detail/platform_openmp.hpp"

namespace rankforest {
namespace {

/// The two kinds of loops, which keep the same promises.
struct Fine {
  static Threads Of(int count, void (*checkpoint)() = nullptr) { return {count, checkpoint}; }
};
struct Coarse {
  static Threads Of(int count, void (*checkpoint)() = nullptr) {
    return {count, checkpoint, Grain::kCoarse};
  }
};

using Range = std::pair<std::size_t, std::size_t>;

std::vector<Range> Chunks(Threads threads, std::size_t size, std::size_t chunk) {
  std::vector<Range> chunks((size + chunk - 1) / chunk);
  ParallelChunks(threads, size, chunk,
                 [&](std::size_t begin, std::size_t end) { chunks[begin / chunk] = {begin, end}; });
  return chunks;
}

}  // namespace

TEST_CASE_TEMPLATE("every index is visited once, whatever the number of threads", Family, Fine,
                   Coarse) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> visits(1000);
    ParallelFor(Family::Of(threads), visits.size(), [&](std::size_t i) { ++visits[i]; });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE_TEMPLATE("no index makes no call", Family, Fine, Coarse) {
  int calls = 0;
  ParallelFor(Family::Of(4), 0, [&](std::size_t) { ++calls; });
  ParallelChunks(Family::Of(4), 0, 10, [&](std::size_t, std::size_t) { ++calls; });
  CHECK(calls == 0);
}

TEST_CASE_TEMPLATE("workers are numbered below their count, and each does one thing at a time",
                   Family, Fine, Coarse) {
  CHECK(WorkerCount(Family::Of(4), 1000) == 4);
  CHECK(WorkerCount(Family::Of(4), 3) == 3);
  CHECK(WorkerCount(Family::Of(4), 0) == 1);
  // Not atomic: two bodies with one worker number would lose counts, and TSan would report them.
  std::vector<std::size_t> done(4);
  ParallelFor(Family::Of(4), 100000, [&](std::size_t, std::size_t worker) { ++done.at(worker); });
  CHECK(done[0] + done[1] + done[2] + done[3] == 100000);
}

TEST_CASE_TEMPLATE("chunks cover the range and do not depend on the number of threads", Family,
                   Fine, Coarse) {
  const std::vector<Range> expected = {{0, 4}, {4, 8}, {8, 10}};
  for (const int threads : {1, 2, 5}) {
    CHECK(Chunks(Family::Of(threads), 10, 4) == expected);
    CHECK(Chunks(Family::Of(threads), 4, 4) == std::vector<Range>{{0, 4}});
    CHECK(Chunks(Family::Of(threads), 3, 100) == std::vector<Range>{{0, 3}});
  }
}

TEST_CASE_TEMPLATE("chunks tell their worker to whoever asks", Family, Fine, Coarse) {
  std::vector<std::size_t> rows(3);
  ParallelChunks(Family::Of(3), 1000, 7,
                 [&](std::size_t begin, std::size_t end, std::size_t worker) {
                   rows.at(worker) += end - begin;
                 });
  CHECK(rows[0] + rows[1] + rows[2] == 1000);
}

TEST_CASE_TEMPLATE("a checkpoint stands before each piece of work and may end it", Family, Fine,
                   Coarse) {
  struct Interrupt {};
  static std::atomic<int> calls{0};
  const auto count = [] { ++calls; };
  const auto interrupt = [] {
    if (++calls == 20) throw Interrupt{};
  };
  for (const int threads : {1, 3}) {
    calls = 0;
    std::atomic<int> bodies{0};
    ParallelFor(Family::Of(threads, count), 50, [&](std::size_t) { ++bodies; });
    CHECK(calls == 50);
    CHECK(bodies == 50);

    calls = 0;
    bodies = 0;
    CHECK_THROWS_AS(
        ParallelFor(Family::Of(threads, interrupt), 1000000, [&](std::size_t) { ++bodies; }),
        Interrupt);
    CHECK(bodies < 1000000);
  }
}

TEST_CASE_TEMPLATE("a loop inside a loop runs on the worker it is in", Family, Fine, Coarse) {
  std::vector<std::vector<int>> visits(8, std::vector<int>(50));
  std::vector<std::size_t> workers(8);
  ParallelFor(Family::Of(3), visits.size(), [&](std::size_t i) {
    workers[i] = WorkerCount(Family::Of(3), 50);
    ParallelFor(Family::Of(3), 50, [&](std::size_t j) { ++visits[i][j]; });
  });
  CHECK(visits == std::vector<std::vector<int>>(8, std::vector<int>(50, 1)));
  CHECK(workers == std::vector<std::size_t>(8, 1));
  CHECK(WorkerCount(Family::Of(3), 50) == 3);  // outside again
}

TEST_CASE_TEMPLATE("the exception of the lowest failing index is carried out", Family, Fine,
                   Coarse) {
  for (int trial = 0; trial < 50; ++trial) {
    CHECK_THROWS_WITH(ParallelFor(Family::Of(4), 1000,
                                  [](std::size_t i) {
                                    if (i % 100 == 57) throw std::runtime_error(std::to_string(i));
                                  }),
                      "57");
  }
}

TEST_CASE_TEMPLATE("an exception keeps its type, and everything below its index was done", Family,
                   Fine, Coarse) {
  for (const int threads : {1, 4}) {
    std::vector<int> visits(1000);
    const auto body = [&](std::size_t i) {
      if (i >= 500) throw std::out_of_range("too far");
      ++visits[i];
    };
    CHECK_THROWS_AS(ParallelFor(Family::Of(threads), visits.size(), body), std::out_of_range);
    for (std::size_t i = 0; i < 500; ++i) REQUIRE(visits[i] == 1);
  }
}

TEST_CASE_TEMPLATE("loops work as before after one that threw", Family, Fine, Coarse) {
  const auto fail = [](std::size_t) { throw std::runtime_error("failed"); };
  CHECK_THROWS(ParallelFor(Family::Of(3), 10, fail));
  CHECK(WorkerCount(Family::Of(3), 10) == 3);
  std::vector<int> visits(100);
  ParallelFor(Family::Of(3), visits.size(), [&](std::size_t i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(100, 1));
}

TEST_CASE_TEMPLATE("an exception of a loop inside a loop comes out of both", Family, Fine, Coarse) {
  const auto body = [](std::size_t i) {
    ParallelFor(Family::Of(2), 10, [i](std::size_t j) {
      if (i == 3 && j == 4) throw std::runtime_error("3, 4");
    });
  };
  CHECK_THROWS_WITH(ParallelFor(Family::Of(3), 10, body), "3, 4");
}

TEST_CASE_TEMPLATE("a child that was forked between loops does its work and ends", Family, Fine,
                   Coarse) {
  ParallelFor(Family::Of(3), 100, [](std::size_t) {});  // starts the threads that a fork loses
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // seconds until a child that hangs is ended, and so fails the test
    std::vector<int> visits(1000);
    ParallelFor(Family::Of(3), visits.size(), [&](std::size_t i) { ++visits[i]; });
    const bool all = visits == std::vector<int>(1000, 1);
    bool carried = false;
    try {
      ParallelFor(Family::Of(3), 9, [](std::size_t) { throw std::runtime_error("out"); });
    } catch (const std::runtime_error&) {
      carried = true;
    }
    _exit(all && carried ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);

  std::vector<int> visits(100);  // and the parent still has its threads
  ParallelFor(Family::Of(3), visits.size(), [&](std::size_t i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(100, 1));
  CHECK(WorkerCount(Family::Of(3), 100) == 3);
}

TEST_CASE("a loop is coarse where it takes each of its threads ten milliseconds") {
  const auto checkpoint = [] {};
  const Threads threads = ForLoopOf(Threads{2, checkpoint}, 20001, 1e-6);
  CHECK(threads.grain == Grain::kCoarse);
  CHECK(threads.count == 2);
  const bool has_checkpoint = threads.checkpoint == static_cast<void (*)()>(checkpoint);
  CHECK(has_checkpoint);  // doctest cannot print functions
  CHECK(ForLoopOf(threads, 19999, 1e-6).grain == Grain::kFine);
  CHECK(ForLoopOf(Threads{3}, 20001, 1e-6).grain == Grain::kFine);
  CHECK(ForLoopOf(Threads{3}, 30001, 1e-6).grain == Grain::kCoarse);
  CHECK(ForLoopOf(Threads{1}, 0, 1.0).grain == Grain::kFine);
  CHECK(Threads{}.grain == Grain::kFine);
}

TEST_CASE("coarse loops run on OpenMP where there is OpenMP, fine ones never do") {
  const auto runs_on_openmp = [](Threads threads) {
    std::atomic<std::size_t> inside{0};
    ParallelFor(threads, 100, [&](std::size_t) { inside += detail::IsInParallelRegion() ? 1 : 0; });
    return inside > 0;
  };
  CHECK(runs_on_openmp(Coarse::Of(2)) == detail::kHasOpenMp);
  CHECK_FALSE(runs_on_openmp(Fine::Of(2)));
  CHECK_FALSE(runs_on_openmp(Coarse::Of(1)));
}

TEST_CASE("coarse loops and fine ones take turns and go into each other") {
  for (int trial = 0; trial < 50; ++trial) {
    for (const Threads outer : {Fine::Of(3), Coarse::Of(3)}) {
      for (const Threads inner : {Fine::Of(3), Coarse::Of(3)}) {
        std::vector<std::size_t> sums(20);
        ParallelFor(outer, sums.size(), [&](std::size_t i) {
          std::vector<std::size_t> of_worker(WorkerCount(inner, 30));
          ParallelFor(inner, 30, [&](std::size_t j, std::size_t w) { of_worker.at(w) += j; });
          sums[i] = of_worker.at(0);
        });
        REQUIRE(sums == std::vector<std::size_t>(20, 435));
      }
    }
  }
}

TEST_CASE("loops of any kind work inside a parallel region of the program's own") {
  std::vector<std::vector<int>> visits(4, std::vector<int>(500));
  detail::RunParallelRegion(2, [&](std::size_t thread) {
    for (const Threads threads : {Fine::Of(3), Coarse::Of(3)}) {
      std::vector<int>& mine = visits[2 * thread + (threads.grain == Grain::kCoarse ? 1 : 0)];
      ParallelFor(threads, mine.size(), [&](std::size_t i) { ++mine[i]; });
    }
  });
  const std::size_t n_threads = detail::kHasOpenMp ? 2 : 1;
  for (std::size_t v = 0; v < 2 * n_threads; ++v) CHECK(visits[v] == std::vector<int>(500, 1));
}

TEST_CASE("loops of any kind run on several threads of the program at once") {
  std::vector<std::thread> callers;
  std::vector<std::size_t> wrong(6);
  for (std::size_t c = 0; c < wrong.size(); ++c) {
    callers.emplace_back([&wrong, c] {
      for (std::size_t trial = 0; trial < 100; ++trial) {
        const Threads threads = (trial + c) % 2 == 0 ? Coarse::Of(3) : Fine::Of(2);
        std::vector<std::size_t> sums(3);
        ParallelFor(threads, 101, [&](std::size_t i, std::size_t w) { sums.at(w) += i; });
        if (sums[0] + sums[1] + sums[2] != 5050) ++wrong[c];
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == std::vector<std::size_t>(6));
}

TEST_CASE("a lazy value is made once, by whichever thread asks first") {
  for (int trial = 0; trial < 50; ++trial) {
    Lazy<int> lazy;
    std::atomic<int> made{0};
    std::vector<const int*> places(6);
    ParallelFor(Threads{3}, places.size(),
                [&](std::size_t i) { places[i] = &lazy.Get([&] { return 10 + made++; }); });
    CHECK(made == 1);
    for (const int* place : places) CHECK(place == places[0]);
    CHECK(*places[0] == 10);
  }
}

TEST_CASE("a lazy value whose making failed is made by the next who asks") {
  Lazy<int> lazy;
  const auto fail = []() -> int { throw std::runtime_error("no"); };
  CHECK_THROWS_AS((void)lazy.Get(fail), std::runtime_error);
  CHECK(lazy.Get([] { return 7; }) == 7);
  CHECK(lazy.Get(fail) == 7);
}

}  // namespace rankforest
