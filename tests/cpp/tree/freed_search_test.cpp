#include "rankforest/tree/freed_search.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/grower.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "rankforest/tree/refining_engine.hpp"
#include "support/column_data.hpp"
#include "support/engine_trees.hpp"
#include "support/naive_tree.hpp"
#include "support/random_costs.hpp"
#include "support/small_data.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::NaiveSettings;
using testing::NaiveTree;
using testing::Prepared;
using CostedPairs = std::vector<GradientPair>;

namespace {

/// Multiples of 1/16: all sums are exact.
CostedPairs ExactTargets(std::size_t n, Rng& rng) {
  CostedPairs targets(n);
  for (GradientPair& target : targets) {
    target.grad = (static_cast<double>(rng.Below(65)) - 32.0) / 16.0;
    target.hess = (1 + rng.Below(32)) / 16.0;
  }
  return targets;
}

NaiveSettings CostedSettings(std::size_t n_features, Rng& rng) {
  NaiveSettings settings;
  TreeLimits& limits = settings.limits;
  if (rng.Below(3) == 0) limits.max_depth = 1 + rng.Below(4);
  if (rng.Below(2) == 0) limits.max_leaf_nodes = 2 + rng.Below(8);
  if (rng.Below(2) == 0) limits.grow_policy = GrowPolicy::kDepthWise;
  if (rng.Below(2) == 0) limits.missing = MissingRule::kThird;
  if (rng.Below(3) == 0) limits.min_gain = rng.Below(6) * 0.5;
  limits.min_samples_leaf.amount = 1 + rng.Below(3);
  if (rng.Below(3) == 0) settings.newton.l2 = 0.5 * (1 + rng.Below(3));
  const bool all = rng.Below(2) == 0;
  settings.features_per_node =
      all ? n_features : 1 + rng.Below(static_cast<std::uint32_t>(n_features));
  settings.costs = testing::RandomCosts(n_features, rng);
  limits.costs = testing::RandomCostSettings(4.0, rng);
  settings.paid = testing::RandomPaid(n_features, rng);
  return settings;
}

template <class Threshold>
Tree GrowCosted(const Prepared& prepared, const CostedPairs& targets, const NaiveSettings& settings,
                const RowSample& sample, TreeMethod method, int threads) {
  const FeatureDraw features{FeatureDraw::Kind::kCount,
                             static_cast<double>(settings.features_per_node)};
  const TreeGrower<Newton, Threshold> grower(settings.limits, features, settings.newton, method);
  const TrainingSet training(prepared.data, Threads{threads}, {},
                             settings.costs ? &*settings.costs : nullptr);
  TreeRun run = grower.Start(training);
  run.SetPaid(settings.paid);
  return run.FitTree(targets, sample, Rng(0));
}

/// Whether trees of both methods are those of an exhaustive search, which charges each feature.
template <class Threshold>
void CheckCosted(bool random_threshold, std::uint64_t first_seed) {
  int n_other = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + testing::Trials(300U); ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    testing::SmallDataOptions options;
    options.n_queries = 2 + rng.Below(5);
    options.n_features = 2 + rng.Below(5);
    options.n_values = 2 + rng.Below(7);
    options.nan_in_100 = rng.Below(2) * 20;
    const Prepared prepared(testing::SmallData(options, rng));
    const CostedPairs targets = ExactTargets(prepared.data.n_documents(), rng);
    NaiveSettings settings = CostedSettings(options.n_features, rng);
    settings.random_threshold = random_threshold;
    const RowSample sample = testing::RandomSample(prepared.data, rng);
    const Tree expected = NaiveTree(prepared.data, targets, settings).Grow(sample, Rng(0));
    const Tree tree =
        GrowCosted<Threshold>(prepared, targets, settings, sample, TreeMethod::kExact, 1);
    REQUIRE(tree.nodes.size() == expected.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      CAPTURE(i);
      CHECK(tree.nodes[i].feature == expected.nodes[i].feature);
      CHECK(tree.nodes[i].threshold == expected.nodes[i].threshold);
      CHECK(tree.nodes[i].left == expected.nodes[i].left);
      CHECK(tree.nodes[i].missing == expected.nodes[i].missing);
      CHECK(tree.gains[i] == expected.gains[i]);
    }
    CHECK(GrowCosted<Threshold>(prepared, targets, settings, sample, TreeMethod::kHist, 2) == tree);
    settings.costs.reset();
    n_other +=
        GrowCosted<Threshold>(prepared, targets, settings, sample, TreeMethod::kHist, 1) == tree
            ? 0
            : 1;
  }
  CHECK(n_other > testing::Trials(100));
}

}  // namespace

