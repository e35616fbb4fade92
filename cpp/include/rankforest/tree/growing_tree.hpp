#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// A node of a tree that is being grown; its documents are positions [begin, end) of the
/// grower's rows.
template <class Stats>
struct GrowingNode {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t depth = 0;
  std::uint32_t parent = 0;
  std::uint32_t side = 0;  ///< 0 left, 1 right, 2 third child
  Rng rng{0};              ///< depends on the path from the root alone
  /// Of each feature whether the node may ask for it; null: it may ask for all.
  const std::uint8_t* allowed = nullptr;
  std::uint32_t path_state = 0;  ///< of Interactions
  Stats stats;
  Split<Stats> split;  ///< the best one found, if any
  bool is_split = false;
  std::array<std::uint32_t, 3> children = {};  ///< left, right, missing; once it is split
  float value = 0.0F;                          ///< once it is a leaf
  std::uint32_t n_documents = 0;               ///< likewise; those drawn twice count twice
};

/// The nodes of a tree that is being grown, in the order they came into being; node 0 is the
/// root.
template <class Stats>
using GrowingTree = std::vector<GrowingNode<Stats>>;

/// Whether the path from the root to `a` is smaller than that to `b`: shallower nodes first,
/// then from left to right.
template <class Stats>
[[nodiscard]] bool HasSmallerPath(const GrowingTree<Stats>& tree, std::uint32_t a,
                                  std::uint32_t b) {
  if (tree[a].depth != tree[b].depth) return tree[a].depth < tree[b].depth;
  while (tree[a].parent != tree[b].parent) {
    a = tree[a].parent;
    b = tree[b].parent;
  }
  return tree[a].side < tree[b].side;
}

/// The finished tree, numbered in pre-order (see tree.hpp).
template <class Stats>
[[nodiscard]] Tree Finish(const GrowingTree<Stats>& growing) {
  Tree tree;
  // To the byte: a forest of large trees is as large as what its vectors take.
  const auto n_splits = static_cast<std::size_t>(std::count_if(
      growing.begin(), growing.end(), [](const auto& node) { return node.is_split; }));
  tree.nodes.reserve(n_splits);
  tree.gains.reserve(n_splits);
  tree.leaves.reserve(growing.size() - n_splits);
  tree.counts.reserve(growing.size() - n_splits);
  struct Visit {
    std::uint32_t node;
    std::int32_t parent;  // in `tree`; -1 for the root
  };
  std::vector<Visit> stack = {{0, -1}};
  while (!stack.empty()) {
    const auto [index, parent] = stack.back();
    stack.pop_back();
    const GrowingNode<Stats>& node = growing[index];
    const auto child =
        static_cast<std::int32_t>(node.is_split ? tree.nodes.size() : ~tree.leaves.size());
    if (parent >= 0) {
      Tree::Node& above = tree.nodes[static_cast<std::size_t>(parent)];
      const auto& siblings = growing[node.parent].children;
      if (siblings[0] == index) above.left = child;
      if (siblings[1] == index) above.right = child;
      if (siblings[2] == index) above.missing = child;
    }
    if (!node.is_split) {
      tree.leaves.push_back(node.value);
      tree.counts.push_back(node.n_documents);
      continue;
    }
    tree.nodes.push_back({node.split.feature, node.split.threshold, 0, 0, 0});
    tree.gains.push_back(ToFiniteFloat(node.split.gain));
    if (node.split.missing == MissingTo::kOwn) stack.push_back({node.children[2], child});
    stack.push_back({node.children[1], child});
    stack.push_back({node.children[0], child});
  }
  return tree;
}

}  // namespace rankforest
