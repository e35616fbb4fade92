#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "rankforest/core/math.hpp"
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

/// The order in which nodes are split; it matters where the number of leaves is limited.
enum class GrowPolicy : std::uint8_t {
  kBestFirst = 0,  ///< the largest gain first; of equal ones the smaller path from the root
  kDepthWise = 1,  ///< level by level, left to right
};

/// What a leaf predicts whose documents all have weight 0.
enum class WeightlessLeaf : std::uint8_t {
  kZero = 0,    ///< no step: boosting goes on from the scores that are there
  kParent = 1,  ///< what its nearest ancestor with a weight would: a forest's trees vote alone
};

/// How large a tree may grow.
struct TreeLimits {
  std::optional<std::uint32_t> max_depth;       ///< edges from root to leaf, >= 1
  std::optional<std::uint32_t> max_leaf_nodes;  ///< >= 2; a third child is a leaf like others
  LeafSize min_samples_leaf;
  double min_gain = 0.0;  ///< a split's gain must be larger; >= 0
  MissingRule missing = MissingRule::kLearn;
  GrowPolicy grow_policy = GrowPolicy::kBestFirst;
  WeightlessLeaf weightless_leaf = WeightlessLeaf::kZero;
};

}  // namespace rankforest
