#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/tree.hpp"

namespace rankforest {

namespace detail {

[[noreturn]] inline void Invalid(const char* part, std::size_t index, const std::string& problem) {
  throw std::invalid_argument(std::string(part) + ' ' + std::to_string(index) + ": " + problem);
}

[[noreturn]] inline void NotFinite(const char* name, double value) {
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                              ", expected a finite number");
}

/// Walks a tree in pre-order, with a stack of its own. Each child it meets must be the next node
/// or the next leaf; so none is out of range, shared or its own ancestor, and the walk ends.
class ShapeCheck {
 public:
  /// `tree` has a leaf, and at most 2^31 - 1 nodes and leaves.
  explicit ShapeCheck(const Tree& tree)
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

inline void ValidateNode(const Tree& tree, std::size_t i, std::uint32_t n_features) {
  const Tree::Node& node = tree.nodes[i];
  if (node.feature >= n_features) {
    Invalid("node", i,
            "the feature is " + std::to_string(node.feature) + ", expected one of the model's " +
                std::to_string(n_features));
  }
  if (!std::isfinite(node.threshold)) {
    Invalid("node", i,
            "the threshold is " + std::to_string(node.threshold) + ", expected a finite number");
  }
  if (!tree.gains.empty() && !std::isfinite(tree.gains[i])) {
    Invalid("node", i,
            "the gain is " + std::to_string(tree.gains[i]) + ", expected a finite number");
  }
}

}  // namespace detail

/// Throws std::invalid_argument unless `tree` is as tree.hpp says, splits on features below
/// `n_features`, and `weight`, that of its group, times any leaf value is a finite float32: then
/// no score overflows, nor does that of a prefix, where a mean group has larger tree weights.
inline void ValidateTree(const Tree& tree, std::uint32_t n_features, double weight) {
  constexpr std::size_t kMaxSize = std::numeric_limits<std::int32_t>::max();
  constexpr double kMaxFloat = static_cast<double>(std::numeric_limits<float>::max());
  if (tree.leaves.empty()) throw std::invalid_argument("has no leaf");
  if (tree.nodes.size() > kMaxSize || tree.leaves.size() > kMaxSize) {
    throw std::invalid_argument("has more than 2^31 - 1 nodes or leaves");
  }
  if (!tree.gains.empty() && tree.gains.size() != tree.nodes.size()) {
    throw std::invalid_argument("has " + std::to_string(tree.gains.size()) + " gains, expected " +
                                std::to_string(tree.nodes.size()) + ", one per node, or none");
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) detail::ValidateNode(tree, i, n_features);
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const double contribution = weight * static_cast<double>(tree.leaves[i]);
    if (!(std::abs(contribution) <= kMaxFloat)) {
      detail::Invalid(
          "leaf", i,
          "weight x value is " + std::to_string(contribution) + ", expected a finite float32");
    }
  }
  detail::ShapeCheck(tree).Run();
}

}  // namespace rankforest
