#pragma once

// The one place for tests of the platform.

#ifdef __FAST_MATH__
#error "rankforest promises the same bits everywhere: build it without -ffast-math"
#endif

#if !defined(__cpp_exceptions) && !defined(__EXCEPTIONS) && !defined(_CPPUNWIND)
#error "rankforest's headers report errors by exceptions: without them, use its C library"
#endif

#include <cstddef>
#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace rankforest::detail {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kLittleEndian = false;
#else
inline constexpr bool kLittleEndian = true;
#endif

/// The number of zero bits below the lowest one of `word`, which must not be 0.
inline int CountTrailingZeros(std::uint64_t word) {
#if defined(__GNUC__)
  return __builtin_ctzll(word);
#else
  int count = 0;
  for (; (word & 1U) == 0; word >>= 1U) ++count;
  return count;
#endif
}

#if defined(__GNUC__) && defined(__x86_64__)
/// Whether the processor has AVX2, vectors of 256 bits.
inline bool HasAvx2() { return __builtin_cpu_supports("avx2") != 0; }

/// Calls `function`, compiled for AVX2 where it is inlined here. Not for fused multiplication and
/// addition, which would change bits. HasAvx2() must hold.
template <class Function>
[[gnu::target("avx2")]] auto CallForAvx2(const Function& function) {
  return function();
}

/// Whether the processor has the parts of AVX-512 that CallForAvx512 compiles for, and the system
/// keeps its registers of 512 bits.
inline bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}

/// Calls `function`, compiled for AVX-512 where it is inlined here. Only for functions that do not
/// multiply: AVX-512 brings fused multiplication and addition along. HasAvx512() must hold.
template <class Function>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] auto CallForAvx512(const Function& function) {
  return function();
}
#else
inline bool HasAvx2() { return false; }
inline bool HasAvx512() { return false; }

template <class Function>
auto CallForAvx2(const Function& function) {
  return function();
}

template <class Function>
auto CallForAvx512(const Function& function) {
  return function();
}
#endif

/// Calls a loop, whose operator() must be inlined always, with the widest vectors that the
/// processor has.
template <class Loop>
auto CallWide(const Loop& loop) {
  return HasAvx2() ? CallForAvx2(loop) : loop();
}

/// Tells the processor that this thread looks for a change of memory again and again.
inline void PauseSpinning() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

#if defined(__unix__) || defined(__APPLE__)
inline std::int64_t ProcessId() { return getpid(); }

/// Gives the core to others for 200 microseconds.
inline void SleepBriefly() { usleep(200); }

/// The process that loaded this code.
inline const pid_t kLoadedBy = getpid();

/// Whether this process was forked from the one that loaded this code. Threads do not survive a
/// fork.
inline bool IsForkedChild() { return getpid() != kLoadedBy; }
#else
inline std::int64_t ProcessId() { return 0; }  // nothing forks
inline void SleepBriefly() { PauseSpinning(); }
inline bool IsForkedChild() { return false; }
#endif

/// Asks for the cache line of an address that is read soon.
inline void Prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

#if defined(MADV_HUGEPAGE)
/// Asks for large pages for memory that is about to be filled: fewer page faults, and fewer
/// misses when it is used. Only a wish; nothing else changes.
inline void PreferLargePages(void* data, std::size_t n_bytes) {
  constexpr std::uintptr_t kPage = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t to_page = (kPage - address % kPage) % kPage;
  if (n_bytes <= to_page) return;
  madvise(static_cast<char*>(data) + to_page, n_bytes - to_page, MADV_HUGEPAGE);
}
#else
inline void PreferLargePages(void* /*data*/, std::size_t /*n_bytes*/) {}
#endif

}  // namespace rankforest::detail
