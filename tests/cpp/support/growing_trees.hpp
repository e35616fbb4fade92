#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/tree/growing_tree.hpp"

namespace rankforest::testing {

struct NoStats {};
using SmallTree = GrowingTree<NoStats>;

/// Makes an inner node of a leaf: adds its children and says where its NaN goes. Feature and
/// threshold are the node's number.
inline void SplitNode(SmallTree& tree, std::uint32_t index, MissingTo missing) {
  tree[index].is_split = true;
  tree[index].split.feature = index;
  tree[index].split.threshold = static_cast<float>(index);
  tree[index].split.missing = missing;
  const std::uint32_t n_children = missing == MissingTo::kOwn ? 3 : 2;
  for (std::uint32_t side = 0; side < n_children; ++side) {
    GrowingNode<NoStats> child;
    child.depth = tree[index].depth + 1;
    child.parent = index;
    child.side = side;
    tree[index].children[side] = static_cast<std::uint32_t>(tree.size());
    tree.push_back(child);
  }
  if (n_children == 2) {
    tree[index].children[2] = tree[index].children[missing == MissingTo::kLeft ? 0 : 1];
  }
}

/// A tree of up to `n_splits` splits of random leaves. Gains are small whole numbers, values the
/// nodes' numbers.
inline SmallTree RandomGrowingTree(std::size_t n_splits, Rng& rng) {
  SmallTree tree(1);
  for (std::size_t i = 0; i < n_splits; ++i) {
    const std::uint32_t index = rng.Below(static_cast<std::uint32_t>(tree.size()));
    if (!tree[index].is_split) SplitNode(tree, index, static_cast<MissingTo>(rng.Below(3)));
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    tree[i].split.gain = 1.0 + rng.Below(3);
    tree[i].value = static_cast<float>(i);
  }
  return tree;
}

/// The sides from the root to a node.
inline std::string PathTo(const SmallTree& tree, std::uint32_t index) {
  std::string path;
  for (; index != 0; index = tree[index].parent) {
    path.insert(path.begin(), static_cast<char>('0' + tree[index].side));
  }
  return path;
}

/// The key of the order of paths: shallower first, then from left to right.
inline std::pair<std::size_t, std::string> PathKey(const SmallTree& tree, std::uint32_t index) {
  const std::string path = PathTo(tree, index);
  return {path.size(), path};
}

}  // namespace rankforest::testing
