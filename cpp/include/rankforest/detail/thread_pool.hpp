#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

// A *caller* is a thread with work for several threads, a *helper* a thread of the pool. The
// caller offers its job to helpers, does its own share, takes the offers back that nobody has
// taken up, and waits for the others alone. A helper that gets no core, because another process
// has it, therefore holds nobody up. OpenMP's barriers would: see ForLoopOf in core/parallel.hpp.

/// Work that a caller shares. Lives on the caller's stack.
class Job {
 public:
  /// `work(worker)` does a share of the work until there is none left; it must not throw.
  template <class Work>
  explicit Job(const Work& work)
      : work_(&work), run_([](const void* erased, std::size_t worker) {
          (*static_cast<const Work*>(erased))(worker);
        }) {}

  /// Does a share as the next worker; the caller is worker 0.
  void Help() { run_(work_, ++helpers_); }

 private:
  const void* work_;
  void (*run_)(const void*, std::size_t);
  std::atomic<std::size_t> helpers_{0};
};

/// One thread of the pool and the word through which it and the callers talk.
///
/// The word is kIdle, kAsleep, or the address of a job: with no bit set that job is on offer,
/// with kRunning the helper works on it, with kAwaited too its caller sleeps until that is done.
class alignas(64) Helper {  // its own cache line, for callers write to it
 public:
  explicit Helper(Job& first) : word_(Address(first)) {}

  Helper* next = nullptr;  // in the pool's list

  /// Offers the job if the helper has none.
  bool Offer(Job& job) {
    std::uintptr_t word = word_.load();
    do {
      if (word != kIdle && word != kAsleep) return false;
      // Falling asleep meanwhile is no reason to go without it.
    } while (!word_.compare_exchange_weak(word, Address(job)));
    if (word == kAsleep) Notify();
    return true;
  }

  /// Returns when the helper does not work on the job and will not.
  void TakeBack(const Job& job) {
    const std::uintptr_t offered = Address(job);
    const std::uintptr_t running = offered | kRunning;
    std::uintptr_t word = offered;
    if (word_.compare_exchange_strong(word, kIdle)) return;
    for (int spin = 0; word_.load() == running; ++spin) {
      if (spin < kSpins) {
        PauseSpinning();
        continue;
      }
      word = running;
      if (word_.compare_exchange_strong(word, running | kAwaited)) SleepWhile(running | kAwaited);
    }
  }

  /// The thread: helps with one job after the other.
  void Serve() {
    for (;;) {
      std::uintptr_t word = WaitForOffer();
      if (!word_.compare_exchange_strong(word, word | kRunning)) continue;  // taken back
      reinterpret_cast<Job*>(word)->Help();
      // Now the job may be gone. The helper is not: helpers stay.
      if ((word_.exchange(kIdle) & kAwaited) != 0) Notify();
    }
  }

 private:
  static constexpr std::uintptr_t kIdle = 0;
  static constexpr std::uintptr_t kAsleep = 1;
  static constexpr std::uintptr_t kRunning = 1;
  static constexpr std::uintptr_t kAwaited = 2;
  static_assert(alignof(Job) > (kRunning | kAwaited));

  /// Looks at the word before sleeping. Long enough to bridge the serial code between two loops,
  /// short enough not to take a core from somebody who has work for it.
  static constexpr int kSpins = 1000;

  static std::uintptr_t Address(const Job& job) { return reinterpret_cast<std::uintptr_t>(&job); }

  std::uintptr_t WaitForOffer() {
    for (int spin = 0;; ++spin) {
      std::uintptr_t word = word_.load();
      if (word != kIdle) return word;
      if (spin < kSpins) {
        PauseSpinning();
      } else if (word_.compare_exchange_strong(word, kAsleep)) {
        SleepWhile(kAsleep);
        spin = 0;
      }
    }
  }

  void SleepWhile(std::uintptr_t word) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return word_.load() != word; });
  }

  /// Wakes the helper or its caller after the word has changed.
  void Notify() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
    }  // who saw the old word sleeps by now
    changed_.notify_all();
  }

  std::atomic<std::uintptr_t> word_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// Threads that outlive the loops they help with: starting one costs more than most loops.
class ThreadPool {
 public:
  /// The pool of this process. Its threads are, like the heap, a resource that all code of a
  /// process shares and that no result depends on: hence the one exception from "no global
  /// state". It is never destroyed, for its threads may run until the process ends.
  static ThreadPool& OfProcess() {
    static ThreadPool* const pool = std::make_unique<ThreadPool>().release();
    return *pool;
  }

  /// Runs `work(worker)` on the caller as worker 0 and, as far as they are free before it returns
  /// there, on up to `helpers` other threads as workers 1, 2, ...
  template <class Work>
  void Run(std::size_t helpers, const Work& work) {
    Job job(work);
    std::size_t offers = 0;
    Helper* end = first_.load();
    for (; end != nullptr && offers < helpers; end = end->next) {
      if (end->Offer(job)) ++offers;
    }
    while (offers < helpers && Add(job, helpers)) ++offers;
    work(0);
    for (Helper* h = first_.load(); h != end; h = h->next) h->TakeBack(job);
  }

 private:
  /// Starts a helper with this job. False if there are enough for all callers together, or if
  /// the system has no thread left: the work then is done by fewer.
  bool Add(Job& job, std::size_t helpers) {
    const std::lock_guard<std::mutex> lock(adding_);
    if (size_ >= std::max(helpers, others_)) return false;
    auto helper = std::make_unique<Helper>(job);
    try {
      std::thread(&Helper::Serve, helper.get()).detach();
    } catch (const std::system_error&) {
      return false;
    }
    ++size_;
    helper->next = first_.load();
    first_.store(helper.release());
    return true;
  }

  const std::size_t others_ = std::max(1U, std::thread::hardware_concurrency()) - 1;  // cores
  std::atomic<Helper*> first_{nullptr};  // a list that only grows, at its front
  std::mutex adding_;
  std::size_t size_ = 0;
};

}  // namespace rankforest::detail
