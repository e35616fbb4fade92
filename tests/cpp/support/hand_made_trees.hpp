#pragma once

#include <cstdint>

#include "rankforest/core/tree.hpp"

namespace rankforest::testing {

/// A tree of one split of feature 0 at `threshold`, with these leaves; NaN goes left.
inline Tree Stump(float threshold, float left, float right) {
  Tree tree;
  tree.nodes.push_back({0, threshold, ~0, ~1, ~0});
  tree.leaves = {left, right};
  tree.gains = {1.0F};
  return tree;
}

/// x0 <= 1: leaf 0, x0 > 1: node 1, NaN: leaf 3 of its own.
/// Node 1: x1 <= -2: leaf 1, x1 > -2 or NaN: leaf 2.
inline Tree ThreeWayTree() {
  Tree tree;
  tree.nodes = {{0, 1.0F, ~0, 1, ~3}, {1, -2.0F, ~1, ~2, ~2}};
  tree.leaves = {10.0F, 20.0F, 30.0F, 40.0F};
  tree.gains = {2.0F, 1.0F};
  return tree;
}

/// A tree that is as deep as it has nodes: node n sends values of feature 0 up to n, and NaN, to
/// the leaf n, and others to the next node; those after the last one to a leaf -1.
inline Tree ListTree(std::int32_t n_nodes) {
  Tree tree;
  for (std::int32_t n = 0; n < n_nodes; ++n) {
    const std::int32_t next = n + 1 < n_nodes ? n + 1 : ~n_nodes;
    tree.nodes.push_back({0, static_cast<float>(n), ~n, next, ~n});
    tree.leaves.push_back(static_cast<float>(n));
  }
  tree.leaves.push_back(-1.0F);
  return tree;
}

}  // namespace rankforest::testing
