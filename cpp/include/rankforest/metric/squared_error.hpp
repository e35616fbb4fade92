#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/pooled_mean.hpp"

namespace rankforest::detail {

/// RMSE = sqrt(mean of (score - grade)^2), weighted. The figure over several queries is that of
/// all their documents together, not a mean of the queries' values.
class SquaredError {
 public:
  void Check(double /*grade*/) const {}

  /// NaN if the weights add up to 0. Errors are added in ascending order, so that no order of
  /// documents changes a bit.
  [[nodiscard]] double Value(Span<const double> scores, Span<const double> grades,
                             Span<const double> weights) const {
    std::vector<std::pair<double, double>> errors;  // squared, and its weight
    errors.reserve(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double error = scores[i] - grades[i];
      errors.emplace_back(error * error, weights.empty() ? 1.0 : weights[i]);
    }
    return std::sqrt(WeightedMean(errors));
  }
};

}  // namespace rankforest::detail
