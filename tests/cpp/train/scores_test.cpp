#include "rankforest/train/scores.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("a member's groups on top of its base are its scores, in canonical order") {
  Rng rng(501);
  for (int trial = 0; trial < 20; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 40;
    options.nan_in_100 = 20;
    const Dataset data = testing::SmallData(options, rng).Make();
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    model.members.resize(1);
    std::vector<double> scores(data.n_documents(), model.members[0].base);
    AddGroups(model.members[0], data, Threads{1 + trial % 3}, scores);
    const std::vector<double> by_row = Score(model, data.features());
    for (std::size_t d = 0; d < scores.size(); ++d) CHECK(scores[d] == by_row[data.order()[d]]);
  }
}

TEST_CASE("trees add their leaf values times the weight, rounded to float32 each") {
  const Dataset data = testing::OneFeature({1, 2}, {0, 1}).Make();
  Tree tree;
  tree.leaves = {0.1F};
  std::vector<double> scores = {1.0, 2.0};
  AddTrees(std::vector<Tree>{tree, tree}, 0.3, data, Threads{1}, scores);
  const auto each = static_cast<double>(static_cast<float>(0.3 * static_cast<double>(0.1F)));
  CHECK(scores == std::vector<double>{1.0 + each + each, 2.0 + each + each});
}

TEST_CASE("outside a sample documents get what they would get, inside nothing") {
  Rng rng(502);
  for (int trial = 0; trial < 30; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 100;  // more documents than one thread takes at a time
    options.nan_in_100 = 20;
    const Dataset data = testing::SmallData(options, rng).Make();
    const auto n = static_cast<std::uint32_t>(data.n_documents());
    const std::vector<Tree> trees = {testing::RandomTree(4, 4, rng),
                                     testing::RandomTree(4, 4, rng)};
    const RowSample sample{rng.Sample(n, trial == 0 ? 0 : rng.Below(n)), {}};
    std::vector<double> before(n);
    for (double& score : before) score = rng.Uniform();
    std::vector<double> expected = before;
    AddTrees(trees, 0.3, data, Threads{1}, expected);
    for (const RowId row : sample.rows) expected[row] = before[row];
    std::vector<double> scores = before;
    AddTreesOutside(sample, trees, 0.3, data, Threads{1 + trial % 3}, scores);
    INFO("trial ", trial);
    CHECK(scores == expected);
  }
}

TEST_CASE("outside of all documents there are none, however often each was drawn") {
  const Dataset data = testing::OneFeature({1, 2}, {0, 1}).Make();
  Tree tree;
  tree.leaves = {0.5F};
  std::vector<double> scores = {1.0, 2.0};
  AddTreesOutside({{0, 1}, {3, 1}}, std::vector<Tree>{tree}, 1.0, data, Threads{1}, scores);
  CHECK(scores == std::vector<double>{1.0, 2.0});
  AddTreesOutside({{1}, {5}}, std::vector<Tree>{tree}, 1.0, data, Threads{1}, scores);
  CHECK(scores == std::vector<double>{1.5, 2.0});
}

}  // namespace rankforest
