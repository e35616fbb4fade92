#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

/// What the values that a feature has in a query are replaced by, before they are weighed. With x
/// a value, and sums, extremes, mean and standard deviation over the documents of the query that
/// have one:
///
///   kSum     x / sum of |x|; 0 where that is 0
///   kMinMax  (x - smallest) / (largest - smallest); 0 where all are equal
///   kZScore  (x - mean) / standard deviation; 0 where all are equal
///
/// An infinity counts as the largest float32 of its sign. NaN stays NaN. Everything in float64,
/// sums by ascending value, so that the order of the documents plays no part; the result is rounded
/// to float32.
///
/// Qin, Liu, Xu and Li, "LETOR: a benchmark collection for research on learning to rank for
/// information retrieval", Information Retrieval 13, 2010, section 4.2 (min-max).
enum class QueryNormalization : std::uint8_t { kNone = 0, kSum = 1, kMinMax = 2, kZScore = 3 };

namespace detail {

/// NaN stays; infinities become the largest numbers.
inline float FiniteValue(float x) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  return x > kLargest ? kLargest : x < -kLargest ? -kLargest : x;
}

/// x -> (x - shift) / divisor, in float64; 0 where there is nothing to divide by.
struct QueryScale {
  double shift = 0.0;
  double divisor = 0.0;

  [[nodiscard]] float operator()(float x) const {
    if (x != x) return x;
    if (!(divisor > 0.0)) return 0.0F;
    return static_cast<float>((static_cast<double>(x) - shift) / divisor);
  }
};

/// @param ascending  finite, at least one
inline QueryScale StandardScale(Span<const float> ascending) {
  const auto n = static_cast<double>(ascending.size());
  double mean = 0.0;
  for (const float x : ascending) mean += static_cast<double>(x);
  mean /= n;
  double square = 0.0;
  for (const float x : ascending) {
    // Rounded before it is added, also by compilers that are free to fuse the two.
    const volatile double rounded =
        (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    square += rounded;
  }
  return {mean, std::sqrt(square / n)};
}

/// @param ascending  finite, at least one
inline QueryScale ScaleOf(QueryNormalization kind, Span<const float> ascending) {
  const float low = ascending[0];
  const float high = ascending[ascending.size() - 1];
  if (kind == QueryNormalization::kSum) {
    double total = 0.0;
    for (const float x : ascending) total += std::abs(static_cast<double>(x));
    return {0.0, total};
  }
  if (low == high) return {};
  if (kind == QueryNormalization::kZScore) return StandardScale(ascending);
  return {static_cast<double>(low), static_cast<double>(high) - static_cast<double>(low)};
}

}  // namespace detail

/// Normalises the values that one feature has in one query, in place.
///
/// @param memory  to work in
inline void NormalizeInQuery(QueryNormalization kind, Span<float> values,
                             std::vector<float>& memory) {
  if (kind == QueryNormalization::kNone) return;
  memory.clear();
  for (float& x : values) {
    x = detail::FiniteValue(x);
    if (x == x) memory.push_back(x);
  }
  if (memory.empty()) return;
  std::sort(memory.begin(), memory.end());
  const detail::QueryScale scale = detail::ScaleOf(kind, memory);
  for (float& x : values) x = scale(x);
}

}  // namespace rankforest
