#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "rankforest/core/tree.hpp"
#include "rankforest/core/tree_shape.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

namespace detail {

inline void ValidateNode(const Tree& tree, std::size_t i, std::uint32_t n_features) {
  const Tree::Node& node = tree.nodes[i];
  if (node.feature >= n_features) {
    Invalid("node", i,
            "the feature is " + std::to_string(node.feature) + ", expected one of the model's " +
                std::to_string(n_features));
  }
  if (!(node.threshold >= std::numeric_limits<float>::lowest())) {
    Invalid("node", i,
            "the threshold is " + Shown(static_cast<double>(node.threshold)) +
                ", expected a finite number or inf");
  }
  if (!tree.gains.empty() && !std::isfinite(tree.gains[i])) {
    Invalid(
        "node", i,
        "the gain is " + Shown(static_cast<double>(tree.gains[i])) + ", expected a finite number");
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
  if (!tree.counts.empty() && tree.counts.size() != tree.leaves.size()) {
    throw std::invalid_argument("has " + std::to_string(tree.counts.size()) +
                                " counts of documents, expected " +
                                std::to_string(tree.leaves.size()) + ", one per leaf, or none");
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) detail::ValidateNode(tree, i, n_features);
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const double contribution = weight * static_cast<double>(tree.leaves[i]);
    if (!(std::abs(contribution) <= kMaxFloat)) {
      detail::Invalid(
          "leaf", i,
          "weight x value is " + detail::Shown(contribution) + ", expected a finite float32");
    }
  }
  RequirePreOrder(tree);
}

}  // namespace rankforest
