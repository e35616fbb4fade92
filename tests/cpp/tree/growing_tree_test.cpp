#include "rankforest/tree/growing_tree.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate_tree.hpp"
#include "support/growing_trees.hpp"

namespace rankforest {

using testing::PathKey;
using testing::RandomGrowingTree;
using testing::SmallTree;
using testing::SplitNode;

namespace {

/// Appends the subtree of a node in pre-order; returns it as a child.
std::int32_t NaiveFinish(const SmallTree& growing, std::uint32_t index, Tree& tree) {
  const auto& node = growing[index];
  if (!node.is_split) {
    tree.leaves.push_back(node.value);
    return ~static_cast<std::int32_t>(tree.leaves.size() - 1);
  }
  const std::size_t id = tree.nodes.size();
  tree.nodes.push_back({node.split.feature, node.split.threshold, 0, 0, 0});
  tree.gains.push_back(static_cast<float>(node.split.gain));
  const std::int32_t left = NaiveFinish(growing, node.children[0], tree);
  const std::int32_t right = NaiveFinish(growing, node.children[1], tree);
  std::int32_t missing = node.split.missing == MissingTo::kLeft ? left : right;
  if (node.split.missing == MissingTo::kOwn) {
    missing = NaiveFinish(growing, node.children[2], tree);
  }
  tree.nodes[id].left = left;
  tree.nodes[id].right = right;
  tree.nodes[id].missing = missing;
  return static_cast<std::int32_t>(id);
}

}  // namespace

TEST_CASE("a finished tree is numbered in pre-order, the missing child last") {
  SmallTree growing(1);
  SplitNode(growing, 0, MissingTo::kOwn);    // children 1 2 3
  SplitNode(growing, 2, MissingTo::kRight);  // children 4 5
  SplitNode(growing, 1, MissingTo::kLeft);   // children 6 7
  for (std::size_t i = 0; i < growing.size(); ++i) {
    growing[i].value = static_cast<float>(i);
    growing[i].n_documents = static_cast<std::uint32_t>(10 * i);
  }
  const Tree tree = Finish(growing);
  CHECK(tree.nodes ==
        std::vector<Tree::Node>{{0, 0.0F, 1, 2, ~4}, {1, 1.0F, ~0, ~1, ~0}, {2, 2.0F, ~2, ~3, ~3}});
  CHECK(tree.leaves == std::vector<float>{6.0F, 7.0F, 4.0F, 5.0F, 3.0F});
  CHECK(tree.counts == std::vector<std::uint32_t>{60, 70, 40, 50, 30});
}

TEST_CASE("a tree that was not split is its root's value") {
  SmallTree growing(1);
  growing[0].value = 2.5F;
  CHECK(Finish(growing) == Tree{{}, {2.5F}, {}});
}

TEST_CASE("gains and values come along, at most as large as float32") {
  SmallTree growing(1);
  SplitNode(growing, 0, MissingTo::kLeft);
  growing[0].split.gain = 1e300;
  CHECK(Finish(growing).gains == std::vector<float>{std::numeric_limits<float>::max()});
}

TEST_CASE("finishing agrees with recursion on random trees, and makes valid ones") {
  Rng rng(311);
  for (int trial = 0; trial < 200; ++trial) {
    const SmallTree growing = RandomGrowingTree(rng.Below(20), rng);
    Tree expected;
    NaiveFinish(growing, 0, expected);
    const Tree tree = Finish(growing);
    CHECK(tree == expected);
    CHECK_NOTHROW(ValidateTree(tree, 1000, 1.0));
  }
}

TEST_CASE("a finished tree has no more memory than its nodes and leaves take") {
  Rng rng(1031);
  for (int trial = 0; trial < 20; ++trial) {
    const Tree tree = Finish(RandomGrowingTree(1 + rng.Below(20), rng));
    CHECK(tree.nodes.capacity() == tree.nodes.size());
    CHECK(tree.gains.capacity() == tree.gains.size());
    CHECK(tree.leaves.capacity() == tree.leaves.size());
    CHECK(tree.counts.capacity() == tree.leaves.size());
  }
}

TEST_CASE("paths are ordered by depth, then from left to right") {
  Rng rng(312);
  for (int trial = 0; trial < 50; ++trial) {
    const SmallTree tree = RandomGrowingTree(15, rng);
    for (std::uint32_t a = 0; a < tree.size(); ++a) {
      for (std::uint32_t b = 0; b < tree.size(); ++b) {
        INFO(a, " ", b);
        CHECK(HasSmallerPath(tree, a, b) == (PathKey(tree, a) < PathKey(tree, b)));
      }
    }
  }
}

}  // namespace rankforest
