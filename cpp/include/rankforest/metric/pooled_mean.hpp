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

/// sum of weight x value / sum of weight over the values that are numbers; NaN if there is no
/// weight. For RMSE the root of the same of the squares. Values are added in ascending order, so
/// that no order of queries changes a bit.
inline double PooledMean(MetricKind kind, Span<const double> values, Span<const double> weights) {
  const bool squares = kind == MetricKind::kRmse;
  std::vector<std::pair<double, double>> counted;
  counted.reserve(values.size());
  for (std::size_t q = 0; q < values.size(); ++q) {
    if (!std::isnan(values[q])) counted.emplace_back(values[q], weights[q]);
  }
  std::sort(counted.begin(), counted.end());
  double sum = 0.0;
  double total = 0.0;
  for (const auto& [value, weight] : counted) {
    sum += weight * (squares ? value * value : value);
    total += weight;
  }
  if (total == 0.0) return std::numeric_limits<double>::quiet_NaN();
  const double mean = sum / total;
  return squares ? std::sqrt(mean) : mean;
}

}  // namespace rankforest::detail
