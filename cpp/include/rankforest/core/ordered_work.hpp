#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"

namespace rankforest {

/// Long pieces of work, of seconds or hours, side by side, whose results the calling thread takes
/// in order: the members of a bag.
///
/// At the end of a ParallelFor the caller waits for the longest piece and answers no request to
/// stop. Here it takes results and calls its checkpoint as long as others are at work, and they
/// learn from their pulse that the work has ended.
///
///   work(i, pulse)   on any thread, once for each piece i; calls pulse() -> bool now and then, and
///                    may return at once where that is false: its result is not taken
///   take(i) -> bool  on the calling thread, in order of i, each after work(i); false ends the work
///
/// Where anything throws, nothing more is begun or taken. Rethrown is the exception of the lowest
/// piece; what `take` and the checkpoint throw while the caller waits comes after those.
template <class Work, class Take>
class OrderedWork {
 public:
  OrderedWork(Threads threads, std::size_t size, Work work, Take take)
      : threads_(threads), work_(std::move(work)), take_(std::move(take)), is_done_(size, 0) {}

  /// Does all of it, or what comes before an end. Returns whether all was taken.
  bool Run() {
    const std::size_t size = is_done_.size();
    const std::size_t workers = WorkerCount(threads_, size);
    detail::WorkQueue queue(size, nullptr);
    const auto do_share = [&](std::size_t worker) {
      queue.Work([&](std::size_t i, std::size_t w) { Do(i, w); }, worker);
    };
    if (workers == 1) {
      do_share(kCaller);
    } else {
      detail::OnThreads(workers, Grain::kCoarse, [&](std::size_t worker) {
        CountWorkers(1);
        do_share(worker);
        CountWorkers(-1);
        if (worker == kCaller) Attend();
      });
    }
    queue.RethrowFirst();
    if (exception_ != nullptr) std::rethrow_exception(exception_);
    return n_taken_ == size;
  }

 private:
  static constexpr std::size_t kCaller = 0;  // the worker that is the calling thread

  void Do(std::size_t i, std::size_t worker) {
    if (has_ended_) return;
    try {
      if (threads_.checkpoint != nullptr) threads_.checkpoint();
      work_(i, [this, worker] { return Pulse(worker); });
      Change([&] { is_done_[i] = 1; });
      if (worker == kCaller) TakeDone();
    } catch (...) {
      has_ended_ = true;
      throw;
    }
  }

  /// Whether the work goes on. The caller sees to what has come up; the others wake it.
  bool Pulse(std::size_t worker) {
    if (worker == kCaller) {
      if (threads_.checkpoint != nullptr) threads_.checkpoint();
      TakeDone();
    } else {
      Change([] {});
    }
    return !has_ended_;
  }

  /// Takes what is done, up to the first piece that is not.
  void TakeDone() {
    while (!has_ended_ && IsNextDone()) {
      if (!take_(n_taken_)) {
        has_ended_ = true;
        return;
      }
      ++n_taken_;
    }
  }

  bool IsNextDone() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return n_taken_ < is_done_.size() && is_done_[n_taken_] != 0;
  }

  /// The caller has nothing left to begin: it takes, and looks at its checkpoint at each change.
  void Attend() {
    try {
      while (WaitForChange()) {
        if (threads_.checkpoint != nullptr) threads_.checkpoint();
        TakeDone();
      }
      TakeDone();
    } catch (...) {
      has_ended_ = true;
      exception_ = std::current_exception();
    }
  }

  /// Whether others are at work; false once there will be no change. Late workers find no piece.
  bool WaitForChange() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return n_changes_ != n_seen_ || n_workers_ == 0; });
    n_seen_ = n_changes_;
    return n_workers_ != 0;
  }

  void CountWorkers(int more) {
    Change([&] { n_workers_ += more; });
  }

  template <class Edit>
  void Change(const Edit& edit) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      edit();
      ++n_changes_;
    }
    changed_.notify_one();
  }

  Threads threads_;
  Work work_;
  Take take_;
  std::size_t n_taken_ = 0;  // the caller's alone, as is n_seen_
  std::size_t n_seen_ = 0;
  std::exception_ptr exception_;
  std::atomic<bool> has_ended_{false};
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<char> is_done_;
  std::size_t n_changes_ = 0;
  int n_workers_ = 0;
};

}  // namespace rankforest
