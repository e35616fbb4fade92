#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest {

/// A regression tree over float32 features.
///
/// A *child* is a signed number: c >= 0 is inner node c, c < 0 is leaf ~c. Inner nodes and
/// leaves are each numbered in pre-order (node, left, right, missing), so that equal trees are
/// equal arrays, and a child that is an inner node has a larger number than its parent.
struct Tree {
  struct Node {
    FeatureId feature = 0;
    float threshold = 0.0F;    ///< finite, or infinity: every number is left of it
    std::int32_t left = 0;     ///< taken when x <= threshold
    std::int32_t right = 0;    ///< taken when x > threshold
    std::int32_t missing = 0;  ///< taken when x is NaN: `left`, `right` or a child of its own

    [[nodiscard]] std::int32_t Next(float x) const {
      if (x <= threshold) return left;
      return x > threshold ? right : missing;
    }
  };

  std::vector<Node> nodes;    ///< inner nodes; the root is node 0, or leaf 0 if there are none
  std::vector<float> leaves;  ///< values, finite; never empty
  std::vector<float> gains;   ///< of each inner node, as its criterion measures it; or empty
  /// Documents of each leaf as training counted them, those drawn twice twice; or empty. No score
  /// depends on them, nor does equality: explanations do (explain/).
  std::vector<std::uint32_t> counts{};

  /// The leaf that a document falls into. `features` holds one value per column.
  [[nodiscard]] std::size_t LeafOf(const float* features) const {
    std::int32_t child = nodes.empty() ? ~0 : 0;
    while (child >= 0) {
      const Node& node = nodes[static_cast<std::size_t>(child)];
      child = node.Next(features[node.feature]);
    }
    return static_cast<std::size_t>(~child);
  }

  [[nodiscard]] float Value(const float* features) const { return leaves[LeafOf(features)]; }
};

inline bool operator==(const Tree::Node& a, const Tree::Node& b) {
  return a.feature == b.feature && a.threshold == b.threshold && a.left == b.left &&
         a.right == b.right && a.missing == b.missing;
}

inline bool operator==(const Tree& a, const Tree& b) {
  return a.nodes == b.nodes && a.leaves == b.leaves && a.gains == b.gains;
}

}  // namespace rankforest
