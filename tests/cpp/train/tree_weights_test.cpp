#include "rankforest/train/tree_weights.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/naive_ranking.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Stump;

namespace {

Ensemble ForestOf(std::vector<Tree> trees) {
  Ensemble forest;
  forest.n_features = 1;
  forest.members.push_back({0.0, {{1.0, Reduction::kMean, 1, std::move(trees)}}});
  return forest;
}

}  // namespace

TEST_CASE("trees weigh what their expected NDCG is") {
  // One query of grades {1, 0}: told apart the right way NDCG is 1, the wrong way 1 / log2 3, and
  // tied their mean.
  const Dataset data = testing::OneFeature({1, 2}, {1, 0}).Make();
  const double wrong = 1.0 / std::log2(3.0);
  const double tied = (1.0 + wrong) / 2.0;
  const double total = 1.0 + wrong + tied;
  const Ensemble weighted = WeighTrees(
      ForestOf({Stump(1.5F, 1, 0), Stump(1.5F, 0, 1), Stump(9.0F, 0, 1)}), data, Threads{1});
  const std::vector<Group>& groups = weighted.members.front().groups;
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].TreeWeight() == doctest::Approx(1.0 / total));
  CHECK(groups[1].TreeWeight() == doctest::Approx(wrong / total));
  CHECK(groups[2].TreeWeight() == doctest::Approx(tied / total));
  CHECK(groups[1].trees == std::vector<Tree>{Stump(1.5F, 0, 1)});
}

TEST_CASE("a tree's NDCG is that of the definition, whatever the threads") {
  Rng rng(871);
  for (int trial = 0; trial < 20; ++trial) {
    testing::SmallDataOptions options;
    options.n_features = 1;
    const Dataset data = testing::SmallData(options, rng).Make();
    std::vector<Tree> trees;
    for (int i = 0; i < 4; ++i) {
      trees.push_back(Stump(static_cast<float>(rng.Below(5)) - 2.5F, static_cast<float>(i % 2),
                            1.0F - static_cast<float>(i % 2)));
    }
    const Ensemble weighted = WeighTrees(ForestOf(trees), data, Threads{1});
    CHECK(WeighTrees(ForestOf(trees), data, Threads{3}) == weighted);
    double total = 0.0;
    std::vector<double> defined;
    for (const Tree& tree : trees) {
      defined.push_back(testing::NaiveMeanNdcg(
          data, [&](RowId row) { return static_cast<double>(tree.Value(data.Features(row))); }));
      total += defined.back();
    }
    if (total == 0.0) continue;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      CHECK(weighted.members.front().groups[i].TreeWeight() ==
            doctest::Approx(defined[i] / total).epsilon(1e-9));
    }
  }
}

TEST_CASE("where no query has a relevant document trees stay equal") {
  const Dataset data = testing::OneFeature({1, 2}, {0, 0}).Make();
  const Ensemble forest = ForestOf({Stump(1.5F, 1, 0)});
  CHECK(WeighTrees(forest, data, Threads{1}) == forest);
}

}  // namespace rankforest
