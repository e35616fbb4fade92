#include "rankforest/tree/level_engine.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/validate_tree.hpp"
#include "rankforest/score/oblivious_tree.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/tree/exact_level_engine.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/column_data.hpp"
#include "support/engine_trees.hpp"
#include "support/naive_oblivious.hpp"
#include "support/random_costs.hpp"
#include "support/small_data.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::kNaN;
using testing::NaiveOblivious;
using testing::OneFeature;
using testing::Pairs;
using testing::Prepared;
using testing::RawData;
using testing::Settings;

namespace {

Tree GrowLevels(const TrainingSet& training, const Settings& settings, const Pairs& targets,
                const RowSample& sample, TreeMethod method) {
  const TreeGrower<> grower(settings.limits, {}, settings.newton, method);
  return grower.Start(training).FitTree(targets, sample, Rng(0));
}

/// Multiples of 1/16 with hessians that may be 0: all sums are exact.
Pairs SixteenthTargets(std::size_t n, Rng& rng) {
  Pairs targets(n);
  for (GradientPair& target : targets) {
    target.grad = (static_cast<double>(rng.Below(65)) - 32.0) / 16.0;
    target.hess = rng.Below(33) / 16.0;
  }
  return targets;
}

Settings AnyLevelSettings(Rng& rng) {
  Settings settings;
  TreeLimits& limits = settings.limits;
  limits.grow_policy = GrowPolicy::kOblivious;
  if (rng.Below(2) == 0) limits.max_depth = 1 + rng.Below(4);
  if (rng.Below(2) == 0) limits.max_leaf_nodes = 2U << rng.Below(5);
  if (rng.Below(3) == 0) limits.min_gain = rng.Below(6) * 0.5;
  const std::uint32_t leaf_size = rng.Below(3);
  if (leaf_size == 1) limits.min_samples_leaf.amount = 1 + rng.Below(5);
  if (leaf_size == 2) limits.min_samples_leaf = {0.02 + rng.Uniform() * 0.2, true};
  if (rng.Below(3) == 0) settings.newton.l2 = 0.5 * (1 + rng.Below(3));
  if (rng.Below(3) == 0) settings.newton.min_hessian = 0.75 * (1 + rng.Below(3));
  return settings;
}

/// Whether the nodes of each level ask what the oracle asks, and leaves have its values.
void CheckAgainst(const NaiveOblivious& naive, const Tree& tree) {
  const auto& questions = naive.questions();
  const std::size_t n_leaves = std::size_t{1} << questions.size();
  REQUIRE(tree.leaves.size() == n_leaves);
  REQUIRE(tree.nodes.size() == n_leaves - 1);
  ValidateTree(tree, 1000, 1.0);
  std::vector<double> gains(questions.size());
  std::vector<std::size_t> level(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    const auto& question = questions[level[n]];
    CHECK(node.feature == question.feature);
    CHECK(node.threshold == question.threshold);
    CHECK(node.missing == (question.missing_right ? node.right : node.left));
    gains[level[n]] += tree.gains[n];
    for (const std::int32_t child : {node.left, node.right}) {
      CHECK((child < 0) == (level[n] + 1 == questions.size()));
      if (child >= 0) level[static_cast<std::size_t>(child)] = level[n] + 1;
    }
  }
  for (std::size_t l = 0; l < questions.size(); ++l) {
    CHECK(gains[l] == doctest::Approx(questions[l].gain).epsilon(1e-5));
  }
  const std::vector<double> leaves = naive.Leaves();
  for (std::size_t i = 0; i < n_leaves; ++i) {
    CHECK(tree.leaves[i] == doctest::Approx(leaves[i]).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("an oblivious tree is that of a naive search over all questions of each level") {
  for (std::uint64_t seed = 0; seed < testing::Trials(400U); ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    testing::SmallDataOptions options;
    options.n_queries = 2 + rng.Below(6);
    options.n_features = 1 + rng.Below(5);
    options.n_values = 2 + rng.Below(7);
    options.nan_in_100 = rng.Below(2) * 20;
    options.weights_of_rows = rng.Below(2) == 0;
    const Prepared prepared(testing::SmallData(options, rng));
    const Pairs targets = SixteenthTargets(prepared.data.n_documents(), rng);
    const Settings settings = AnyLevelSettings(rng);
    const RowSample sample = testing::RandomSample(prepared.data, rng);
    const NaiveOblivious naive(prepared.data, targets, settings.limits, settings.newton, sample);
    const Tree exact =
        GrowLevels(prepared.training(), settings, targets, sample, TreeMethod::kExact);
    CheckAgainst(naive, exact);
    CHECK(GrowLevels(prepared.training(2), settings, targets, sample, TreeMethod::kHist) == exact);
  }
}

TEST_CASE("so is one on features of more values than bins, where thresholds are exact") {
  for (std::uint64_t seed = 0; seed < testing::Trials(12U); ++seed) {
    CAPTURE(seed);
    Rng rng(1000 + seed);
    const std::size_t n = 300;
    auto columns = testing::AllKinds(n, rng);
    columns.push_back(columns[0]);  // ties between features
    const Dataset data = testing::FromColumns(columns, rng).Make();
    const Pairs targets = SixteenthTargets(n, rng);
    const Settings settings = AnyLevelSettings(rng);
    const RowSample sample = testing::RandomSample(data, rng);
    const NaiveOblivious naive(data, targets, settings.limits, settings.newton, sample);
    const Tree tree = GrowLevels({data, Threads{1}}, settings, targets, sample, TreeMethod::kExact);
    CheckAgainst(naive, tree);
    CHECK(GrowLevels({data, Threads{3}}, settings, targets, sample, TreeMethod::kExact) == tree);
  }
}

TEST_CASE("a level's question is the one whose gains add up to the most, not any node's best") {
  // Two features of two values. With targets grade - mean in each of the four cells:
  //   x0 = 0: x1 = 0 -> 0, 0; x1 = 1 -> 4, 4     x0 = 1: x1 = 0 -> 6, 6; x1 = 1 -> 12, 12
  RawData raw;
  raw.n_features = 2;
  raw.features = {0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1};
  raw.grades = {0, 0, 4, 4, 6, 6, 12, 12};
  raw.queries.assign(8, 0);
  const Prepared prepared(raw);
  Settings settings;
  settings.limits.grow_policy = GrowPolicy::kOblivious;
  for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
    const Tree tree =
        GrowLevels(prepared.training(), settings, testing::SquaredErrorTargets(prepared.data),
                   WholeSample(8), method);
    // Means 2 and 9 by x0: 8 documents' worth of 3.5^2 = 98; then 4 * 2^2 = 16 and 4 * 3^2 = 36.
    REQUIRE(tree.leaves.size() == 4);
    CHECK(tree.leaves == std::vector<float>{0, 4, 6, 12});
    CHECK(tree.gains == std::vector<float>{98, 16, 36});
    CHECK(tree.nodes[0].feature == 0);
    CHECK(tree.nodes[1].feature == 1);
    CHECK(tree.nodes[2].feature == 1);
    CHECK(tree.nodes[1].threshold == 0.5F);
  }
}

TEST_CASE("a node that a question would leave too small a side of stays whole, on both sides") {
  // By x <= 1.5 the gain is largest; then 0.5 divides the left node, and has nothing to divide on
  // the right, whose value both leaves get.
  const Prepared prepared(OneFeature({0, 0, 1, 1, 2, 2}, {0, 0, 2, 2, 9, 9}));
  Settings settings;
  settings.limits.grow_policy = GrowPolicy::kOblivious;
  settings.limits.min_samples_leaf.amount = 2;
  const Tree tree =
      GrowLevels(prepared.training(), settings, testing::SquaredErrorTargets(prepared.data),
                 WholeSample(6), TreeMethod::kExact);
  CHECK(tree.leaves == std::vector<float>{0, 2, 9, 9});
  CHECK(tree.nodes[2].threshold == 0.5F);
  CHECK(tree.gains[2] == 0.0F);
  settings.limits.min_samples_leaf.amount =
      3;  // only 3 : 3 would do, and there is no such boundary
  CHECK(GrowLevels(prepared.training(), settings, testing::SquaredErrorTargets(prepared.data),
                   WholeSample(6), TreeMethod::kExact)
            .leaves.size() == 1);
}

TEST_CASE("NaN goes the same way at all nodes of a level") {
  const Prepared prepared(OneFeature({0, 0, 1, 1, kNaN, kNaN, kNaN}, {0, 0, 5, 5, 5, 5, 5}));
  Settings settings;
  settings.limits.grow_policy = GrowPolicy::kOblivious;
  const Tree tree =
      GrowLevels(prepared.training(), settings, testing::SquaredErrorTargets(prepared.data),
                 WholeSample(7), TreeMethod::kHist);
  REQUIRE(tree.nodes.size() == 1);
  CHECK(tree.nodes[0].missing == tree.nodes[0].right);
}

TEST_CASE("threads, memory for histograms and the engine change no bit of an oblivious tree") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    Rng rng(2000 + seed);
    const std::size_t n = 3000;
    const Dataset data =
        testing::FromColumns(
            {testing::FewValues(n, 200, 10, rng), testing::FewValues(n, 30, 70, rng),
             testing::FewValues(n, 250, 0, rng), testing::FewValues(n, 2, 20, rng)},
            rng)
            .Make();
    const Pairs targets = testing::RandomTargets(n, rng);
    Settings settings = AnyLevelSettings(rng);
    settings.limits.min_samples_leaf.amount = 1 + rng.Below(40);
    settings.limits.min_samples_leaf.is_fraction = false;
    const RowSample sample = testing::RandomSample(data, rng);
    const TrainingSet training(data, Threads{1});
    const Tree tree = GrowLevels(training, settings, targets, sample, TreeMethod::kExact);
    for (const int threads : {1, 4}) {
      const TrainingSet other(data, Threads{threads});
      CHECK(GrowLevels(other, settings, targets, sample, TreeMethod::kHist) == tree);
      CHECK(testing::GrowWith(LevelEngine(other, 4, 0), other, settings, targets, sample) == tree);
    }
  }
}

TEST_CASE("the scorer finds all oblivious trees of 4 to 256 leaves to be oblivious") {
  Rng rng(3000);
  const std::size_t n = 5000;
  const Dataset data = testing::FromColumns(testing::AllKinds(n, rng), rng).Make();
  const Pairs targets = testing::RandomTargets(n, rng);
  for (std::uint32_t depth = 2; depth <= 8; ++depth) {
    Settings settings;
    settings.limits.grow_policy = GrowPolicy::kOblivious;
    settings.limits.max_depth = depth;
    const Tree tree =
        GrowLevels({data, Threads{2}}, settings, targets, WholeSample(n), TreeMethod::kHist);
    REQUIRE(tree.leaves.size() == std::size_t{1} << depth);
    CHECK(detail::ObliviousLevels(detail::TwoWayTree(tree, 1.0)) == depth);
  }
}

TEST_CASE("what the last oblivious tree adds to scores is what it predicts, drawn or not") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    Rng rng(4000 + seed);
    const std::size_t n = 700;
    const Dataset data = testing::FromColumns(testing::AllKinds(n, rng), rng).Make();
    const Pairs targets = testing::RandomTargets(n, rng);
    const RowSample sample = testing::RandomSample(data, rng);
    const Settings settings = AnyLevelSettings(rng);
    for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
      auto run =
          TreeGrower<>(settings.limits, {}, settings.newton, method).Start({data, Threads{2}});
      const Tree tree = run.FitTree(targets, sample, Rng(0));
      std::vector<double> scores(n, 0.5);
      run.AddLastTree(0.1, scores);
      for (RowId d = 0; d < n; ++d) {
        CHECK(scores[d] == 0.5 + Group::Contribution(0.1, tree.Value(data.Features(d))));
      }
    }
  }
}

