#include "rankforest/explain/path_shap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/naive_shapley.hpp"

namespace rankforest {
namespace {

using testing::LeafValuesOf;
using testing::PathGame;
using testing::RandomCountedTree;
using testing::ShapleyByDefinition;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A value that splits of random trees meet, NaN or infinity.
float RandomFeature(Rng& rng) {
  const std::uint32_t kind = rng.Below(12);
  if (kind == 0) return kNan;
  if (kind == 1) return std::numeric_limits<float>::infinity();
  return static_cast<float>(rng.Below(9)) - 4.0F;
}

template <std::size_t kFixed>
std::vector<double> ValuesOf(const Tree& tree, std::size_t n_points,
                             const std::vector<float>& document) {
  const TreePaths paths(tree);
  const Quadrature rule = GaussLegendre(n_points);
  PathShap<kFixed> shap(paths, LeafValuesOf(tree), rule);
  std::vector<double> values(document.size(), 0.0);
  shap.AddTo(document.data(), values);
  return values;
}

TEST_CASE("the values of a tree by hand are those of the paper's formula") {
  Tree tree = testing::ThreeWayTree();
  tree.counts = {2, 3, 1, 4};
  // Nothing known: 2/10 x 10 + 4/10 x (3/4 x 20 + 1/4 x 30) + 4/10 x 40 = 27. For x = (5, 0): x0
  // alone known: 22.5; x1 alone: 2 + 12 + 16 = 30; both: 30.
  const std::vector<double> values = ValuesOf<1>(tree, 1, {5.0F, 0.0F});
  CHECK(values[0] == doctest::Approx(((22.5 - 27.0) + (30.0 - 30.0)) / 2).epsilon(1e-14));
  CHECK(values[1] == doctest::Approx(((30.0 - 27.0) + (30.0 - 22.5)) / 2).epsilon(1e-14));
}

TEST_CASE("values equal the definition over all subsets: third children, NaN, empty leaves") {
  Rng rng(2);
  for (int trial = 0; trial < 150; ++trial) {
    const std::uint32_t n_features = 1 + rng.Below(6);
    const Tree tree = RandomCountedTree(n_features, 6, rng);
    std::vector<float> document(n_features);
    for (float& x : document) x = RandomFeature(rng);
    const auto expected = ShapleyByDefinition(PathGame(tree, document.data()), n_features);
    const auto fixed = ValuesOf<4>(tree, 4, document);
    const auto free = ValuesOf<0>(tree, 3, document);
    for (std::uint32_t f = 0; f < n_features; ++f) {
      CHECK(fixed[f] == doctest::Approx(expected[f]).epsilon(1e-11).scale(1.0));
      CHECK(free[f] == doctest::Approx(expected[f]).epsilon(1e-11).scale(1.0));
    }
  }
}

TEST_CASE("values of a path of 60 features add up") {
  Tree tree = testing::ListTree(60);
  for (std::size_t n = 0; n < 60; ++n) tree.nodes[n].feature = static_cast<FeatureId>(n);
  tree.counts.assign(tree.leaves.size(), 7);
  std::vector<float> document(60, 1e9F);
  document[20] = 0.0F;
  const std::vector<double> values = ValuesOf<0>(tree, 30, document);
  double sum = ExpectationOf(TreePaths(tree), LeafValuesOf(tree));
  for (const double value : values) sum += value;
  CHECK(sum == doctest::Approx(static_cast<double>(tree.Value(document.data()))).epsilon(1e-12));
}

TEST_CASE("features that do the same get the same, and one that the tree ignores gets nothing") {
  Tree tree;  // 1 where x0 > 0 and x1 > 0
  tree.nodes = {{0, 0.0F, ~0, 1, ~0}, {1, 0.0F, ~1, ~2, ~1}};
  tree.leaves = {0.0F, 0.0F, 1.0F};
  tree.counts = {8, 4, 4};
  const std::vector<double> values = ValuesOf<1>(tree, 1, {1.0F, 1.0F, 1.0F});
  CHECK(values[0] == doctest::Approx(values[1]).epsilon(1e-14));
  CHECK(values[0] == doctest::Approx(0.375).epsilon(1e-14));
  CHECK(values[2] == 0.0);
}

}  // namespace
}  // namespace rankforest
