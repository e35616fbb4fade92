#include "rankforest/explain/tree_paths.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/naive_shapley.hpp"

namespace rankforest {
namespace {

using testing::ExpectedValue;
using testing::LeafValuesOf;
using testing::RandomCountedTree;
using testing::ThreeWayTree;

TEST_CASE("places, their parents and the edges above them are as in a tree by hand") {
  Tree tree = ThreeWayTree();  // node 0: x0, leaf 0, node 1 and leaf 3; node 1: leaves 1 and 2
  tree.nodes[1].feature = 0;   // asks for x0 again
  const TreePaths paths(tree);
  CHECK(paths.n_places() == 6);
  CHECK(paths.PlaceOf(1) == 1);
  CHECK(paths.PlaceOf(~3) == 5);
  CHECK(paths.parent(0) == TreePaths::kNone);
  CHECK(paths.parent(2) == 0);
  CHECK(paths.parent(3) == 1);
  CHECK(paths.above(0) == TreePaths::kNone);
  CHECK(paths.above(1) == 1);
  CHECK(paths.most_features() == 1);
}

TEST_CASE("an edge has its share of its node's documents") {
  Tree tree = ThreeWayTree();
  tree.counts = {2, 3, 0, 5};
  const TreePaths paths(tree);
  CHECK(SharesOfEdges(paths) == std::vector<double>{1.0, 0.3, 0.2, 1.0, 0.0, 0.5});
  CHECK(ExpectationOf(paths, LeafValuesOf(tree)) ==
        doctest::Approx(0.2 * 10 + 0.3 * 20 + 0.5 * 40));
  tree.counts = {0, 0, 0, 0};
  const double third = 1.0 / 3.0;
  CHECK(SharesOfEdges(TreePaths(tree)) == std::vector<double>{1.0, third, third, 0.5, 0.5, third});
}

TEST_CASE("the expectation is what the tree gives where nothing is known") {
  Rng rng(1);
  const std::vector<float> nothing(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Tree tree = RandomCountedTree(4, 4, rng);
    const std::int32_t root = tree.nodes.empty() ? ~0 : 0;
    CHECK(ExpectationOf(TreePaths(tree), LeafValuesOf(tree)) ==
          doctest::Approx(ExpectedValue(tree, nothing.data(), 0, root)).epsilon(1e-12));
  }
}

TEST_CASE("a path of more than 1,000 features is refused, one of 1,000 is not") {
  Tree tree = testing::ListTree(1000);
  for (std::size_t n = 0; n < 1000; ++n) tree.nodes[n].feature = static_cast<FeatureId>(n);
  CHECK(TreePaths(tree).most_features() == 1000);
  tree = testing::ListTree(1001);
  for (std::size_t n = 0; n < 1001; ++n) tree.nodes[n].feature = static_cast<FeatureId>(n);
  CHECK_THROWS_AS(TreePaths{tree}, std::invalid_argument);
}

}  // namespace
}  // namespace rankforest
