#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/train/broof_iteration.hpp"

namespace rankforest {

// The weights of BROOF: of documents before the first iteration, of forests, and of documents in
// the next iteration.

/// All documents weigh the same.
struct UniformWeights {
  std::vector<double> operator()(const BroofIteration& start, const Rng& /*rng*/) const {
    return std::vector<double>(start.rows.rows.size(), 1.0);
  }
};

/// Weights are drawn, uniformly from (0, 1].
struct RandomWeights {
  std::vector<double> operator()(const BroofIteration& start, Rng rng) const {
    std::vector<double> weights(start.rows.rows.size());
    for (double& weight : weights) weight = 1.0 - rng.Uniform();
    return weights;
  }
};

/// beta = learning rate x epsilon / (1 - epsilon), of a mean error epsilon. It is below 1 and the
/// lower the better the forest. An epsilon of less than 1e-6 counts as that much.
inline double BetaOf(const BroofIteration& now) {
  constexpr double kLeastError = 1e-6;
  constexpr double kLeast = 1e-300;  // so that its logarithm can be taken
  const double error = std::max(now.error, kLeastError);
  return std::max(now.learning_rate * error / (1.0 - error), kLeast);
}

/// Forests count beta, the more the larger their errors: the paper's letter (algorithms 2 to 4).
struct BetaWeight {
  BroofLearner operator()(const BroofIteration& now) const {
    const double beta = BetaOf(now);
    return {beta, beta};
  }
};

/// Forests count ln(1 / beta), the more the smaller their errors, as in AdaBoost (Freund and
/// Schapire 1996).
struct LogInverseBetaWeight {
  BroofLearner operator()(const BroofIteration& now) const {
    constexpr double kLn2 = 0.6931471805599453;
    const double beta = BetaOf(now);
    return {beta, -kLn2 * Log2(beta)};
  }
};

/// All forests count the learning rate (algorithm 5).
struct ConstantWeight {
  BroofLearner operator()(const BroofIteration& now) const {
    return {now.learning_rate, now.learning_rate};
  }
};

}  // namespace rankforest
