#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/detail/platform.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rankforest::detail {

/// How many numbers BelowOf16 looks at.
inline constexpr std::size_t kSearched = 16;

/// How many of 16 ascending numbers are below x; none if x is NaN.
inline std::size_t BelowOf16(const float* ascending, float x) {
#if defined(__SSE2__)
  const __m128 xs = _mm_set1_ps(x);
  const auto below = [&](std::size_t k) {
    return _mm_castps_si128(_mm_cmplt_ps(_mm_loadu_ps(ascending + 4 * k), xs));
  };
  // A bit for each of them; those that are below come first.
  const __m128i eights[2] = {_mm_packs_epi32(below(0), below(1)),
                             _mm_packs_epi32(below(2), below(3))};
  const int bits = _mm_movemask_epi8(_mm_packs_epi16(eights[0], eights[1]));
  return static_cast<std::size_t>(CountTrailingZeros(~static_cast<std::uint64_t>(bits)));
#else
  std::size_t below = 0;
  for (std::size_t k = 0; k < kSearched; ++k) below += ascending[k] < x ? 1 : 0;
  return below;
#endif
}

}  // namespace rankforest::detail
