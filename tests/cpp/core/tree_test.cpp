#include "rankforest/core/tree.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;
using testing::ThreeWayTree;

namespace {

std::size_t LeafOf(const Tree& tree, const std::vector<float>& x) { return tree.LeafOf(x.data()); }

}  // namespace

TEST_CASE("a document follows thresholds: equal goes left, NaN where the split says") {
  const Tree tree = ThreeWayTree();
  CHECK(LeafOf(tree, {1.0F, 0.0F}) == 0);
  CHECK(LeafOf(tree, {std::nextafter(1.0F, 2.0F), -2.0F}) == 1);
  CHECK(LeafOf(tree, {2.0F, -1.0F}) == 2);
  CHECK(LeafOf(tree, {2.0F, kNaN}) == 2);
  CHECK(LeafOf(tree, {kNaN, -5.0F}) == 3);
  CHECK(LeafOf(tree, {-kInf, kNaN}) == 0);
  CHECK(LeafOf(tree, {kInf, -kInf}) == 1);
  CHECK(tree.Value(std::vector<float>{kNaN, 0.0F}.data()) == 40.0F);
}

TEST_CASE("both zeros compare alike") {
  const Tree::Node at_zero{0, 0.0F, ~0, ~1, ~1};
  CHECK(at_zero.Next(-0.0F) == ~0);
  const Tree::Node at_minus_zero{0, -0.0F, ~0, ~1, ~1};
  CHECK(at_minus_zero.Next(0.0F) == ~0);
}

TEST_CASE("a tree without nodes is its one leaf") {
  Tree tree;
  tree.leaves = {7.0F};
  CHECK(tree.LeafOf(nullptr) == 0);
  CHECK(tree.Value(nullptr) == 7.0F);
}

TEST_CASE("exactly one leaf's conditions hold for a document, and it falls there") {
  Rng rng(51);
  for (int trial = 0; trial < 100; ++trial) {
    const Tree tree = testing::RandomTree(3, 5, rng);
    const std::vector<float> x = testing::RandomFeatures(3, rng);
    // Push the document's presence down from the root: pre-order makes one sweep enough.
    std::vector<bool> node_reached(tree.nodes.size(), false);
    std::vector<std::size_t> leaves_reached;
    const auto reach = [&](std::int32_t child) {
      if (child >= 0) node_reached[static_cast<std::size_t>(child)] = true;
      if (child < 0) leaves_reached.push_back(static_cast<std::size_t>(~child));
    };
    reach(tree.nodes.empty() ? ~0 : 0);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (!node_reached[i]) continue;
      const Tree::Node& node = tree.nodes[i];
      const float value = x[node.feature];
      if (std::isnan(value)) {
        reach(node.missing);
      } else {
        reach(value <= node.threshold ? node.left : node.right);
      }
    }
    CHECK(leaves_reached == std::vector<std::size_t>{tree.LeafOf(x.data())});
  }
}

TEST_CASE("trees are equal when all their arrays are") {
  CHECK(ThreeWayTree() == ThreeWayTree());
  Tree other = ThreeWayTree();
  other.nodes[1].missing = ~1;
  CHECK_FALSE(other == ThreeWayTree());
  other = ThreeWayTree();
  other.gains = {1.0F, 2.0F};
  CHECK_FALSE(other == ThreeWayTree());
}

}  // namespace rankforest
