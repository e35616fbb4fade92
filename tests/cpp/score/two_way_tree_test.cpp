#include "rankforest/score/two_way_tree.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/scored_trees.hpp"
#include "support/special_floats.hpp"

namespace rankforest::detail {

using testing::kInf;

namespace {

/// What a document is given, by the definition of the nodes.
float ValueByWalking(const TwoWayTree& tree, const float* features) {
  std::int32_t child = tree.nodes.empty() ? ~0 : 0;
  while (child >= 0) {
    const TwoWayTree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
    const float x = features[node.feature];
    const bool right = std::isnan(x) ? node.nan_right : x > node.threshold;
    child = right ? node.right : node.left;
  }
  return tree.leaves[static_cast<std::size_t>(~child)];
}

}  // namespace

TEST_CASE("a child for NaN becomes a question of its own") {
  Tree tree;  // x0 <= 1 ? (x1 <= 2 ? 10 : 20, NaN left) : 30, NaN: 40
  tree.nodes = {{0, 1.0F, 1, ~2, ~3}, {1, 2.0F, ~0, ~1, ~0}};
  tree.leaves = {10.0F, 20.0F, 30.0F, 40.0F};
  const TwoWayTree two_way(tree, 0.5);
  REQUIRE(two_way.nodes.size() == 3);
  CHECK(two_way.nodes[0].threshold == kInf);
  CHECK(two_way.nodes[0].nan_right);
  CHECK(two_way.nodes[0].left == 1);
  CHECK(two_way.nodes[0].right == ~3);
  CHECK(two_way.nodes[1].threshold == 1.0F);
  CHECK(two_way.nodes[1].left == 2);
  CHECK(two_way.nodes[1].right == ~2);
  CHECK(two_way.nodes[2].feature == 1);
  CHECK_FALSE(two_way.nodes[2].nan_right);
  CHECK(two_way.leaves == std::vector<float>{5.0F, 10.0F, 15.0F, 20.0F});
  CHECK(two_way.Sizes() == std::vector<std::size_t>{7, 5, 3});
  CHECK(two_way.MeanDepth() == (1.0 + 2.0 + 3.0 + 3.0) / 4.0);
}

TEST_CASE("a leaf alone stays one") {
  Tree tree;
  tree.leaves = {3.0F};
  const TwoWayTree two_way(tree, 2.0);
  CHECK(two_way.nodes.empty());
  CHECK(two_way.leaves == std::vector<float>{6.0F});
  CHECK(two_way.MeanDepth() == 0.0);
}

TEST_CASE("documents reach the leaves of the tree, and leaves lie from left to right") {
  Rng rng(41);
  const testing::TreeStyle style;
  for (int trial = 0; trial < 50; ++trial) {
    const Tree tree = testing::StyledTree(1 + rng.Below(40), style, rng);
    const TwoWayTree two_way(tree, 1.0);
    CHECK(two_way.leaves.size() == tree.leaves.size());
    CHECK(two_way.nodes.size() + 1 == two_way.leaves.size());
    const std::vector<float> x = testing::TrickyFeatures(50 * 4, style, 5, rng);
    for (std::size_t d = 0; d < 50; ++d) {
      CHECK(ValueByWalking(two_way, x.data() + 4 * d) == tree.Value(x.data() + 4 * d));
    }
    std::int32_t last = -1;  // the leaves in the order of a walk from left to right
    std::vector<std::int32_t> pending{two_way.nodes.empty() ? ~0 : 0};
    while (!pending.empty()) {
      const std::int32_t child = pending.back();
      pending.pop_back();
      if (child < 0) {
        CHECK(~child == last + 1);
        last = ~child;
      } else {
        pending.push_back(two_way.nodes[static_cast<std::size_t>(child)].right);
        pending.push_back(two_way.nodes[static_cast<std::size_t>(child)].left);
      }
    }
  }
}

TEST_CASE("a tree may be as deep as a list") {
  constexpr std::int32_t kDepth = 200000;
  const Tree tree = testing::ListTree(kDepth);
  const TwoWayTree two_way(tree, 1.0);
  const float x = 123456.5F;
  CHECK(ValueByWalking(two_way, &x) == tree.Value(&x));
  CHECK(two_way.Sizes().front() == 2 * static_cast<std::size_t>(kDepth) + 1);
}

}  // namespace rankforest::detail
