#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest::testing {

/// The probability that documents rank in the order `ranked` by their scores plus noise x a
/// logistic variable, by the trapezoidal rule.
///
/// Of X_1 > X_2 > ... > X_n it is the integral of f_1(x) F(x), where F(x) is the probability of
/// x > X_2 > ... > X_n: the integral of f_2(t) F'(t) up to x, and so on.
inline double RankingProbability(const std::vector<RowId>& ranked,
                                 const std::vector<double>& scores, double noise) {
  constexpr std::size_t kSteps = 20000;
  const double width = 100.0 * noise / kSteps;
  std::vector<double> below(kSteps + 1, 1.0);
  for (std::size_t i = ranked.size(); i-- > 0;) {
    std::vector<double> cumulated(kSteps + 1, 0.0);
    double before = 0.0;
    for (std::size_t k = 0; k <= kSteps; ++k) {
      const double x = -50.0 * noise + static_cast<double>(k) * width;
      const double e = std::exp(-std::abs(x - scores[ranked[i]]) / noise);
      const double value = e / (noise * (1.0 + e) * (1.0 + e)) * below[k];
      if (k > 0) cumulated[k] = cumulated[k - 1] + 0.5 * (before + value) * width;
      before = value;
    }
    below = cumulated;
  }
  return below.back();
}

}  // namespace rankforest::testing