TEST_CASE("a tree that is charged for features is that of an exhaustive search after each split") {
  CheckCosted<BestThreshold>(false, 0);
}

TEST_CASE("so is one of random thresholds") { CheckCosted<RandomThreshold>(true, 1000); }

TEST_CASE("a split by a feature that is paid later takes its turn by what it is worth then") {
  // Feature 0 parts 0 0 0 0 from 8 9 9 8, feature 1 each of the nine from its eight.
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1};
  raw.grades = {0, 0, 3, 3, 8, 8, 9, 9};
  raw.queries.assign(8, 0);
  const Prepared prepared(raw);
  CostedPairs targets;
  for (const double grade : prepared.data.grades()) targets.push_back({-grade, 1.0});
  const auto grow = [&](double cost, double min_gain) {
    const FeatureCosts costs = FeatureCosts::OneByOne({0.0, cost});
    TreeLimits limits;
    limits.costs = {1.0, CostNormalization::kNone};
    limits.min_gain = min_gain;
    const TrainingSet training(prepared.data, {}, {}, &costs);
    return TreeGrower<>(limits, {})
        .Start(training)
        .FitTree(targets, WholeSample(prepared.data.n_documents()), Rng(0));
  };
  // The root gains 98 by feature 0. Below, feature 1 gains 9 on the left and 1 on the right.
  const Tree free = grow(0.0, 0.0);
  REQUIRE(free.gains.size() == 3);
  CHECK(free.gains == std::vector<float>{98.0F, 9.0F, 1.0F});
  // Worth 9 - 8 on the left; on the right 1 - 8, and 1 once the left one has paid.
  CHECK(grow(8.0, 0.5) == free);
  CHECK(grow(8.0, 1.0).gains == std::vector<float>{98.0F});  // worth 1, which is not above 1
  CHECK(grow(9.0, 0.0).gains == std::vector<float>{98.0F});
}

TEST_CASE("engines of bins and of refined bins grow the trees of a search column by column") {
  for (std::uint64_t seed = 0; seed < testing::Trials(40U); ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const std::size_t n = 500 + rng.Below(700);
    const Dataset data = testing::FromColumns(testing::AllKinds(n, rng), rng).Make();
    const testing::Pairs targets = testing::RandomTargets(n, rng);
    testing::Settings settings = testing::RandomSettings(rng);
    settings.limits.costs = testing::RandomCostSettings(200.0, rng);
    const FeatureCosts costs = testing::RandomCosts(data.n_features(), rng);
    const RowSample sample = testing::RandomSample(data, rng);
    const TrainingSet training(data, Threads{1}, {}, &costs);
    const TrainingSet with_threads(data, Threads{3}, {}, &costs);
    const Tree exact = testing::GrowOn(training.presorted(), training, settings, targets, sample);
    CHECK(testing::GrowWith(RefiningEngine(training), training, settings, targets, sample) ==
          exact);
    CHECK(testing::GrowWith(RefiningEngine(with_threads), with_threads, settings, targets,
                            sample) == exact);
    const Tree binned =
        testing::GrowOn(training.binned_columns(), training, settings, targets, sample);
    CHECK(testing::GrowWith(HistogramEngine(training), training, settings, targets, sample) ==
          binned);
    CHECK(testing::GrowWith(HistogramEngine(with_threads), with_threads, settings, targets,
                            sample) == binned);
  }
}

TEST_CASE("costs of 0 and a weight of 0 change no bit, nor do costs that are paid") {
  Rng rng(5);
  const Prepared prepared(testing::SmallData({}, rng));
  const CostedPairs targets = ExactTargets(prepared.data.n_documents(), rng);
  NaiveSettings settings;
  settings.features_per_node = 4;
  settings.limits.costs.weight = 1.0;
  const RowSample all = WholeSample(prepared.data.n_documents());
  const auto grow = [&] {
    return GrowCosted<BestThreshold>(prepared, targets, settings, all, TreeMethod::kExact, 1);
  };
  const Tree free = grow();
  settings.costs = FeatureCosts::OneByOne({0.0, 0.0, 0.0, 0.0});
  CHECK(grow() == free);
  settings.costs = FeatureCosts::OneByOne({1.0, 2.0, 3.0, 4.0});
  CHECK_FALSE(grow() == free);
  settings.paid = {1, 1, 1, 1};
  CHECK(grow() == free);
  settings.paid = {};
  settings.limits.costs.weight = 0.0;
  CHECK(grow() == free);
}

}  // namespace rankforest
