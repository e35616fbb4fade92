#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/types.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// What a model may make of its features. Nothing of it is said by default.
struct FeatureConstraints {
  /// Of each feature: 1, scores must not fall as it rises; -1, they must not rise; 0, either.
  /// Empty: 0 for all.
  std::vector<std::int8_t> directions{};
  /// Sets of features that may stand on one path of a tree; every feature is in one at least.
  /// Empty: all may.
  std::vector<std::vector<FeatureId>> interactions{};
  /// How likely each feature is to be drawn, beside others; 0: never. Empty: all alike.
  std::vector<double> weights{};
  /// The most different features that the trees of a model may ask for, >= 1.
  std::optional<std::uint32_t> most_features{};
};

namespace detail {

/// Throws unless there is a value for each feature.
inline void RequireForEach(const char* what, std::size_t n, std::size_t n_features) {
  if (n == 0 || n == n_features) return;
  throw std::invalid_argument(std::string(what) + " must be of each of the " +
                              std::to_string(n_features) + " features; there are " +
                              std::to_string(n));
}

}  // namespace detail

/// Throws std::invalid_argument unless the constraints can be of data with so many features.
inline void Check(const FeatureConstraints& constraints, std::size_t n_features) {
  detail::RequireForEach("monotonic_cst", constraints.directions.size(), n_features);
  for (const std::int8_t direction : constraints.directions) {
    if (direction >= -1 && direction <= 1) continue;
    throw std::invalid_argument("monotonic_cst must be -1, 0 or 1, got " +
                                std::to_string(static_cast<int>(direction)));
  }
  std::vector<bool> is_named(n_features, constraints.interactions.empty());
  for (const std::vector<FeatureId>& features : constraints.interactions) {
    for (const FeatureId feature : features) {
      if (feature >= n_features) {
        throw std::invalid_argument("interaction_cst names the feature " + std::to_string(feature) +
                                    " of " + std::to_string(n_features));
      }
      is_named[feature] = true;
    }
  }
  for (std::size_t f = 0; f < n_features; ++f) {
    if (is_named[f]) continue;
    throw std::invalid_argument("interaction_cst leaves out the feature " + std::to_string(f));
  }
  detail::RequireForEach("feature_weights", constraints.weights.size(), n_features);
  bool has_weight = constraints.weights.empty();
  for (const double weight : constraints.weights) {
    if (!(weight >= 0.0 && weight <= std::numeric_limits<double>::max())) {
      throw std::invalid_argument("feature_weights must be finite and >= 0, got " +
                                  detail::Shown(weight));
    }
    has_weight = has_weight || weight > 0.0;
  }
  if (!has_weight) throw std::invalid_argument("feature_weights must not all be 0");
  if (constraints.most_features == 0U) {
    throw std::invalid_argument("max_features_used must be >= 1, got 0");
  }
}

}  // namespace rankforest
