#include "rankforest/tree/leaf_values.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

namespace {

/// A root of four documents whose children have two each, all of them leaves but the root.
GrowingTree<Newton::Stats> RootOfTwo() {
  GrowingTree<Newton::Stats> tree(3);
  tree[0].end = 4;
  tree[0].is_split = true;
  for (std::size_t n = 1; n < 3; ++n) {
    tree[n].begin = 2 * (n - 1);
    tree[n].end = 2 * n;
  }
  return tree;
}

std::vector<float> ValuesOf(WeightlessLeaf rule, const std::vector<GradientPair>& targets) {
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(4), [](RowId) { return Newton::Target{}; });
  GrowingTree<Newton::Stats> tree = RootOfTwo();
  LeafValues<Newton>({}, rule).Set(partition, Span<const GradientPair>(targets),
                                   {FixedPointScale(8.0, 40), FixedPointScale(8.0, 40)}, true,
                                   Threads{1}, tree);
  return {tree[1].value, tree[2].value};
}

}  // namespace

TEST_CASE("a leaf is a Newton step on its documents") {
  const std::vector<GradientPair> targets = {{-1, 1}, {-3, 1}, {2, 0.5}, {4, 1}};
  CHECK(ValuesOf(WeightlessLeaf::kZero, targets) == std::vector<float>{2.0F, -4.0F});
}

TEST_CASE("a leaf without weight predicts 0, or what its parent would") {
  const std::vector<GradientPair> targets = {{-1, 1}, {-3, 1}, {0, 0}, {0, 0}};
  CHECK(ValuesOf(WeightlessLeaf::kZero, targets) == std::vector<float>{2.0F, 0.0F});
  CHECK(ValuesOf(WeightlessLeaf::kParent, targets) == std::vector<float>{2.0F, 2.0F});
}

}  // namespace rankforest
