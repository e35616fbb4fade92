#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "rankforest/core/math.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/missing.hpp"

namespace rankforest {

/// The fewest documents of a leaf: a count, or a fraction of the documents that the tree drew.
struct LeafSize {
  double amount = 1.0;  ///< a count >= 1, or a fraction in (0, 1)
  bool is_fraction = false;

  [[nodiscard]] std::uint64_t Count(std::uint64_t n_drawn) const {
    const double count = is_fraction ? std::ceil(amount * static_cast<double>(n_drawn)) : amount;
    return std::max<std::uint64_t>(1, detail::Truncated<std::uint64_t>(count));
  }
};

/// The order in which nodes are split, which matters where the number of leaves is limited; or
/// that all nodes of a level are split alike.
enum class GrowPolicy : std::uint8_t {
  kBestFirst = 0,  ///< what is worth most first; of equal ones the smaller path from the root
  kDepthWise = 1,  ///< level by level, left to right
  kOblivious = 2,  ///< one feature, threshold and side of NaN for all nodes of a level
};

/// What a leaf predicts whose documents all have weight 0.
enum class WeightlessLeaf : std::uint8_t {
  kZero = 0,    ///< no step: boosting goes on from the scores that are there
  kParent = 1,  ///< what its nearest ancestor with a weight would: a forest's trees vote alone
};

/// How large a tree may grow.
struct TreeLimits {
  std::optional<std::uint32_t> max_depth;  ///< edges from root to leaf, >= 1
  /// >= 2; a third child is a leaf like others. Of oblivious trees: a power of two.
  std::optional<std::uint32_t> max_leaf_nodes;
  LeafSize min_samples_leaf;
  double min_gain = 0.0;  ///< a split must be worth more; >= 0
  MissingRule missing = MissingRule::kLearn;
  GrowPolicy grow_policy = GrowPolicy::kBestFirst;
  WeightlessLeaf weightless_leaf = WeightlessLeaf::kZero;
  CostSettings costs;
};

/// The most levels that any oblivious tree may have: 65,536 leaves.
inline constexpr std::uint32_t kMostLevels = 16;

/// The most levels of questions that oblivious trees with these limits have: 6 where there are
/// none.
inline std::uint32_t MostLevels(const TreeLimits& limits) {
  constexpr std::uint32_t kUsual = 6;
  if (!limits.max_depth.has_value() && !limits.max_leaf_nodes.has_value()) return kUsual;
  std::uint32_t levels = std::min(limits.max_depth.value_or(kMostLevels), kMostLevels);
  while (levels > 0 && (limits.max_leaf_nodes.value_or(1U << kMostLevels) >> levels) == 0) --levels;
  return levels;
}

}  // namespace rankforest
