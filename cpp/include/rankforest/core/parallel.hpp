#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <type_traits>

#include "rankforest/detail/fork_safe_mutex.hpp"
#include "rankforest/detail/openmp_team.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/detail/platform_openmp.hpp"
#include "rankforest/detail/thread_pool.hpp"

namespace rankforest {

/// Whose threads a loop runs on. Never changes a result.
enum class Grain {
  kFine,    ///< those of the library's pool
  kCoarse,  ///< OpenMP's, where the compiler has it and the calling thread may use them
};

/// How many threads a run may use, >= 1. Never changes a result.
struct Threads {
  int count = 1;
  /// Called before each piece of work, on the thread that does it; throws to end the run, as for
  /// Ctrl-C. May be null.
  void (*checkpoint)() = nullptr;
  /// Of the loops that these threads are for. Callers leave it alone: ForLoopOf decides.
  Grain grain = Grain::kFine;
};

/// The same threads for a loop that runs once in a call, or once for a stage of trees; not for one
/// that runs once a node or a round, however long it is. The loop is coarse if it is long enough.
///
/// @param n             of what the loop goes over, at all levels: documents times trees
/// @param seconds_each  what one of them takes one thread; a rough estimate will do
///
/// OpenMP's caller waits at the end of a loop for each thread of the team. One that shares its core
/// with another process comes late by the 3 to 12 ms for which the system lets the other run, and
/// after the loop the team looks out for the next one for 3.5 ms (libgomp) before it sleeps. A loop
/// of 1 ms a thread took 6 times as long as on the pool, whose caller waits for nobody; one of 3 ms
/// or more took the same time on both. So a loop is coarse from 10 ms a thread.
inline Threads ForLoopOf(Threads threads, std::size_t n, double seconds_each) {
  constexpr double kLeastOfThread = 0.01;  // seconds
  const double of_thread = static_cast<double>(n) * seconds_each / threads.count;
  threads.grain = of_thread >= kLeastOfThread ? Grain::kCoarse : Grain::kFine;
  return threads;
}

namespace detail {

/// Hands out the indices 0, 1, ..., size - 1 to workers and keeps the exception of the lowest
/// index that threw. Indices start in ascending order, so every index below a failing one runs:
/// which exception is carried out does not depend on timing.
class WorkQueue {
 public:
  WorkQueue(std::size_t size, void (*checkpoint)())
      : size_(size), checkpoint_(checkpoint), failed_(size) {}

  template <class Body>
  void Work(const Body& body, std::size_t worker) {
    for (std::size_t i = next_++; i < failed_; i = next_++) {
      try {
        if (checkpoint_ != nullptr) checkpoint_();
        if constexpr (std::is_invocable_v<const Body&, std::size_t, std::size_t>) {
          body(i, worker);
        } else {
          body(i);
        }
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (i < failed_) {
          failed_ = i;
          exception_ = std::current_exception();
        }
      }
    }
  }

  void RethrowFirst() const {
    if (failed_ < size_) std::rethrow_exception(exception_);
  }

 private:
  const std::size_t size_;
  void (*const checkpoint_)();
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> failed_;
  std::mutex mutex_;
  std::exception_ptr exception_;
};

/// Whether the calling thread already works for a ParallelFor.
inline bool& InsideParallelFor() {
  thread_local bool inside = false;
  return inside;
}

/// Runs `work(worker)` on at most `count` threads, the caller's among them.
template <class Work>
void OnThreads(std::size_t count, Grain grain, const Work& work) {
  const auto marked = [&work](std::size_t worker) {
    InsideParallelFor() = true;
    work(worker);
    InsideParallelFor() = false;
  };
  if (grain == Grain::kCoarse && OpenMpTeam::MayServe(count)) {
    RunParallelRegion(count, marked);
  } else {
    ThreadPool::OfProcess().Run(count - 1, marked);
  }
}

}  // namespace detail

/// A value that is made when it is first asked for, once, whichever threads ask.
template <class T>
class Lazy {
 public:
  /// @param make  () -> T; called by the first caller while others wait. What it throws is thrown
  ///              here, and the next caller tries again.
  template <class Make>
  [[nodiscard]] const T& Get(const Make& make) {
    if (!made_.load(std::memory_order_acquire)) {
      // Not std::call_once, which never returns under TSan once a call of it has thrown.
      const std::lock_guard<detail::ForkSafeMutex> lock(making_);
      if (!value_) value_.emplace(make());
      made_.store(true, std::memory_order_release);
    }
    return *value_;
  }

 private:
  std::atomic<bool> made_{false};
  detail::ForkSafeMutex making_;  // a child may need the value that a parent's thread made
  std::optional<T> value_;
};

/// The number of workers that ParallelFor(threads, size, ...) uses: scratch memory is sized by
/// it. One inside another ParallelFor, so that the pool and OpenMP are never both at work for one
/// caller; and one in a forked child, which has neither's threads and would wait for them for ever.
inline std::size_t WorkerCount(Threads threads, std::size_t size) {
  assert(threads.count >= 1);
  const std::size_t most = std::min(static_cast<std::size_t>(threads.count), size);
  if (most <= 1 || detail::InsideParallelFor() || detail::IsForkedChild()) return 1;
  return most;
}

/// Calls body(i), or body(i, worker) with worker < WorkerCount(threads, size), once for each i
/// in [0, size), on several threads. This is the only place in the library that knows threads.
///
/// When bodies throw, the exception of the lowest index is rethrown here.
template <class Body>
void ParallelFor(Threads threads, std::size_t size, const Body& body) {
  detail::WorkQueue queue(size, threads.checkpoint);
  const std::size_t workers = WorkerCount(threads, size);
  if (workers == 1) {
    queue.Work(body, 0);
  } else {
    detail::OnThreads(workers, threads.grain,
                      [&](std::size_t worker) { queue.Work(body, worker); });
  }
  queue.RethrowFirst();
}

/// Calls body(begin, end), or body(begin, end, worker), for consecutive ranges of at most
/// `chunk` that cover [0, size). The ranges do not depend on the number of threads.
template <class Body>
void ParallelChunks(Threads threads, std::size_t size, std::size_t chunk, const Body& body) {
  assert(chunk >= 1);
  const std::size_t chunks = (size + chunk - 1) / chunk;
  ParallelFor(threads, chunks, [&](std::size_t c, std::size_t worker) {
    const std::size_t begin = c * chunk;
    const std::size_t end = std::min(size, begin + chunk);
    if constexpr (std::is_invocable_v<const Body&, std::size_t, std::size_t, std::size_t>) {
      body(begin, end, worker);
    } else {
      body(begin, end);
    }
  });
}

}  // namespace rankforest
