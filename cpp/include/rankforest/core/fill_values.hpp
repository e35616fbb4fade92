#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"

namespace rankforest {

/// What is put in place of the missing values of a feature, out of those that are there.
enum class FillKind : std::uint8_t { kMean, kMedian };

namespace detail {

/// The exact sum of up to 2^32 floats, in any order: integers in units of the last place, one for
/// each exponent.
class ExactSum {
 public:
  /// @param value  finite
  void Add(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    const std::uint32_t exponent = bits >> 23U & 0xFFU;
    const std::uint32_t implicit = exponent == 0 ? 0U : 1U << 23U;  // none in subnormal numbers
    const auto digits = static_cast<std::int64_t>((bits & 0x7FFFFFU) | implicit);
    sums_[exponent] += (bits >> 31U) == 0 ? digits : -digits;  // below 2^32 * 2^24
  }

  /// The sum, whose rounding depends on the values alone and not on their order.
  [[nodiscard]] double Rounded() const {
    double sum = 0.0;
    for (std::size_t e = sums_.size(); e-- > 0;) {  // subnormal numbers have the exponent of 1
      sum += std::ldexp(static_cast<double>(sums_[e]), std::max(static_cast<int>(e), 1) - 150);
    }
    return sum;
  }

 private:
  std::array<std::int64_t, 255> sums_ = {};
};

/// The middle one of some values, or the mean of the two in the middle. Changes their order.
///
/// @param values  at least one, finite
inline double MedianOf(std::vector<float>& values) {
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  const auto middle = values.begin() + half;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  const float below = *std::max_element(values.begin(), middle);
  return (static_cast<double>(below) + static_cast<double>(*middle)) / 2.0;
}

}  // namespace detail

/// The mean or the median of what each feature has, to stand for what it has not: ways 3 and 4 to
/// treat missing values in Mohan, "An empirical analysis on point-wise machine learning techniques
/// using regression trees for web-search ranking", 2010, section 2.2. All documents count the same.
///
/// An infinity counts as the largest number of its sign, as in training. The order of the documents
/// does not matter.
///
/// @param matrix  NaN where missing; at most 2^32 rows
/// @returns one finite number for each feature; 0 for one that no document has, which says nothing
inline std::vector<float> FillValues(const FeatureMatrix& matrix, FillKind kind,
                                     Threads threads = {}) {
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr double kSecondsPerValue = 2e-9;
  std::vector<float> fill(matrix.n_features);
  threads = ForLoopOf(threads, matrix.n_rows * matrix.n_features, kSecondsPerValue);
  ParallelFor(threads, matrix.n_features, [&](std::size_t feature) {
    std::vector<float> values;
    detail::ExactSum sum;
    std::size_t n = 0;
    for (std::size_t row = 0; row < matrix.n_rows; ++row) {
      const float value = matrix.Row(row)[feature];
      if (std::isnan(value)) continue;
      const float finite = std::clamp(value, -kMost, kMost);
      ++n;
      if (kind == FillKind::kMean) {
        sum.Add(finite);
      } else {
        values.push_back(finite);
      }
    }
    if (n == 0) return;
    const double middle =
        kind == FillKind::kMean ? sum.Rounded() / static_cast<double>(n) : detail::MedianOf(values);
    fill[feature] = static_cast<float>(middle) + 0.0F;  // no -0.0
  });
  return fill;
}

}  // namespace rankforest