TEST_CASE("each level draws its own features, the same for both engines") {
  Rng rng(5000);
  const std::size_t n = 600;
  const Dataset data =
      testing::FromColumns({testing::FewValues(n, 40, 0, rng), testing::FewValues(n, 40, 0, rng),
                            testing::FewValues(n, 40, 0, rng), testing::FewValues(n, 40, 0, rng)},
                           rng)
          .Make();
  const Pairs targets = testing::RandomTargets(n, rng);
  TreeLimits limits;
  limits.grow_policy = GrowPolicy::kOblivious;
  limits.max_depth = 5;
  const FeatureDraw one{FeatureDraw::Kind::kCount, 1.0};
  const auto grow = [&](TreeMethod method) {
    return TreeGrower<>(limits, one, {}, method)
        .Start({data, Threads{1}})
        .FitTree(targets, WholeSample(n), Rng(7));
  };
  const Tree tree = grow(TreeMethod::kExact);
  CHECK(grow(TreeMethod::kHist) == tree);
  Rng level(7);
  std::int32_t node = 0;
  for (int l = 0; l < 5; ++l) {
    std::vector<FeatureId> drawn;
    DrawFeatures(1, 4, level, drawn);
    CHECK(tree.nodes[static_cast<std::size_t>(node)].feature == drawn[0]);
    node = tree.nodes[static_cast<std::size_t>(node)].left;
    level = level.Child(Purpose::kNode, 0);
  }
}

