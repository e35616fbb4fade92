#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/detail/shown.hpp"
#include "rankforest/train/broof_iteration.hpp"

namespace rankforest {

// Answers of extension points of BROOF, which may be anybody's functions, checked.

namespace detail {

/// What a part answered, if it is a number for each document, finite and not below `least`, or NaN
/// where that is allowed.
inline std::vector<double> Answered(const char* part, std::vector<double> values, std::size_t n,
                                    double least, bool may_be_nan) {
  if (values.size() != n) {
    throw std::invalid_argument(std::string(part) + " must give a number for each of the " +
                                std::to_string(n) + " documents, got " +
                                std::to_string(values.size()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double value = values[i];
    if (std::isnan(value) ? may_be_nan : std::isfinite(value) && value >= least) continue;
    throw std::invalid_argument(
        std::string(part) + " must give finite numbers" + (std::isfinite(least) ? " >= 0" : "") +
        (may_be_nan ? ", or NaN to leave a document out" : "") + "; number " + std::to_string(i) +
        " (counted from 0) is " + Shown(value));
  }
  return values;
}

/// Weights that a part answered, divided by their sum.
inline std::vector<double> AnsweredWeights(const char* part, std::vector<double> weights,
                                           std::size_t n) {
  weights = Answered(part, std::move(weights), n, 0.0, false);
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  if (!(sum > 0.0) || !std::isfinite(sum)) {
    throw std::invalid_argument(std::string(part) +
                                " must give weights with a finite sum above 0; the sum is " +
                                Shown(sum));
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// What a learner weight answered, if weights can be updated by it and added.
inline BroofLearner Usable(BroofLearner learner) {
  if (learner.beta > 0.0 && std::isfinite(learner.beta) && std::isfinite(learner.weight)) {
    return learner;
  }
  throw std::invalid_argument("learner_weight must give finite numbers, beta above 0; beta is " +
                              Shown(learner.beta) + ", the weight " + Shown(learner.weight));
}

}  // namespace detail

}  // namespace rankforest
