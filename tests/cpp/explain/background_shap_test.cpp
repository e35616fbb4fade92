#include "rankforest/explain/background_shap.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/naive_shapley.hpp"

namespace rankforest {
namespace {

using testing::BackgroundGame;
using testing::LeafValuesOf;
using testing::RandomTree;
using testing::ShapleyByDefinition;

std::vector<float> RandomDocument(std::uint32_t n_features, Rng& rng) {
  std::vector<float> document(n_features);
  for (float& x : document) {
    x = rng.Below(8) == 0 ? std::numeric_limits<float>::quiet_NaN()
                          : static_cast<float>(rng.Below(9)) - 4.0F;
  }
  return document;
}

TEST_CASE("weights are (a - 1)! b! / (a + b)!") {
  const ReachWeights weights(5);
  CHECK(weights.Of(1, 0) == 1.0);
  CHECK(weights.Of(2, 0) == 0.5);
  CHECK(weights.Of(2, 3) == doctest::Approx(6.0 / 120.0).epsilon(1e-15));
  CHECK(weights.Of(1, 4) == doctest::Approx(24.0 / 120.0).epsilon(1e-15));
}

TEST_CASE("the values of a tree by hand against one document") {
  const Tree tree = testing::ThreeWayTree();
  const TreePaths paths(tree);
  const ReachWeights weights(2);
  BackgroundShap shap(paths, LeafValuesOf(tree), weights);
  std::vector<double> values(2, 0.0);
  const std::vector<float> document = {5.0F, 0.0F};
  const std::vector<float> background = {0.0F, -3.0F};
  shap.AddTo(document.data(), background.data(), 1.0, values);
  // Both of the background: 10; x0 of the document: 20; x1 alone: 10; both: 30.
  CHECK(values[0] == doctest::Approx((10.0 + 20.0) / 2));
  CHECK(values[1] == doctest::Approx((0.0 + 10.0) / 2));
}

TEST_CASE("values equal the definition over all subsets, with NaN and third children") {
  Rng rng(3);
  const ReachWeights weights(6);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t n_features = 1 + rng.Below(6);
    const Tree tree = RandomTree(n_features, 6, rng);
    const std::vector<float> document = RandomDocument(n_features, rng);
    const std::vector<float> background = RandomDocument(n_features, rng);
    const TreePaths paths(tree);
    BackgroundShap shap(paths, LeafValuesOf(tree), weights);
    std::vector<double> values(n_features, 0.0);
    shap.AddTo(document.data(), background.data(), 2.0, values);
    const auto expected = ShapleyByDefinition(
        BackgroundGame(tree, document.data(), background.data(), n_features), n_features);
    for (std::uint32_t f = 0; f < n_features; ++f) {
      CHECK(values[f] == doctest::Approx(2.0 * expected[f]).epsilon(1e-12).scale(1.0));
    }
  }
}

}  // namespace
}  // namespace rankforest
