#include "rankforest/core/tree.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "rankforest/core/types.hpp"

namespace rankforest {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// x0 <= 1 ? (x1 <= -2 ? 10 : 20) : 30, with a leaf of its own, 40, where x0 is missing; where x1
/// is missing, right.
Tree ThreeWay() {
  Tree tree;
  tree.nodes.push_back({FeatureId{0}, 1.0F, 1, ~2, ~3});
  tree.nodes.push_back({FeatureId{1}, -2.0F, ~0, ~1, ~1});
  tree.leaves = {10.0F, 20.0F, 30.0F, 40.0F};
  return tree;
}

float ValueAt(const Tree& tree, float x0, float x1) {
  const float features[] = {x0, x1};
  return tree.Value(features);
}

}  // namespace

TEST_CASE("a value equal to the threshold goes left, the next one right") {
  const Tree tree = ThreeWay();
  CHECK(ValueAt(tree, 1.0F, -2.0F) == 10.0F);
  CHECK(ValueAt(tree, 1.0F, -1.9999999F) == 20.0F);
  CHECK(ValueAt(tree, 1.0000001F, -2.0F) == 30.0F);
}

TEST_CASE("a missing value goes where its node says, to a third child too") {
  const Tree tree = ThreeWay();
  CHECK(ValueAt(tree, kNan, 0.0F) == 40.0F);
  CHECK(ValueAt(tree, 0.0F, kNan) == 20.0F);
}

TEST_CASE("infinities are ordinary values") {
  const Tree tree = ThreeWay();
  CHECK(ValueAt(tree, kInfinity, 0.0F) == 30.0F);
  CHECK(ValueAt(tree, -kInfinity, -kInfinity) == 10.0F);
}

TEST_CASE("a tree without a split is its one leaf") {
  Tree tree;
  tree.leaves = {2.5F};
  const float feature = kNan;
  CHECK(tree.LeafOf(&feature) == 0);
  CHECK(tree.Value(&feature) == 2.5F);
}

TEST_CASE("trees are equal when all their arrays are") {
  CHECK(ThreeWay() == ThreeWay());
  Tree other = ThreeWay();
  other.leaves[2] = 31.0F;
  CHECK_FALSE(ThreeWay() == other);
  other = ThreeWay();
  other.nodes[1].missing = ~0;
  CHECK_FALSE(ThreeWay() == other);
  other = ThreeWay();
  other.gains = {1.0F, 2.0F};
  CHECK_FALSE(ThreeWay() == other);
}

}  // namespace rankforest
