#include "rankforest/train/leaf_table.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/column_data.hpp"

namespace rankforest {

TEST_CASE("sums over leaves are those of the trees' way, of few leaves and of many") {
  Rng rng(71);
  const std::size_t n = 1500;
  const Dataset data =
      testing::FromColumns({testing::ManyValues(n, rng), testing::FewValues(n, 9, 20, rng)}, rng)
          .Make();
  std::vector<Tree> trees;
  for (const std::uint32_t leaves : {7U, 600U, 2U, 256U, 257U}) {
    std::vector<GradientPair> targets(n);
    for (GradientPair& target : targets) target = {rng.Uniform() - 0.5, 1.0};
    TreeLimits limits;
    limits.max_leaf_nodes = leaves;
    trees.push_back(TreeGrower<>(limits, {})
                        .Start({data, Threads{1}})
                        .FitTree(targets, WholeSample(n), Rng(0)));
    REQUIRE(trees.back().leaves.size() == leaves);
  }
  for (const int threads : {1, 3}) {
    LeafTable table(data, Threads{threads});
    table.Add(trees[0]);
    table.Add({&trees[1], &trees[2], &trees[3], &trees[4]});
    CHECK(table.n_trees() == 5);
    for (std::size_t t = 0; t < trees.size(); ++t) {
      CHECK(table.LeafOf(t, n - 1) == trees[t].LeafOf(data.Features(static_cast<RowId>(n - 1))));
    }
    table.Forget(2);
    std::vector<LeafContributions> chosen;
    std::vector<double> expected(n, 0.25);
    for (const std::uint32_t t : {0U, 1U, 3U, 4U}) {
      const double weight = 0.3 / (t + 1.0);
      chosen.emplace_back(t, trees[t], weight);
      AddTrees({&trees[t], 1}, weight, data, Threads{1}, expected);
    }
    std::vector<double> scores(n, 0.25);
    table.AddTo(chosen, scores);
    CHECK(scores == expected);
  }
}

}  // namespace rankforest
