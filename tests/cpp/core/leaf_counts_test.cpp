#include "rankforest/core/leaf_counts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {
namespace {

TEST_CASE("leaves of a tree by hand have the documents that reach them") {
  const Tree tree = testing::ThreeWayTree();
  const std::vector<std::vector<float>> rows = {{0, 0}, {1, 9}, {2, -2}, {NAN, 0}, {2, NAN}};
  const auto row_of = [&](std::size_t i) { return rows[i].data(); };
  const auto counts =
      CountLeaves(tree, rows.size(), row_of, [](std::size_t i) { return i == 1 ? 3U : 1U; }, {});
  CHECK(counts == std::vector<std::uint32_t>{4, 1, 1, 1});
}

TEST_CASE("counts of a model are those of its leaves, for any number of threads") {
  Rng rng(1);
  Ensemble ensemble = testing::RandomEnsemble(3, Combine::kSum, rng);
  std::vector<float> values(3 * 10000);
  for (float& x : values) x = static_cast<float>(rng.Below(9)) - 4.0F;
  const FeatureMatrix documents = {values.data(), 10000, 3, 3};
  CHECK_FALSE(HasLeafCounts(ensemble));
  const Ensemble counted = WithLeafCounts(ensemble, documents, Threads{1});
  const Ensemble threaded = WithLeafCounts(ensemble, documents, Threads{3});
  CHECK(HasLeafCounts(counted));
  const std::vector<const Tree*> trees = TreesIn(counted);
  std::vector<std::int32_t> leaves(documents.n_rows * trees.size());
  FindLeaves(counted, documents, Threads{2}, leaves);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    CHECK(TreesIn(threaded)[t]->counts == trees[t]->counts);
    std::vector<std::uint32_t> expected(trees[t]->leaves.size());
    for (std::size_t row = 0; row < documents.n_rows; ++row) {
      CHECK(leaves[row * trees.size() + t] ==
            static_cast<std::int32_t>(trees[t]->LeafOf(documents.Row(row))));
      ++expected[trees[t]->LeafOf(documents.Row(row))];
    }
    CHECK(trees[t]->counts == expected);
  }
}

TEST_CASE("a tree without splits needs no counts") {
  Ensemble ensemble;
  Tree leaf;
  leaf.leaves = {1.0F};
  ensemble.members = {{0.0, {{1.0, Reduction::kSum, 1, {leaf}}}}};
  CHECK(HasLeafCounts(ensemble));
}

}  // namespace
}  // namespace rankforest
