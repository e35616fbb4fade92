#include "rankforest/core/parallel.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rankforest {
namespace {

using Range = std::pair<std::size_t, std::size_t>;

std::vector<Range> Chunks(Threads threads, std::size_t size, std::size_t chunk) {
  std::vector<Range> chunks((size + chunk - 1) / chunk);
  ParallelChunks(threads, size, chunk,
                 [&](std::size_t begin, std::size_t end) { chunks[begin / chunk] = {begin, end}; });
  return chunks;
}

}  // namespace

TEST_CASE("every index is visited once, whatever the number of threads") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> visits(1000);
    ParallelFor(Threads{threads}, visits.size(), [&](std::size_t i) { ++visits[i]; });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE("no index makes no call") {
  int calls = 0;
  ParallelFor(Threads{4}, 0, [&](std::size_t) { ++calls; });
  ParallelChunks(Threads{4}, 0, 10, [&](std::size_t, std::size_t) { ++calls; });
  CHECK(calls == 0);
}

TEST_CASE("workers are numbered below their count, and each does one thing at a time") {
  CHECK(WorkerCount(Threads{4}, 1000) == 4);
  CHECK(WorkerCount(Threads{4}, 3) == 3);
  CHECK(WorkerCount(Threads{4}, 0) == 1);
  // Not atomic: two bodies with one worker number would lose counts, and TSan would report them.
  std::vector<std::size_t> done(4);
  ParallelFor(Threads{4}, 100000, [&](std::size_t, std::size_t worker) { ++done.at(worker); });
  CHECK(done[0] + done[1] + done[2] + done[3] == 100000);
}

TEST_CASE("chunks cover the range and do not depend on the number of threads") {
  const std::vector<Range> expected = {{0, 4}, {4, 8}, {8, 10}};
  for (const int threads : {1, 2, 5}) {
    CHECK(Chunks(Threads{threads}, 10, 4) == expected);
    CHECK(Chunks(Threads{threads}, 4, 4) == std::vector<Range>{{0, 4}});
    CHECK(Chunks(Threads{threads}, 3, 100) == std::vector<Range>{{0, 3}});
  }
}

TEST_CASE("chunks tell their worker to whoever asks") {
  std::vector<std::size_t> rows(3);
  ParallelChunks(Threads{3}, 1000, 7, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    rows.at(worker) += end - begin;
  });
  CHECK(rows[0] + rows[1] + rows[2] == 1000);
}

TEST_CASE("a checkpoint stands before each piece of work and may end it") {
  struct Interrupt {};
  static std::atomic<int> calls{0};
  const auto count = [] { ++calls; };
  const auto interrupt = [] {
    if (++calls == 20) throw Interrupt{};
  };
  for (const int threads : {1, 3}) {
    calls = 0;
    std::atomic<int> bodies{0};
    ParallelFor(Threads{threads, count}, 50, [&](std::size_t) { ++bodies; });
    CHECK(calls == 50);
    CHECK(bodies == 50);

    calls = 0;
    bodies = 0;
    CHECK_THROWS_AS(
        ParallelFor(Threads{threads, interrupt}, 1000000, [&](std::size_t) { ++bodies; }),
        Interrupt);
    CHECK(bodies < 1000000);
  }
}

TEST_CASE("a loop inside a loop runs on the worker it is in") {
  std::vector<std::vector<int>> visits(8, std::vector<int>(50));
  std::vector<std::size_t> workers(8);
  ParallelFor(Threads{3}, visits.size(), [&](std::size_t i) {
    workers[i] = WorkerCount(Threads{3}, 50);
    ParallelFor(Threads{3}, 50, [&](std::size_t j) { ++visits[i][j]; });
  });
  CHECK(visits == std::vector<std::vector<int>>(8, std::vector<int>(50, 1)));
  CHECK(workers == std::vector<std::size_t>(8, 1));
  CHECK(WorkerCount(Threads{3}, 50) == 3);  // outside again
}

TEST_CASE("the exception of the lowest failing index is carried out") {
  for (int trial = 0; trial < 50; ++trial) {
    CHECK_THROWS_WITH(ParallelFor(Threads{4}, 1000,
                                  [](std::size_t i) {
                                    if (i % 100 == 57) throw std::runtime_error(std::to_string(i));
                                  }),
                      "57");
  }
}

TEST_CASE("an exception keeps its type, and everything below its index was done") {
  for (const int threads : {1, 4}) {
    std::vector<int> visits(1000);
    const auto body = [&](std::size_t i) {
      if (i >= 500) throw std::out_of_range("too far");
      ++visits[i];
    };
    CHECK_THROWS_AS(ParallelFor(Threads{threads}, visits.size(), body), std::out_of_range);
    for (std::size_t i = 0; i < 500; ++i) REQUIRE(visits[i] == 1);
  }
}

TEST_CASE("loops work as before after one that threw") {
  const auto fail = [](std::size_t) { throw std::runtime_error("failed"); };
  CHECK_THROWS(ParallelFor(Threads{3}, 10, fail));
  CHECK(WorkerCount(Threads{3}, 10) == 3);
  std::vector<int> visits(100);
  ParallelFor(Threads{3}, visits.size(), [&](std::size_t i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(100, 1));
}

TEST_CASE("an exception of a loop inside a loop comes out of both") {
  const auto body = [](std::size_t i) {
    ParallelFor(Threads{2}, 10, [i](std::size_t j) {
      if (i == 3 && j == 4) throw std::runtime_error("3, 4");
    });
  };
  CHECK_THROWS_WITH(ParallelFor(Threads{3}, 10, body), "3, 4");
}

TEST_CASE("a child that was forked between loops does its work and ends") {
  ParallelFor(Threads{3}, 100, [](std::size_t) {});  // starts the threads that a fork loses
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // seconds until a child that hangs is ended, and so fails the test
    std::vector<int> visits(1000);
    ParallelFor(Threads{3}, visits.size(), [&](std::size_t i) { ++visits[i]; });
    const bool all = visits == std::vector<int>(1000, 1);
    bool carried = false;
    try {
      ParallelFor(Threads{3}, 9, [](std::size_t) { throw std::runtime_error("out"); });
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
  ParallelFor(Threads{3}, visits.size(), [&](std::size_t i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(100, 1));
  CHECK(WorkerCount(Threads{3}, 100) == 3);
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
