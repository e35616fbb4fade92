#include "rankforest/core/tree_shape.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

using testing::ThreeWayTree;

namespace {

/// What RequirePreOrder says of the tree after `change`; empty if it is content.
std::string OrderComplaint(const std::function<void(Tree&)>& change) {
  Tree tree = ThreeWayTree();
  change(tree);
  try {
    RequirePreOrder(tree);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Whether `tree` is a tree numbered in pre-order, by recursion from the definition. The counters
/// are the next numbers that pre-order gives; `budget` ends walks through cycles.
bool IsPreOrder(const Tree& tree, std::int32_t child, std::int32_t& node, std::int32_t& leaf,
                int& budget) {
  if (--budget < 0) return false;
  if (child < 0) return ~child == leaf++ && static_cast<std::size_t>(leaf) <= tree.leaves.size();
  if (child != node++ || static_cast<std::size_t>(node) > tree.nodes.size()) return false;
  const Tree::Node& split = tree.nodes[static_cast<std::size_t>(child)];
  return IsPreOrder(tree, split.left, node, leaf, budget) &&
         IsPreOrder(tree, split.right, node, leaf, budget) &&
         (split.missing == split.left || split.missing == split.right ||
          IsPreOrder(tree, split.missing, node, leaf, budget));
}

bool IsValidShape(const Tree& tree) {
  std::int32_t node = 0;
  std::int32_t leaf = 0;
  int budget = 1000;
  return IsPreOrder(tree, tree.nodes.empty() ? ~0 : 0, node, leaf, budget) &&
         static_cast<std::size_t>(node) == tree.nodes.size() &&
         static_cast<std::size_t>(leaf) == tree.leaves.size();
}

}  // namespace

TEST_CASE("a tree in pre-order passes, and so does a leaf alone") {
  CHECK(OrderComplaint([](Tree&) {}) == "");
  CHECK(OrderComplaint([](Tree& tree) {
          tree = Tree{};
          tree.leaves = {1.0F};
        }) == "");
}

TEST_CASE("each broken child is named with what was expected in its place") {
  const std::string order = " (numbered in the order node, left, right, missing)";
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[1].left = 0; }) ==
        "node 1: a child is node 0, expected node 2 of 2" + order);  // a cycle
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[1].left = 1; }) ==
        "node 1: a child is node 1, expected node 2 of 2" + order);  // its own child
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[1].left = ~0; }) ==
        "node 1: a child is leaf 0, expected leaf 1 of 4" + order);  // shared
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[1].right = tree.nodes[1].left; }) ==
        "node 1: a child is leaf 1, expected leaf 2 of 4" + order);  // both sides
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[0].right = 2; }) ==
        "node 0: a child is node 2, expected node 1 of 2" + order);  // out of range
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[0].missing = ~4; }) ==
        "node 0: a child is leaf 4, expected leaf 3 of 4" + order);
  CHECK(OrderComplaint([](Tree& tree) {
          tree.nodes[0].left = std::numeric_limits<std::int32_t>::min();
        }) == "node 0: a child is leaf 2147483647, expected leaf 0 of 4" + order);
  CHECK(OrderComplaint([](Tree& tree) { tree.leaves.resize(3); }) ==
        "node 0: a child is leaf 3, expected leaf 3 of 3" + order);
}

TEST_CASE("nodes and leaves that nothing leads to are named") {
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes[0].missing = ~0; }) ==
        "leaf 3 is the child of no node");
  CHECK(OrderComplaint([](Tree& tree) { tree.nodes.emplace_back(); }) ==
        "node 2 is the child of no node");
}

TEST_CASE("random changes of children pass exactly when the definition holds") {
  Rng rng(71);
  int n_valid = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Tree tree = testing::RandomTree(3, 4, rng);
    if (tree.nodes.empty()) continue;
    for (std::uint32_t change = rng.Below(3); change > 0; --change) {
      Tree::Node& node = tree.nodes[rng.Below(static_cast<std::uint32_t>(tree.nodes.size()))];
      const std::int32_t child = static_cast<std::int32_t>(rng.Below(12)) - 6;
      const std::uint32_t side = rng.Below(3);
      (side == 0 ? node.left : side == 1 ? node.right : node.missing) = child;
    }
    bool passes = true;
    try {
      RequirePreOrder(tree);
    } catch (const std::invalid_argument&) {
      passes = false;
    }
    CHECK(passes == IsValidShape(tree));
    CHECK(passes == detail::PreOrderCheck(tree).Run());
    n_valid += passes ? 1 : 0;
  }
  CHECK(n_valid > 100);
  CHECK(n_valid < 2900);
}

TEST_CASE("a tree as deep as it has nodes does not overflow the stack") {
  constexpr std::int32_t kDepth = 1 << 20;
  Tree tree;
  for (std::int32_t i = 0; i < kDepth; ++i) {
    const bool last = i + 1 == kDepth;
    tree.nodes.push_back({0, 0.0F, last ? ~0 : i + 1, ~(kDepth - i), ~(kDepth - i)});
  }
  tree.leaves.resize(kDepth + 1);
  CHECK_NOTHROW(RequirePreOrder(tree));
  tree.nodes.back().left = 0;
  CHECK_THROWS_AS(RequirePreOrder(tree), std::invalid_argument);
}

}  // namespace rankforest
