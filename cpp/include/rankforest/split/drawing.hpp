#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"

namespace rankforest {

/// Fills `drawn` with the features that a node looks at, ascending: of those that the rules admit,
/// by their weights. Without rules that rule features out and without weights it is DrawFeatures().
///
/// The features with the largest keys log2(u) / w are drawn, u uniform in (0, 1] for each: of those
/// left, the next one is any with a probability in proportion to its weight w (Efraimidis and
/// Spirakis, "Weighted random sampling with a reservoir", 2006).
inline void DrawFeatures(const SplitRules& rules, std::size_t count, std::size_t n_features,
                         const Rng& node_rng, std::vector<FeatureId>& drawn) {
  if (rules.admits_all() && rules.weights().empty()) {
    return DrawFeatures(count, n_features, node_rng, drawn);
  }
  Rng rng = node_rng.Child(Purpose::kFeatures, 0);
  std::vector<std::pair<double, FeatureId>> keys;  // negated: the smallest come first
  for (FeatureId f = 0; f < n_features; ++f) {
    const double u = 1.0 - rng.Uniform();
    const double weight = rules.weights().empty() ? 1.0 : rules.weights()[f];
    if (weight > 0.0 && rules.Admits(f)) keys.emplace_back(-Log2(u) / weight, f);
  }
  std::sort(keys.begin(), keys.end());
  keys.resize(std::min(keys.size(), count));
  drawn.clear();
  for (const auto& [key, feature] : keys) drawn.push_back(feature);
  std::sort(drawn.begin(), drawn.end());
}

}  // namespace rankforest
