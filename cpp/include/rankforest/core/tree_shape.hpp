#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/tree.hpp"

namespace rankforest {

namespace detail {

[[noreturn]] inline void Invalid(const char* part, std::size_t index, const std::string& problem) {
  throw std::invalid_argument(std::string(part) + ' ' + std::to_string(index) + ": " + problem);
}

/// Walks a tree in pre-order, with a stack of its own. Each child it meets must be the next node
/// or the next leaf; so none is out of range, shared or its own ancestor, and the walk ends.
/// Says what is wrong; PreOrderCheck, which guesses no branch, is twice as fast.
class ShapeWalk {
 public:
  /// `tree` has a leaf, and at most 2^31 - 1 nodes and leaves.
  explicit ShapeWalk(const Tree& tree)
      : tree_(tree),
        all_nodes_(static_cast<std::int32_t>(tree.nodes.size())),
        all_leaves_(static_cast<std::int32_t>(tree.leaves.size())) {}

  void Run() {
    Edge edge{0, all_nodes_ == 0 ? ~0 : 0};
    for (;;) {
      Meet(edge);
      if (edge.child >= 0) {
        const Tree::Node& node = tree_.nodes[static_cast<std::size_t>(edge.child)];
        if (node.missing != node.left && node.missing != node.right) {
          waiting_.push_back({edge.child, node.missing});
        }
        waiting_.push_back({edge.child, node.right});
        edge = {edge.child, node.left};
      } else if (!waiting_.empty()) {
        edge = waiting_.back();
        waiting_.pop_back();
      } else {
        break;
      }
    }
    if (nodes_ != all_nodes_) RefuseOrphan(nodes_);
    if (leaves_ != all_leaves_) RefuseOrphan(~leaves_);
  }

 private:
  struct Edge {
    std::int32_t parent;
    std::int32_t child;
  };

  void Meet(const Edge& edge) {
    if (edge.child >= 0) {
      if (edge.child != nodes_ || nodes_ == all_nodes_) Refuse(edge, nodes_);
      ++nodes_;
    } else {
      if (edge.child != ~leaves_ || leaves_ == all_leaves_) Refuse(edge, ~leaves_);
      ++leaves_;
    }
  }

  [[noreturn]] void Refuse(const Edge& edge, std::int32_t expected) const {
    Invalid("node", static_cast<std::size_t>(edge.parent),
            "a child is " + Name(edge.child) + ", expected " + Name(expected) + " of " +
                std::to_string(expected < 0 ? all_leaves_ : all_nodes_) +
                " (numbered in the order node, left, right, missing)");
  }
  [[noreturn]] static void RefuseOrphan(std::int32_t child) {
    throw std::invalid_argument(Name(child) + " is the child of no node");
  }
  static std::string Name(std::int32_t child) {
    return child < 0 ? "leaf " + std::to_string(~child) : "node " + std::to_string(child);
  }

  const Tree& tree_;
  const std::int32_t all_nodes_;
  const std::int32_t all_leaves_;
  std::int32_t nodes_ = 0;  // met so far
  std::int32_t leaves_ = 0;
  std::vector<Edge> waiting_;  // right and missing children; the next one is last
};

/// Whether the children make a tree in pre-order, found from the last node to the first: a node's
/// children must stand one behind the other, each with the nodes and leaves of its subtree.
class PreOrderCheck {
 public:
  explicit PreOrderCheck(const Tree& tree)
      : tree_(tree), n_(static_cast<std::uint32_t>(tree.nodes.size())), extents_(n_ + 1) {
    extents_[n_] = {0, 1, 0};  // stands for every leaf
  }

  bool Run() {
    if (n_ == 0) return tree_.leaves.size() == 1;
    for (std::uint32_t i = n_; i > 0; --i) extents_[i - 1] = ExtentOf(i - 1);
    return holds_ && extents_[0].nodes == n_ && extents_[0].leaves == tree_.leaves.size() &&
           extents_[0].first_leaf == 0;
  }

 private:
  /// What a subtree covers. Exact as long as holds_; after that it may wrap round.
  struct Extent {
    std::uint32_t nodes;
    std::uint32_t leaves;
    std::uint32_t first_leaf;
  };

  /// The extent of a child, whose first leaf is itself if it is a leaf.
  Extent Of(std::int32_t child) const {
    const auto index = static_cast<std::uint32_t>(child);  // of a leaf: 2^31 or more
    Extent extent = extents_[std::min(index, n_)];
    extent.first_leaf = child < 0 ? ~index : extent.first_leaf;
    return extent;
  }

  Extent ExtentOf(std::uint32_t i) {
    const Tree::Node& node = tree_.nodes[i];
    Extent extent{1, 0, Of(node.left).first_leaf};
    Append(i, node.left, extent);
    Append(i, node.right, extent);
    const bool has_third = (node.missing != node.left) & (node.missing != node.right);
    if (has_third) Append(i, node.missing, extent);
    return extent;
  }

  /// `child` must come behind what `extent`, that of node i, has so far.
  void Append(std::uint32_t i, std::int32_t child, Extent& extent) {
    const auto index = static_cast<std::uint32_t>(child);
    const Extent added = Of(child);
    const bool is_leaf = child < 0;
    const bool is_next_node = (index == i + extent.nodes) & (index < n_);
    const bool has_next_leaf = added.first_leaf == extent.first_leaf + extent.leaves;
    holds_ &= (is_leaf | is_next_node) & has_next_leaf;
    extent.nodes += added.nodes;
    extent.leaves += added.leaves;
  }

  const Tree& tree_;
  const std::uint32_t n_;
  std::vector<Extent> extents_;
  bool holds_ = true;
};

}  // namespace detail

/// Throws std::invalid_argument unless the children of `tree` make a tree whose nodes and leaves
/// are numbered in pre-order, as tree.hpp says. `tree` has a leaf and at most 2^31 - 1 nodes and
/// leaves. No recursion: depth is no limit.
inline void RequirePreOrder(const Tree& tree) {
  if (!detail::PreOrderCheck(tree).Run()) detail::ShapeWalk(tree).Run();
}

}  // namespace rankforest
