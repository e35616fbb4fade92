#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "rankforest/core/linear.hpp"
#include "rankforest/core/tree_shape.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// Throws std::invalid_argument, naming the term, unless a linear part is as linear.hpp says, with
/// features below `n_features`. Then no score overflows: the largest sum is below 1e87.
inline void ValidateLinear(const Linear& linear, std::uint32_t n_features) {
  if (linear.normalization > QueryNormalization::kZScore) {
    throw std::invalid_argument("the normalization is none of none, sum, minmax, zscore");
  }
  if (linear.terms.empty() && linear.normalization != QueryNormalization::kNone) {
    throw std::invalid_argument("has a normalization and no term to normalize");
  }
  std::unordered_set<FeatureId> features;
  for (std::size_t i = 0; i < linear.terms.size(); ++i) {
    const auto& [feature, weight] = linear.terms[i];
    if (feature >= n_features) {
      detail::Invalid("term", i,
                      "the feature is " + std::to_string(feature) +
                          ", expected one of the model's " + std::to_string(n_features));
    }
    if (!features.insert(feature).second) {
      detail::Invalid("term", i,
                      "the feature " + std::to_string(feature) +
                          " has a term already, expected different ones");
    }
    if (!std::isfinite(weight)) {
      detail::Invalid("term", i,
                      "the weight is " + detail::Shown(static_cast<double>(weight)) +
                          ", expected a finite number");
    }
  }
}

}  // namespace rankforest
