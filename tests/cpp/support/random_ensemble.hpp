#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"

namespace rankforest::testing {

/// Adds a random subtree of at most `depth` more splits in pre-order; returns it as a child.
/// Thresholds are small whole numbers, so that random features meet them exactly.
inline std::int32_t Grow(Tree& tree, std::uint32_t n_features, int depth, Rng& rng) {
  if (depth == 0 || rng.Below(4) == 0) {
    tree.leaves.push_back(static_cast<float>(rng.Uniform() * 4.0 - 2.0));
    return ~static_cast<std::int32_t>(tree.leaves.size() - 1);
  }
  const std::size_t id = tree.nodes.size();
  tree.nodes.emplace_back();
  tree.gains.push_back(static_cast<float>(rng.Uniform()));
  Tree::Node node;
  node.feature = rng.Below(n_features);
  node.threshold = static_cast<float>(rng.Below(9)) - 4.0F;
  node.left = Grow(tree, n_features, depth - 1, rng);
  node.right = Grow(tree, n_features, depth - 1, rng);
  const std::uint32_t side = rng.Below(3);
  node.missing = side == 0 ? node.left : node.right;
  if (side == 2) node.missing = Grow(tree, n_features, depth - 1, rng);
  tree.nodes[id] = node;
  return static_cast<std::int32_t>(id);
}

inline Tree RandomTree(std::uint32_t n_features, int depth, Rng& rng) {
  Tree tree;
  Grow(tree, n_features, depth, rng);
  return tree;
}

/// Up to 3 members of up to 3 groups of up to 4 rounds of up to 3 trees.
inline Ensemble RandomEnsemble(std::uint32_t n_features, Combine combine, Rng& rng) {
  Ensemble ensemble;
  ensemble.combine = combine;
  ensemble.n_features = n_features;
  ensemble.members.resize(1 + rng.Below(3));
  for (Member& member : ensemble.members) {
    member.base = rng.Uniform() - 0.5;
    member.groups.resize(1 + rng.Below(3));
    for (Group& group : member.groups) {
      group.weight = rng.Uniform() * 2.0 - 0.5;
      group.reduction = rng.Below(2) == 0 ? Reduction::kSum : Reduction::kMean;
      group.trees_per_round = 1 + rng.Below(3);
      const std::size_t n_trees = group.trees_per_round * (1 + rng.Below(4));
      for (std::size_t t = 0; t < n_trees; ++t) {
        group.trees.push_back(RandomTree(n_features, 4, rng));
      }
    }
  }
  return ensemble;
}

/// The same, combined by blends of blends, the last of which looks at queries.
inline Ensemble BlendedEnsemble(std::uint32_t n_features, Rng& rng) {
  Ensemble ensemble = RandomEnsemble(n_features, Combine::kSum, rng);
  std::vector<std::uint32_t> open;  // columns that no blend has taken yet
  for (const Member& member : ensemble.members) {
    open.push_back(static_cast<std::uint32_t>(&member - ensemble.members.data()));
  }
  std::uint32_t next = static_cast<std::uint32_t>(open.size());
  do {
    Blend blend{static_cast<Combine>(rng.Below(4)), {}};
    const std::size_t n_terms = 1 + rng.Below(static_cast<std::uint32_t>(open.size()));
    for (std::size_t t = 0; t < n_terms; ++t) {
      blend.terms.push_back({open.back(), 0.25 + rng.Uniform()});
      open.pop_back();
    }
    open.insert(open.begin(), next++);
    ensemble.blends.push_back(blend);
  } while (open.size() > 1);
  ensemble.blends.back().combine = static_cast<Combine>(1 + rng.Below(3));
  return ensemble;
}

/// Whole numbers from -5 to 5, NaN and infinities.
inline std::vector<float> RandomFeatures(std::size_t n_values, Rng& rng) {
  std::vector<float> values(n_values);
  for (float& value : values) {
    const std::uint32_t kind = rng.Below(14);
    value = static_cast<float>(kind) - 5.0F;
    if (kind == 11) value = std::numeric_limits<float>::quiet_NaN();
    if (kind == 12) value = std::numeric_limits<float>::infinity();
    if (kind == 13) value = -std::numeric_limits<float>::infinity();
  }
  return values;
}

}  // namespace rankforest::testing
