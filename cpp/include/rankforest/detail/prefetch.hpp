#pragma once

namespace rankforest::detail {

/// Asks for the cache line of an address that is read soon.
inline void Prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace rankforest::detail
