#include "rankforest/detail/thread_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

namespace rankforest::detail {
namespace {

/// A place where each of `count` threads waits until all are there.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}

  void Wait() {
    --missing_;
    while (missing_ > 0) std::this_thread::yield();
  }

 private:
  std::atomic<int> missing_;
};

/// Runs a job on exactly `count` threads and returns which ones, by worker.
std::vector<std::thread::id> Meet(std::size_t count) {
  Meeting meeting(static_cast<int>(count));
  std::vector<std::thread::id> threads(count);
  ThreadPool::OfProcess().Run(count - 1, [&](std::size_t worker) {
    threads.at(worker) = std::this_thread::get_id();
    meeting.Wait();
  });
  return threads;
}

/// Adds up 1, 2, ..., size on up to `count` threads, one number at a time.
std::size_t Sum(std::size_t count, std::size_t size) {
  std::atomic<std::size_t> next{0};
  std::vector<std::size_t> sums(count);  // not atomic: TSan would see one that two workers use
  ThreadPool::OfProcess().Run(count - 1, [&](std::size_t worker) {
    for (std::size_t i = ++next; i <= size; i = ++next) sums.at(worker) += i;
  });
  std::size_t sum = 0;
  for (const std::size_t s : sums) sum += s;
  return sum;
}

}  // namespace

TEST_CASE("a job runs on as many threads at once as it asks for, the caller as worker 0") {
  for (const std::size_t count : {2U, 4U, 3U}) {
    const std::vector<std::thread::id> threads = Meet(count);
    const bool first = threads[0] == std::this_thread::get_id();  // doctest cannot print ids
    CHECK(first);
    CHECK(std::set<std::thread::id>(threads.begin(), threads.end()).size() == count);
  }
}

TEST_CASE("the same threads help with the next job, also after they slept") {
  std::set<std::thread::id> seen;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<std::thread::id> threads = Meet(3);
    seen.insert(threads.begin(), threads.end());
    if (trial % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CHECK(seen.size() == 3);
}

TEST_CASE("a job may end before any helper came, and the next one may begin") {
  for (std::size_t trial = 0; trial < 20000; ++trial) {
    const std::size_t size = trial % 5;
    REQUIRE(Sum(3, size) == size * (size + 1) / 2);
  }
}

TEST_CASE("a caller whose helpers are slow sleeps until they are done") {
  std::atomic<int> done{0};
  Meeting meeting(3);
  ThreadPool::OfProcess().Run(2, [&](std::size_t worker) {
    meeting.Wait();
    if (worker != 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++done;
  });
  CHECK(done == 3);
}

TEST_CASE("callers on several threads get right results at the same time") {
  std::vector<std::thread> callers;
  std::vector<std::size_t> wrong(6);
  for (std::size_t c = 0; c < wrong.size(); ++c) {
    callers.emplace_back([&wrong, c] {
      for (std::size_t trial = 0; trial < 500; ++trial) {
        const std::size_t size = (trial * 7 + c) % 300;
        if (Sum(2 + c % 3, size) != size * (size + 1) / 2) ++wrong[c];
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == std::vector<std::size_t>(6));
}

TEST_CASE("a caller waits for nobody else's job") {
  Meeting started(4);
  std::atomic<bool> release{false};
  std::thread other([&] {
    ThreadPool::OfProcess().Run(2, [&](std::size_t) {
      started.Wait();
      while (!release) std::this_thread::yield();
    });
  });
  started.Wait();
  CHECK(Sum(3, 1000) == 500500);  // while the job of the other caller has three threads
  release = true;
  other.join();
}

}  // namespace rankforest::detail
