#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A model whose features are those that its scores depend on, and nothing else.
struct NarrowModel {
  Ensemble ensemble;                ///< feature j is the features[j] of the wide one
  std::vector<FeatureId> features;  ///< ascending; at least one
};

namespace detail {

/// Calls change(feature) for each feature that a member names.
template <class Change>
void ForFeaturesOf(Member& member, const Change& change) {
  for (Linear::Term& term : member.linear.terms) change(term.feature);
  for (Group& group : member.groups) {
    for (Tree& tree : group.trees) {
      for (Tree::Node& node : tree.nodes) change(node.feature);
    }
  }
}

}  // namespace detail

/// Gives a model's features numbers without gaps, in memory by the trees that there are, whatever
/// number of features the model says that it has. A document has the same score from it, by the
/// values of these features, to the bit.
inline NarrowModel Narrowed(Ensemble ensemble) {
  std::vector<FeatureId> used;
  for (Member& member : ensemble.members) {
    detail::ForFeaturesOf(member, [&](FeatureId feature) { used.push_back(feature); });
  }
  if (used.empty()) used.push_back(0);  // a data set has a column
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (Member& member : ensemble.members) {
    detail::ForFeaturesOf(member, [&](FeatureId& feature) {
      const auto place = std::lower_bound(used.begin(), used.end(), feature);
      feature = static_cast<FeatureId>(place - used.begin());
    });
  }
  ensemble.n_features = static_cast<std::uint32_t>(used.size());
  return {std::move(ensemble), std::move(used)};
}

}  // namespace rankforest
