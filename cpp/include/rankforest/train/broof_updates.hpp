#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/train/broof_iteration.hpp"

namespace rankforest {

// What the documents of BROOF weigh in the next iteration, before they are divided by their sum.

/// Documents weigh the same in all iterations.
struct KeptWeights {
  std::vector<double> operator()(const BroofIteration& last) const { return last.weights; }
};

/// w beta^(1 - e) for each document that some tree did not draw: those with small errors weigh less
/// in the next iteration. The others keep their weights.
struct OutOfBagUpdate {
  std::vector<double> operator()(const BroofIteration& last) const {
    return Updated(last, [&](std::size_t i) {
      return std::isnan(last.out_of_bag[i]) || std::isnan(last.errors[i]) ? 0.0
                                                                          : 1.0 - last.errors[i];
    });
  }

  /// w beta^x, times a power of two where some would be very large: weights are divided by their
  /// sum.
  ///
  /// @param exponent  (i) -> x
  template <class Exponent>
  static std::vector<double> Updated(const BroofIteration& last, const Exponent& exponent) {
    const double log_beta = Log2(last.beta);
    std::vector<double> weights(last.weights.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = exponent(i) * log_beta;
      largest = std::max(largest, weights[i]);
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = last.weights[i] * Exp2(weights[i] - largest);
    }
    return weights;
  }
};

/// The same for all documents. One without an error counts as having the mean error.
struct WholeUpdate {
  std::vector<double> operator()(const BroofIteration& last) const {
    return OutOfBagUpdate::Updated(last, [&](std::size_t i) {
      return 1.0 - (std::isnan(last.errors[i]) ? last.error : last.errors[i]);
    });
  }
};

}  // namespace rankforest
