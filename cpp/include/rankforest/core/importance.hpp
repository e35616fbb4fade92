#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/ensemble.hpp"

namespace rankforest {

/// What a split counts for the importance of its feature: its gain times |weight of its tree|,
/// so that a forest's is a mean over trees and a chain's parts stand in proportion; or 1.
enum class Importance : std::uint8_t { kGain, kSplit };

/// The importance of every feature: the sum over the splits on it, of all trees of all members.
///
/// Throws std::invalid_argument where kGain is asked of a model that holds no gains, and for one
/// with a linear part: its weights are no gains, and depend on the features' scales.
inline std::vector<double> Importances(const Ensemble& ensemble, Importance kind) {
  if (ensemble.has_linear()) {
    throw std::invalid_argument(
        "the model has a linear part, whose features have weights in place of gains and splits");
  }
  std::vector<double> total(ensemble.n_features, 0.0);
  const auto add_tree = [&](const Tree& tree, double weight) {
    if (kind == Importance::kGain && tree.gains.size() != tree.nodes.size()) {
      throw std::invalid_argument("the model holds no gains: ask for split counts");
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      total[tree.nodes[i].feature] +=
          kind == Importance::kGain ? weight * static_cast<double>(tree.gains[i]) : 1.0;
    }
  };
  for (const Member& member : ensemble.members) {
    for (const Group& group : member.groups) {
      for (const Tree& tree : group.trees) add_tree(tree, std::abs(group.TreeWeight()));
    }
  }
  return total;
}

}  // namespace rankforest
