#include "rankforest/train/refit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "support/hand_made_trees.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Stump;

namespace {

RefitSettings WithDecay(double decay) {
  RefitSettings settings;
  settings.decay = decay;
  return settings;
}

Member BoostedStumps(double base, double learning_rate, std::vector<Tree> trees) {
  return {base, {{learning_rate, Reduction::kSum, 1, std::move(trees)}}};
}

/// The mean of what boosting by squared error still lacks in each leaf, by definition.
Member NaiveRefit(Member model, const testing::RawData& raw, double decay) {
  double mean = 0.0;
  for (const double grade : raw.grades) mean += grade / static_cast<double>(raw.n_rows());
  model.base = decay * model.base + (1.0 - decay) * mean;
  std::vector<double> scores(raw.n_rows(), model.base);
  Group& group = model.groups.front();
  for (Tree& tree : group.trees) {
    std::vector<double> lacks(tree.leaves.size());
    std::vector<double> counts(tree.leaves.size());
    const auto leaf_of = [&](std::size_t row) {
      return tree.LeafOf(raw.features.data() + row * raw.n_features);
    };
    for (std::size_t row = 0; row < raw.n_rows(); ++row) {
      lacks[leaf_of(row)] += raw.grades[row] - scores[row];
      counts[leaf_of(row)] += 1.0;
    }
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      if (counts[leaf] == 0.0) continue;
      const double estimate = lacks[leaf] / counts[leaf];
      tree.leaves[leaf] = static_cast<float>(decay * static_cast<double>(tree.leaves[leaf]) +
                                             (1.0 - decay) * estimate);
    }
    for (std::size_t row = 0; row < raw.n_rows(); ++row) {
      scores[row] += group.weight * static_cast<double>(tree.leaves[leaf_of(row)]);
    }
  }
  return model;
}

LambdaMartSettings SmallLambdaMart() {
  LambdaMartSettings settings = LambdaMartDefaults();
  settings.boost.n_estimators = 6;
  settings.boost.trees.limits.min_samples_leaf.amount = 2;
  settings.boost.trees.l2_regularization = 0.5;
  return settings;
}

testing::RawData MissingAndWeighted(Rng& rng) {
  testing::SmallDataOptions options;
  options.n_queries = 40;
  options.nan_in_100 = 10;
  options.weights_of_queries = true;
  return testing::SmallData(options, rng);
}

}  // namespace

TEST_CASE("two boosted stumps refitted by hand") {
  // Base: 0.5 x 4 + 0.5 x 2 = 3. The first stump lacks (1 - 3) and (3 - 3): its leaves, 0 before,
  // become -1 and 0, at half the learning rate -0.5 and 0. The second one then lacks
  // ((1 - 2.5) + (3 - 3)) / 2 = -0.75 on its left and has no document on its right.
  const testing::RawData raw = testing::OneFeature({1, 2}, {1, 3});
  const Dataset data = raw.Make();
  const Member model = BoostedStumps(4.0, 0.5, {Stump(1.5F, 0, 0), Stump(9.0F, 1, 7)});
  const Member refitted =
      RefitBoosted(model, SquaredError(), WithDecay(0.5), TrainingSet(data, Threads{1}), Rng(0));
  CHECK(refitted ==
        BoostedStumps(3.0, 0.5, {Stump(1.5F, -1, 0), Stump(9.0F, 0.5F * 1 - 0.375F, 7)}));
}

