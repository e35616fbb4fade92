#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// The value of an empty query; NaN: it is left out.
inline double EmptyValue(Empty empty) {
  switch (empty) {
    case Empty::kZero:
      return 0.0;
    case Empty::kHalf:
      return 0.5;
    case Empty::kOne:
      return 1.0;
    case Empty::kSkip:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// How much a query of `size` documents counts: the mean weight of its documents, 1 without
/// weights. RMSE is a figure of documents, so there it is the sum.
inline double QueryWeight(MetricKind kind, Span<const double> weights, std::size_t size) {
  const auto documents = static_cast<double>(size);
  double mean = 1.0;
  if (!weights.empty()) {
    // Ascending, and exact where all are equal: no order of documents changes a bit.
    std::vector<double> sorted(weights.begin(), weights.end());
    std::sort(sorted.begin(), sorted.end());
    double sum = 0.0;
    for (const double weight : sorted) sum += weight;
    mean = sorted.front() == sorted.back() ? sorted.front() : sum / documents;
  }
  return kind == MetricKind::kRmse ? mean * documents : mean;
}

/// The mean of values with their weights, NaN if these add up to 0. Sorts them first and adds in
/// ascending order: the order in which they come changes no bit.
inline double WeightedMean(std::vector<std::pair<double, double>>& weighted_values) {
  std::sort(weighted_values.begin(), weighted_values.end());
  double sum = 0.0;
  double total = 0.0;
  for (const auto& [value, weight] : weighted_values) {
    sum += weight * value;
    total += weight;
  }
  return total == 0.0 ? std::numeric_limits<double>::quiet_NaN() : sum / total;
}

/// The mean over queries; NaN is left out. For RMSE the root of the mean square.
inline double PooledMean(MetricKind kind, Span<const double> values, Span<const double> weights) {
  const bool squares = kind == MetricKind::kRmse;
  std::vector<std::pair<double, double>> counted;
  counted.reserve(values.size());
  for (std::size_t q = 0; q < values.size(); ++q) {
    if (std::isnan(values[q])) continue;
    counted.emplace_back(squares ? values[q] * values[q] : values[q], weights[q]);
  }
  const double mean = WeightedMean(counted);
  return squares ? std::sqrt(mean) : mean;
}

}  // namespace rankforest::detail
