#pragma once

// The one place for tests of the platform.

#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace rankforest::detail {

#ifdef _OPENMP
inline constexpr bool kHasOpenMp = true;
#else
inline constexpr bool kHasOpenMp = false;
#endif

#if defined(__unix__) || defined(__APPLE__)
/// The process that loaded this code.
inline const pid_t kLoadedBy = getpid();

/// Whether this process was forked from the one that loaded this code. OpenMP's threads do not
/// survive a fork, and waiting for them would hang.
inline bool IsForkedChild() { return getpid() != kLoadedBy; }
#else
inline bool IsForkedChild() { return false; }
#endif

}  // namespace rankforest::detail
