#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest::testing {

/// What the trees of a test look like.
struct TreeStyle {
  std::uint32_t n_features = 4;
  std::uint32_t n_thresholds = 9;  ///< distinct ones of each feature
  bool own_missing = true;         ///< whether nodes may have a child of their own for NaN
  bool degenerate = false;         ///< whether every node has a leaf
};

/// The k-th threshold that a style draws from: small and large numbers of both signs, 0, denormal
/// numbers and infinity.
inline float ThresholdOf(std::uint32_t k) {
  constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
  if (k == 0) return 0.0F;
  if (k == 1) return -kDenormal;
  if (k == 2) return kDenormal;
  if (k == 3) return std::numeric_limits<float>::max();
  if (k == 4) return std::numeric_limits<float>::lowest();
  if (k == 5) return std::numeric_limits<float>::infinity();
  const auto size = static_cast<float>(k) / 8.0F;
  return k % 2 == 0 ? size : -size;
}

/// Adds a random subtree of `n_leaves` in pre-order; returns it as a child. As many leaves more
/// as it has nodes with a child of their own for NaN.
inline std::int32_t GrowStyled(Tree& tree, std::uint32_t n_leaves, const TreeStyle& style,
                               Rng& rng) {
  if (n_leaves == 1) {
    tree.leaves.push_back(static_cast<float>(rng.Uniform() * 4.0 - 2.0));
    return ~static_cast<std::int32_t>(tree.leaves.size() - 1);
  }
  const std::size_t id = tree.nodes.size();
  tree.nodes.emplace_back();
  Tree::Node node;
  node.feature = rng.Below(style.n_features);
  node.threshold = ThresholdOf(rng.Below(style.n_thresholds));
  const std::uint32_t left =
      style.degenerate ? (rng.Below(2) == 0 ? 1 : n_leaves - 1) : 1 + rng.Below(n_leaves - 1);
  node.left = GrowStyled(tree, left, style, rng);
  node.right = GrowStyled(tree, n_leaves - left, style, rng);
  const std::uint32_t side = rng.Below(style.own_missing ? 3 : 2);
  node.missing = side == 0 ? node.left : node.right;
  if (side == 2) node.missing = GrowStyled(tree, 1, style, rng);
  tree.nodes[id] = node;
  return static_cast<std::int32_t>(id);
}

inline Tree StyledTree(std::uint32_t n_leaves, const TreeStyle& style, Rng& rng) {
  Tree tree;
  GrowStyled(tree, n_leaves, style, rng);
  return tree;
}

/// The nodes of a level of an oblivious tree, but for their children.
struct Level {
  FeatureId feature;
  float threshold;
  bool nan_right;
};

/// Adds the levels from `level` on, as a subtree in pre-order; returns it as a child.
inline std::int32_t GrowOblivious(Tree& tree, const std::vector<Level>& levels, std::size_t level,
                                  Rng& rng) {
  if (level == levels.size()) return GrowStyled(tree, 1, {}, rng);
  const std::size_t id = tree.nodes.size();
  tree.nodes.emplace_back();
  Tree::Node node;
  node.feature = levels[level].feature;
  node.threshold = levels[level].threshold;
  node.left = GrowOblivious(tree, levels, level + 1, rng);
  node.right = GrowOblivious(tree, levels, level + 1, rng);
  node.missing = levels[level].nan_right ? node.right : node.left;
  tree.nodes[id] = node;
  return static_cast<std::int32_t>(id);
}

/// A tree whose nodes are alike in each of `n_levels` levels.
inline Tree ObliviousTree(std::size_t n_levels, const TreeStyle& style, Rng& rng) {
  std::vector<Level> levels;
  for (std::size_t l = 0; l < n_levels; ++l) {
    levels.push_back({rng.Below(style.n_features), ThresholdOf(rng.Below(style.n_thresholds)),
                      rng.Below(2) == 0});
  }
  Tree tree;
  GrowOblivious(tree, levels, 0, rng);
  return tree;
}

/// One group of `n_trees` trees of up to `most_leaves` leaves.
inline Ensemble StyledEnsemble(std::size_t n_trees, std::uint32_t most_leaves,
                               const TreeStyle& style, Rng& rng) {
  Ensemble ensemble;
  ensemble.n_features = style.n_features;
  ensemble.members = {{0.25, {{0.1, Reduction::kSum, 1, {}}}}};
  for (std::size_t t = 0; t < n_trees; ++t) {
    const std::uint32_t n_leaves = 1 + rng.Below(most_leaves);
    ensemble.members[0].groups[0].trees.push_back(StyledTree(n_leaves, style, rng));
  }
  return ensemble;
}

/// Thresholds of the style, the numbers next to them, infinities, -0.0 and, in one of `nan_in`
/// values, NaN (none for 0).
inline std::vector<float> TrickyFeatures(std::size_t n_values, const TreeStyle& style,
                                         std::uint32_t nan_in, Rng& rng) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> values(n_values);
  for (float& value : values) {
    value = ThresholdOf(rng.Below(style.n_thresholds));
    const std::uint32_t kind = rng.Below(20);
    if (kind < 5) value = std::nextafter(value, kInf);
    if (kind >= 5 && kind < 10) value = std::nextafter(value, -kInf);
    if (kind == 10) value = kInf;
    if (kind == 11) value = -kInf;
    if (kind == 12) value = -0.0F;
    if (nan_in != 0 && rng.Below(nan_in) == 0) value = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

}  // namespace rankforest::testing