TEST_CASE("refitting boosted trees is what the definition says") {
  Rng rng(99);
  for (const double decay : {0.0, 0.25, 0.9, 1.0}) {
    testing::SmallDataOptions options;
    options.n_queries = 20;
    const testing::RawData raw = testing::SmallData(options, rng);
    const Dataset data = testing::SmallData(options, rng).Make();
    MartSettings settings = MartDefaults();
    settings.boost.n_estimators = 6;
    const Member model = Train(Mart(settings), data, 6, {}).ensemble.members.front();
    const Dataset fresh = raw.Make();
    const Member refitted = RefitBoosted(model, SquaredError(), WithDecay(decay),
                                         TrainingSet(fresh, Threads{1}), Rng(0));
    const Member defined = NaiveRefit(model, raw, decay);
    CHECK(refitted.base == doctest::Approx(defined.base));
    REQUIRE(refitted.groups.size() == 1);
    for (std::size_t t = 0; t < 6; ++t) {
      const Tree& tree = refitted.groups.front().trees[t];
      const Tree& by_definition = defined.groups.front().trees[t];
      CHECK(tree.nodes == by_definition.nodes);
      for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
        CHECK(static_cast<double>(tree.leaves[leaf]) ==
              doctest::Approx(static_cast<double>(by_definition.leaves[leaf])).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("without decay the training data gives every boosted leaf back, bit for bit") {
  Rng rng(100);
  for (int trial = 0; trial < 5; ++trial) {
    const Dataset data = MissingAndWeighted(rng).Make();
    LambdaMartSettings settings = SmallLambdaMart();
    for (const RankingObjective objective :
         {RankingObjective::kLambdaRank, RankingObjective::kYetiRank, RankingObjective::kXeNdcg}) {
      settings.objective = objective;
      RunOptions options;
      options.seed = 77;
      const Member model = Train(LambdaMart(settings), data, 6, options).ensemble.members.front();
      RefitSettings refit = WithDecay(0.0);
      refit.criterion.l2 = settings.boost.trees.l2_regularization;
      for (const int threads : {1, 3}) {
        const TrainingSet training(data, Threads{threads});
        CHECK(RefitBoosted(model, RankingObjectiveOf(settings), refit, training, Rng(77)) == model);
      }
    }
    MartSettings mart = MartDefaults();
    mart.boost.n_estimators = 6;
    mart.boost.trees.limits.missing = MissingRule::kThird;
    const Member by_squares = Train(Mart(mart), data, 6, {}).ensemble.members.front();
    CHECK(RefitBoosted(by_squares, SquaredError(), WithDecay(0.0), TrainingSet(data, Threads{2}),
                       Rng(0)) == by_squares);
  }
}

TEST_CASE("without decay the training data gives every leaf of a forest of it back") {
  Rng rng(101);
  const Dataset data = MissingAndWeighted(rng).Make();
  ForestSettings settings = ExtraTreesDefaults();
  settings.n_estimators = 7;
  settings.relevance = Relevance::kExp2;
  const Member forest = Train(ExtraTrees(settings), data, 7, {}).ensemble.members.front();
  const TrainingSet training(data, Threads{2});
  CHECK(RefitForest(forest, MeanRelevance(Relevance::kExp2), WithDecay(0.0), training, Rng(0)) ==
        forest);
  CHECK_FALSE(RefitForest(forest, MeanRelevance(), WithDecay(0.0), training, Rng(0)) == forest);

  IgbrtSettings chain = IgbrtDefaults();
  chain.forest = settings;
  chain.forest.relevance = Relevance::kGrade;
  chain.boost.n_estimators = 4;
  const Member both = Train(Igbrt(chain), data, 11, {}).ensemble.members.front();
  CHECK(RefitBoosted(both, SquaredError(InitialScore::kZero), WithDecay(0.0), training, Rng(0)) ==
        both);
}

TEST_CASE("full decay changes nothing, whatever the data") {
  Rng rng(102);
  const Dataset data = MissingAndWeighted(rng).Make();
  const Dataset other = MissingAndWeighted(rng).Make();
  const LambdaMartSettings settings = SmallLambdaMart();
  const Member model = Train(LambdaMart(settings), data, 6, {}).ensemble.members.front();
  const TrainingSet training(other, Threads{1});
  CHECK(RefitBoosted(model, RankingObjectiveOf(settings), WithDecay(1.0), training, Rng(0)) ==
        model);
}

TEST_CASE("a base that training did not estimate stays, and initial scores count") {
  const Dataset data = testing::OneFeature({1, 2}, {1, 3}).Make();
  RefitSettings settings = WithDecay(0.0);
  settings.refits_base = false;
  const std::vector<double> initial = {1.0, 3.0};
  const std::vector<double> ordered = {initial[data.order()[0]], initial[data.order()[1]]};
  const Member refitted = RefitBoosted(BoostedStumps(4.0, 1.0, {Stump(1.5F, 0, 0)}), SquaredError(),
                                       settings, TrainingSet(data, Threads{1}, ordered), Rng(0));
  CHECK(refitted == BoostedStumps(4.0, 1.0, {Stump(1.5F, -4, -4)}));
}

}  // namespace rankforest
