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

/// Calls `see(column, value)` for every value of the columns from `begin` to `end` - 1 that is not
/// NaN: columns count from `begin`, and an infinity is the largest number of its sign.
template <class See>
void ForEachValue(const FeatureMatrix& matrix, std::size_t begin, std::size_t end, const See& see) {
  constexpr float kMost = std::numeric_limits<float>::max();
  for (std::size_t row = 0; row < matrix.n_rows; ++row) {
    const float* const values = matrix.Row(row);
    for (std::size_t f = begin; f < end; ++f) {
      if (!std::isnan(values[f])) see(f - begin, std::clamp(values[f], -kMost, kMost));
    }
  }
}

/// The means of some columns; 0 where there is no value.
inline std::vector<double> MeansOf(const FeatureMatrix& matrix, std::size_t begin,
                                   std::size_t end) {
  std::vector<ExactSum> sums(end - begin);
  std::vector<std::size_t> counts(end - begin);
  ForEachValue(matrix, begin, end, [&](std::size_t column, float value) {
    sums[column].Add(value);
    ++counts[column];
  });
  std::vector<double> means(end - begin);
  for (std::size_t c = 0; c < means.size(); ++c) {
    if (counts[c] > 0) means[c] = sums[c].Rounded() / static_cast<double>(counts[c]);
  }
  return means;
}

/// The medians of some columns; 0 where there is no value.
inline std::vector<double> MediansOf(const FeatureMatrix& matrix, std::size_t begin,
                                     std::size_t end) {
  std::vector<std::vector<float>> columns(end - begin);
  ForEachValue(matrix, begin, end,
               [&](std::size_t column, float value) { columns[column].push_back(value); });
  std::vector<double> medians(end - begin);
  for (std::size_t c = 0; c < medians.size(); ++c) {
    if (!columns[c].empty()) medians[c] = MedianOf(columns[c]);
  }
  return medians;
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
  constexpr double kSecondsPerValue = 1e-8;
  constexpr std::size_t kColumns = 16;  // those of a cache line, which is read once
  std::vector<float> fill(matrix.n_features);
  threads = ForLoopOf(threads, matrix.n_rows * matrix.n_features, kSecondsPerValue);
  ParallelChunks(threads, fill.size(), kColumns, [&](std::size_t begin, std::size_t end) {
    const std::vector<double> middles = kind == FillKind::kMean
                                            ? detail::MeansOf(matrix, begin, end)
                                            : detail::MediansOf(matrix, begin, end);
    for (std::size_t f = begin; f < end; ++f) {
      fill[f] = static_cast<float>(middles[f - begin]) + 0.0F;  // no -0.0
    }
  });
  return fill;
}

}  // namespace rankforest
