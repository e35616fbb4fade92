#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::detail {

/// A tree as the compiled scorer sees it: every node has two children, and leaves hold what they
/// add to a score.
///
/// A node with a child of its own for NaN becomes two: "is it NaN?" is a node whose threshold is
/// infinite, so that NaN alone goes right, to that child, and whose left child is the split.
///
/// A child is numbered as in Tree. Nodes are in pre-order and leaves from left to right, so the
/// leaves below a node are consecutive, and a child that is a node has a larger number than its
/// parent.
struct TwoWayTree {
  struct Node {
    FeatureId feature;
    float threshold;  ///< x > threshold goes right
    bool nan_right;   ///< where NaN goes
    std::int32_t left = 0;
    std::int32_t right = 0;
  };

  /// The threshold of the nodes that ask for NaN.
  static constexpr float kOnlyNan = std::numeric_limits<float>::infinity();

  std::vector<Node> nodes;
  std::vector<float> leaves;  ///< never empty

  TwoWayTree(const Tree& tree, double tree_weight) {
    // Not recursive: a tree may be as deep as it has leaves.
    std::vector<Pending> pending{{tree.nodes.empty() ? ~0 : 0, kNone, false, false}};
    while (!pending.empty()) {
      const Pending next = pending.back();
      pending.pop_back();
      if (next.child < 0) {
        const float leaf = tree.leaves[static_cast<std::size_t>(~next.child)];
        Link(next, ~static_cast<std::int32_t>(leaves.size()));
        leaves.push_back(static_cast<float>(Group::Contribution(tree_weight, leaf)));
      } else {
        AddNode(tree, next, pending);
      }
    }
  }

  /// The number of nodes and leaves below and including each node.
  [[nodiscard]] std::vector<std::size_t> Sizes() const {
    std::vector<std::size_t> sizes(nodes.size());
    const auto size_of = [&](std::int32_t child) {
      return child < 0 ? 1 : sizes[static_cast<std::size_t>(child)];
    };
    for (std::size_t n = nodes.size(); n-- > 0;) {
      sizes[n] = 1 + size_of(nodes[n].left) + size_of(nodes[n].right);
    }
    return sizes;
  }

  /// The mean over leaves of the nodes on the way to each.
  [[nodiscard]] double MeanDepth() const {
    double depths = 0.0;  // of all leaves: the leaves below each node
    for (const std::size_t size : Sizes()) depths += static_cast<double>((size + 1) / 2);
    return depths / static_cast<double>(leaves.size());
  }

 private:
  static constexpr std::int32_t kNone = -1;

  /// A child of the tree whose place in this one is not yet known.
  struct Pending {
    std::int32_t child;
    std::int32_t parent;  // here; kNone for the root
    bool is_right;
    bool is_not_nan;  // the node's question about NaN has been asked
  };

  void AddNode(const Tree& tree, const Pending& next, std::vector<Pending>& pending) {
    const Tree::Node& node = tree.nodes[static_cast<std::size_t>(next.child)];
    const auto id = static_cast<std::int32_t>(nodes.size());
    Link(next, id);
    const bool has_own = node.missing != node.left && node.missing != node.right;
    if (has_own && !next.is_not_nan) {
      nodes.push_back({node.feature, kOnlyNan, true});
      pending.push_back({node.missing, id, true, false});
      pending.push_back({next.child, id, false, true});
    } else {
      nodes.push_back({node.feature, node.threshold, node.missing == node.right});
      pending.push_back({node.right, id, true, false});
      pending.push_back({node.left, id, false, false});
    }
  }

  void Link(const Pending& next, std::int32_t child) {
    if (next.parent == kNone) return;
    Node& parent = nodes[static_cast<std::size_t>(next.parent)];
    (next.is_right ? parent.right : parent.left) = child;
  }
};

}  // namespace rankforest::detail
