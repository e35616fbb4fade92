#pragma once

#include <atomic>
#include <cstdint>

#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

/// A mutex that a forked child can always take. Only the thread that forks lives on in a child: a
/// std::mutex that another thread held stays locked there for ever, this one is free.
///
/// What it guards must bear to be made again from any state that a fork may have caught. It is for
/// work of milliseconds at least: who waits looks now and then.
class ForkSafeMutex {
 public:
  void lock() {  // NOLINT(readability-identifier-naming): the standard's name
    const std::int64_t process = ProcessId();
    for (;;) {
      std::int64_t owner = kNobody;
      if (owner_.compare_exchange_strong(owner, process)) return;
      if (owner != process && owner_.compare_exchange_strong(owner, process)) return;
      SleepBriefly();
    }
  }
  void unlock() { owner_.store(kNobody); }  // NOLINT(readability-identifier-naming)

 private:
  static constexpr std::int64_t kNobody = -1;

  std::atomic<std::int64_t> owner_{kNobody};  // the process whose thread holds it
};

}  // namespace rankforest::detail
