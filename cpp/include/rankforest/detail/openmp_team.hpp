#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "rankforest/detail/platform_openmp.hpp"

namespace rankforest::detail {

/// Whether the system can start so many threads now, found out by starting them.
inline bool CanStartThreads(std::size_t count) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  std::mutex gate;  // all are there before one of them ends
  bool can = true;
  {
    const std::lock_guard<std::mutex> closed(gate);
    try {
      while (threads.size() < count) {
        threads.emplace_back([&gate] { const std::lock_guard<std::mutex> passed(gate); });
      }
    } catch (const std::system_error&) {
      can = false;
    }
  }
  for (std::thread& thread : threads) thread.join();
  return can;
}

/// The right to OpenMP's threads. One thread of a process has it: the first that asks, until it
/// ends. OpenMP keeps a team of threads for every thread that opens parallel regions, so a server
/// whose hundred threads all did would get a hundred teams. The others have the library's pool,
/// which they share.
class OpenMpTeam {
 public:
  OpenMpTeam() = default;
  OpenMpTeam(const OpenMpTeam&) = delete;
  OpenMpTeam& operator=(const OpenMpTeam&) = delete;
  ~OpenMpTeam() {
    if (is_mine_) IsTaken() = false;
  }

  /// Whether the calling thread may open a parallel region of `count` threads here and now. Not
  /// inside another, whose threads have work already; nor where the system would not start so many
  /// threads, for then OpenMP ends the process; nor in a process that was forked before it loaded
  /// this library, for another may have used OpenMP before, whose threads are gone.
  static bool MayServe(std::size_t count) {
    static const bool kWasForked = WasForked();
    if (!kHasOpenMp || kWasForked || IsInParallelRegion()) return false;
    thread_local OpenMpTeam team;
    return team.Claim() && team.Reaches(count);
  }

 private:
  /// Of this process. No result depends on it, as on the pool (thread_pool.hpp).
  static std::atomic<bool>& IsTaken() {
    static std::atomic<bool> is_taken{false};
    return is_taken;
  }

  bool Claim() {
    if (!is_mine_) is_mine_ = !IsTaken().exchange(true);
    return is_mine_;
  }

  bool Reaches(std::size_t count) {
    if (count > size_ && !CanStartThreads(count - size_)) return false;
    size_ = count;  // OpenMP ends those that a smaller team does not need
    return true;
  }

  bool is_mine_ = false;
  std::size_t size_ = 1;  // threads that there are, the caller included
};

}  // namespace rankforest::detail
