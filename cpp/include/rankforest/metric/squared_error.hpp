#pragma once

#include <cmath>
#include <cstddef>

#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// RMSE = sqrt(mean of (score - grade)^2), weighted. The figure over several queries is that of
/// all their documents together, not a mean of the queries' values.
class SquaredError {
 public:
  void Check(double /*grade*/) const {}

  /// NaN if the weights add up to 0.
  [[nodiscard]] double Value(Span<const double> scores, Span<const double> grades,
                             Span<const double> weights) const {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double error = scores[i] - grades[i];
      const double weight = weights.empty() ? 1.0 : weights[i];
      sum += weight * (error * error);
      total += weight;
    }
    return std::sqrt(sum / total);
  }
};

}  // namespace rankforest::detail
