#pragma once

// Whether the compiler has OpenMP, and what the library uses of it.

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace rankforest::detail {

#ifdef _OPENMP
inline constexpr bool kHasOpenMp = true;

/// Whether the calling thread is at work in a parallel region, which may be the program's own.
inline bool IsInParallelRegion() { return omp_in_parallel() != 0; }

/// Runs `work(worker)` on at most `count` threads of OpenMP, the caller's among them as worker 0,
/// and returns when all are done. `work` must not throw.
template <class Work>
void RunParallelRegion(std::size_t count, const Work& work) {
#pragma omp parallel num_threads(static_cast<int>(count))
  work(static_cast<std::size_t>(omp_get_thread_num()));
}
#else
inline constexpr bool kHasOpenMp = false;

inline bool IsInParallelRegion() { return false; }

template <class Work>
void RunParallelRegion(std::size_t /*count*/, const Work& work) {
  work(std::size_t{0});
}
#endif

/// Whether this process was forked from another whose program it goes on with, as far as the system
/// tells (Linux does): libraries may wait for threads that stayed behind.
inline bool WasForked() {
  constexpr unsigned long kForkedWithoutExec = 0x40;  // PF_FORKNOEXEC
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));  // after the program's name
  std::string other;
  for (int i = 0; i < 6; ++i) fields >> other;
  unsigned long flags = 0;
  fields >> flags;
  return (flags & kForkedWithoutExec) != 0;
}

}  // namespace rankforest::detail