TEST_CASE("a level pays once for its question, whatever is worth most of all questions") {
  int n_other = 0;
  for (std::uint64_t seed = 0; seed < testing::Trials(200U); ++seed) {
    CAPTURE(seed);
    Rng rng(5000 + seed);
    testing::SmallDataOptions options;
    options.n_queries = 2 + rng.Below(6);
    options.n_features = 2 + rng.Below(4);
    options.nan_in_100 = rng.Below(2) * 20;
    const Prepared prepared(testing::SmallData(options, rng));
    const Pairs targets = SixteenthTargets(prepared.data.n_documents(), rng);
    Settings settings = AnyLevelSettings(rng);
    settings.limits.costs = testing::RandomCostSettings(4.0, rng);
    const FeatureCosts costs = testing::RandomCosts(options.n_features, rng);
    const RowSample sample = testing::RandomSample(prepared.data, rng);
    const NaiveOblivious naive(prepared.data, targets, settings.limits, settings.newton, sample,
                               &costs);
    const auto grow = [&](int threads, TreeMethod method) {
      const TrainingSet training(prepared.data, Threads{threads}, {}, &costs);
      return GrowLevels(training, settings, targets, sample, method);
    };
    const Tree exact = grow(1, TreeMethod::kExact);
    CheckAgainst(naive, exact);
    CHECK(grow(2, TreeMethod::kHist) == exact);
    settings.limits.costs.weight = 0.0;
    n_other += grow(1, TreeMethod::kExact) == exact ? 0 : 1;
  }
  CHECK(n_other > testing::Trials(50));
}

TEST_CASE("so does one on features of more values than bins") {
  for (std::uint64_t seed = 0; seed < testing::Trials(12U); ++seed) {
    CAPTURE(seed);
    Rng rng(6000 + seed);
    const std::size_t n = 300;
    const Dataset data = testing::FromColumns(testing::AllKinds(n, rng), rng).Make();
    const Pairs targets = SixteenthTargets(n, rng);
    Settings settings = AnyLevelSettings(rng);
    settings.limits.costs = testing::RandomCostSettings(20.0, rng);
    const FeatureCosts costs = testing::RandomCosts(data.n_features(), rng);
    const RowSample sample = testing::RandomSample(data, rng);
    const NaiveOblivious naive(data, targets, settings.limits, settings.newton, sample, &costs);
    const TrainingSet training(data, Threads{3}, {}, &costs);
    CheckAgainst(naive, GrowLevels(training, settings, targets, sample, TreeMethod::kExact));
  }
}

}  // namespace rankforest
