#include "rankforest/tree/grower.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/validate_tree.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/tree/trees_observer.hpp"
#include "support/any_tree_case.hpp"
#include "support/column_data.hpp"
#include "support/naive_tree.hpp"
#include "support/passing_documents.hpp"
#include "support/small_data.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::AnySample;
using testing::AnySettings;
using testing::CheckSameTree;
using testing::DyadicTargets;
using testing::kNaN;
using testing::NaiveSettings;
using testing::NaiveTree;
using testing::OneFeature;
using testing::Passing;
using testing::Prepared;
using testing::RandomOptions;
using testing::RawData;
using Pairs = std::vector<GradientPair>;

namespace {

/// The targets of half the squared difference to the score 0, with the data's weights.
Pairs WeightedGradeTargets(const Dataset& data) {
  Pairs targets;
  for (std::size_t d = 0; d < data.n_documents(); ++d) {
    const double weight = data.weights().empty() ? 1.0 : data.weights()[d];
    targets.push_back({-weight * data.grades()[d], weight});
  }
  return targets;
}

/// The tree of both methods, which must be the same: no feature here has more than 255 values.
template <class Threshold = BestThreshold>
Tree Grow(const Prepared& prepared, const Pairs& targets, const NaiveSettings& settings,
          const RowSample& sample, const Rng& rng, int threads = 1) {
  const FeatureDraw features{FeatureDraw::Kind::kCount,
                             static_cast<double>(settings.features_per_node)};
  const auto grow = [&](TreeMethod method) {
    const TreeGrower<Newton, Threshold> grower(settings.limits, features, settings.newton, method);
    return grower.Start(prepared.training(threads)).FitTree(targets, sample, rng);
  };
  Tree tree = grow(TreeMethod::kExact);
  CHECK(grow(TreeMethod::kHist) == tree);
  return tree;
}

Tree GrowAll(const RawData& raw, const TreeLimits& limits = {}, const Newton& newton = {}) {
  const Prepared prepared(raw);
  NaiveSettings settings;
  settings.limits = limits;
  settings.newton = newton;
  settings.features_per_node = raw.n_features;
  return Grow(prepared, WeightedGradeTargets(prepared.data), settings, WholeSample(raw.n_rows()),
              Rng(0));
}

}  // namespace

TEST_CASE("a tree of three leaves, computed by hand") {
  // Squared error 16. After {0 0} {2 4 4} and after {0 0 2} {4 4} it is 8/3: the lower threshold
  // wins, (2 + 3) / 2. Then {2} {4 4} leave none, at (3 + 8) / 2.
  const Tree tree = GrowAll(OneFeature({1, 2, 3, 8, 9}, {0, 0, 2, 4, 4}));
  CHECK(tree.nodes == std::vector<Tree::Node>{{0, 2.5F, ~0, 1, 1}, {0, 5.5F, ~1, ~2, ~2}});
  CHECK(tree.leaves == std::vector<float>{0.0F, 2.0F, 4.0F});
  REQUIRE(tree.gains.size() == 2);
  CHECK(tree.gains[0] == doctest::Approx(40.0 / 3.0));
  CHECK(tree.gains[1] == doctest::Approx(8.0 / 3.0));
}

TEST_CASE("missing documents take the side that fits them, or a third child") {
  const RawData raw = OneFeature({1, 2, kNaN, kNaN}, {0, 4, 10, 10});
  const Tree learned = GrowAll(raw);
  // {0 4 | 10 10} at the largest float, then 0 | 4; NaN right and, in the second node, which saw
  // none, left, where both children weigh 1.
  constexpr float kAll = std::numeric_limits<float>::max();
  CHECK(learned.nodes == std::vector<Tree::Node>{{0, kAll, 1, ~2, ~2}, {0, 1.5F, ~0, ~1, ~0}});
  CHECK(learned.leaves == std::vector<float>{0.0F, 4.0F, 10.0F});

  TreeLimits third;
  third.missing = MissingRule::kThird;
  const Tree tree = GrowAll(raw, third);
  CHECK(tree.nodes == std::vector<Tree::Node>{{0, 1.5F, ~0, ~1, ~2}});
  CHECK(tree.leaves == std::vector<float>{0.0F, 4.0F, 10.0F});
}

TEST_CASE("where a node saw no NaN, it goes to the child of more training weight") {
  const auto missing_left = [](std::vector<double> weights) {
    RawData raw = OneFeature({1, 2, 3}, {0, 0, 5});
    raw.weights = std::move(weights);
    const Tree tree = GrowAll(raw);
    REQUIRE(tree.nodes.size() == 1);
    return tree.nodes[0].missing == tree.nodes[0].left;
  };
  CHECK(missing_left({}));
  CHECK(missing_left({1, 1, 2}));        // both weigh 2
  CHECK_FALSE(missing_left({1, 1, 3}));  // more weight, fewer documents
  CHECK(missing_left({0.5, 0.5, 0.75}));
}

TEST_CASE("the multiplicity of a bootstrap counts in means, leaf sizes and the weight of sides") {
  const Prepared prepared(OneFeature({1, 2, 3}, {0, 3, 6}));
  RowSample sample{{0, 1, 2}, {1, 1, 1}};
  for (std::size_t d = 0; d < 3; ++d) {
    if (prepared.data.grades()[d] == 6.0) sample.counts[d] = 4;
  }
  NaiveSettings settings;
  settings.limits.min_samples_leaf.amount = 2;
  const Tree tree = Grow(prepared, WeightedGradeTargets(prepared.data), settings, sample, Rng(0));
  // {0 3} against 6 four times; the right side is heavier.
  CHECK(tree.nodes == std::vector<Tree::Node>{{0, 2.5F, ~0, ~1, ~1}});
  CHECK(tree.leaves == std::vector<float>{1.5F, 6.0F});
}

TEST_CASE("min_samples_leaf counts documents, not weights, and a fraction is of those drawn") {
  RawData raw = OneFeature({1, 2, 3, 4}, {0, 0, 0, 5});
  raw.weights = {1, 1, 1, 100};
  TreeLimits limits;
  limits.min_samples_leaf.amount = 2;
  CHECK(GrowAll(raw, limits).nodes[0].threshold == 2.5F);
  limits.min_samples_leaf.amount = 3;
  CHECK(GrowAll(raw, limits).nodes.empty());
  limits.min_samples_leaf = {0.25, true};  // 1 of 4
  CHECK(GrowAll(raw, limits).nodes[0].threshold == 3.5F);
  limits.min_samples_leaf = {0.26, true};  // 2 of 4
  CHECK(GrowAll(raw, limits).nodes[0].threshold == 2.5F);
}

TEST_CASE("with few leaves the best split comes first, or the shallowest") {
  // Four groups of two; those on the right differ more than those on the left.
  const RawData raw = OneFeature({1, 2, 3, 4, 5, 6, 7, 8}, {0, 0, 1, 1, 20, 20, 30, 30});
  TreeLimits limits;
  limits.max_leaf_nodes = 3;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.5F, 20.0F, 30.0F});
  limits.grow_policy = GrowPolicy::kDepthWise;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.0F, 1.0F, 25.0F});
  limits.max_leaf_nodes = 2;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.5F, 25.0F});
  limits = {};
  limits.max_depth = 1;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.5F, 25.0F});
  limits.max_depth = 2;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.0F, 1.0F, 20.0F, 30.0F});
}

TEST_CASE("of equal gains the smaller path is split first") {
  // Both halves gain 1 by their second split; the left one gets the third leaf.
  const RawData raw = OneFeature({1, 2, 3, 4}, {0, 1, 10, 11});
  TreeLimits limits;
  limits.max_leaf_nodes = 3;
  CHECK(GrowAll(raw, limits).leaves == std::vector<float>{0.0F, 1.0F, 10.5F});
}

TEST_CASE("a third child needs room for two more leaves") {
  const RawData raw = OneFeature({1, 2, kNaN, kNaN}, {0, 4, 10, 10});
  TreeLimits limits;
  limits.missing = MissingRule::kThird;
  limits.max_leaf_nodes = 3;
  CHECK(GrowAll(raw, limits).leaves.size() == 3);
  limits.max_leaf_nodes = 2;
  CHECK(GrowAll(raw, limits).nodes.empty());
}

TEST_CASE("a node whose documents cannot be told apart, or need not be, is a leaf") {
  CHECK(GrowAll(OneFeature({2, 2, 2}, {0, 1, 5})).leaves == std::vector<float>{2.0F});
  CHECK(GrowAll(OneFeature({0.0F, -0.0F, 0.0F}, {0, 1, 5})).leaves == std::vector<float>{2.0F});
  CHECK(GrowAll(OneFeature({kNaN, kNaN, kNaN}, {0, 1, 5})).leaves == std::vector<float>{2.0F});
  CHECK(GrowAll(OneFeature({1, 2, 3}, {4, 4, 4})).leaves == std::vector<float>{4.0F});
  CHECK(GrowAll(OneFeature({7}, {3})).leaves == std::vector<float>{3.0F});
  // Exclusive or: no single split gains, so not even a tree of depth 2 begins.
  RawData raw = OneFeature({0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0});
  raw.n_features = 2;
  CHECK(GrowAll(raw).leaves == std::vector<float>{0.5F});
}

TEST_CASE("documents without weight shape nothing") {
  RawData raw = OneFeature({1, 2, 3}, {0, 0, 5});
  raw.weights = {1, 0, 0};
  CHECK(GrowAll(raw).leaves == std::vector<float>{0.0F});
  raw.weights = {0, 0, 0};
  const Tree tree = GrowAll(raw);
  CHECK(tree.leaves == std::vector<float>{0.0F});
  CHECK_FALSE(std::signbit(tree.leaves[0]));
}

TEST_CASE("a step beyond float32 becomes the largest that float32 holds") {
  const Prepared prepared(OneFeature({1, 2}, {0, 0}));
  NaiveSettings settings;
  const Tree tree =
      Grow(prepared, {{1e30, 1e-30}, {-1e30, 1e-30}}, settings, WholeSample(2), Rng(0));
  constexpr float kLargest = std::numeric_limits<float>::max();
  REQUIRE(tree.leaves.size() == 2);
  CHECK(std::abs(tree.leaves[0]) == kLargest);
  CHECK(tree.leaves[0] == -tree.leaves[1]);
  CHECK(tree.gains[0] == kLargest);
  CHECK_NOTHROW(ValidateTree(tree, 1, 1.0));
}

TEST_CASE("the tree is the naive one: squared error of whole grades, under every limit") {
  Rng rng(301);
  std::size_t nodes = 0;
  for (std::uint64_t trial = 0; trial < testing::Trials(600U); ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    const Pairs targets = WeightedGradeTargets(prepared.data);
    const NaiveSettings settings = AnySettings(prepared.data.n_features(), rng);
    const RowSample sample = AnySample(prepared.data, rng);
    const Tree tree = Grow(prepared, targets, settings, sample, Rng(trial));
    INFO("trial ", trial);
    CheckSameTree(tree, NaiveTree(prepared.data, targets, settings).Grow(sample, Rng(trial)));
    nodes += tree.nodes.size();
  }
  CHECK(nodes > testing::Trials(1000U));  // most trees have several
}

TEST_CASE("the tree is the naive one: any gradients and hessians") {
  Rng rng(302);
  for (std::uint64_t trial = 0; trial < testing::Trials(400U); ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    const Pairs targets = DyadicTargets(prepared.data.n_documents(), rng);
    const NaiveSettings settings = AnySettings(prepared.data.n_features(), rng);
    const RowSample sample = AnySample(prepared.data, rng);
    INFO("trial ", trial);
    CheckSameTree(Grow(prepared, targets, settings, sample, Rng(trial)),
                  NaiveTree(prepared.data, targets, settings).Grow(sample, Rng(trial)));
  }
}

TEST_CASE("the tree is the naive one: random thresholds") {
  Rng rng(303);
  for (std::uint64_t trial = 0; trial < testing::Trials(300U); ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    const Pairs targets = trial % 2 == 0 ? WeightedGradeTargets(prepared.data)
                                         : DyadicTargets(prepared.data.n_documents(), rng);
    NaiveSettings settings = AnySettings(prepared.data.n_features(), rng);
    settings.random_threshold = true;
    const RowSample sample = AnySample(prepared.data, rng);
    INFO("trial ", trial);
    CheckSameTree(Grow<RandomThreshold>(prepared, targets, settings, sample, Rng(trial)),
                  NaiveTree(prepared.data, targets, settings).Grow(sample, Rng(trial)));
  }
}

TEST_CASE("on real targets every node gains what the best naive split would") {
  Rng rng(304);
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    const Dataset& data = prepared.data;
    Pairs targets(data.n_documents());
    for (GradientPair& target : targets) target = {rng.Uniform() - 0.5, 0.1 + rng.Uniform()};
    NaiveSettings settings;
    settings.features_per_node = data.n_features();
    settings.newton.l2 = rng.Below(2) * 0.3;
    const RowSample sample = AnySample(data, rng);
    const Tree tree = Grow(prepared, targets, settings, sample, Rng(trial));
    NaiveTree naive(data, targets, settings);
    const auto passing = Passing(tree, data, sample);
    for (std::size_t i = 0; i < passing.size(); ++i) {
      const double gain = i < tree.nodes.size() ? static_cast<double>(tree.gains[i]) : 0.0;
      INFO("trial ", trial, " node ", i);
      CHECK(std::abs(naive.LargestGain(passing[i], Rng(0)) - gain) < 1e-5);
    }
  }
}

TEST_CASE("a leaf is the weighted mean grade of the documents that fall into it") {
  Rng rng(305);
  for (int trial = 0; trial < 100; ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    const Dataset& data = prepared.data;
    NaiveSettings settings = AnySettings(data.n_features(), rng);
    settings.newton = {};
    const RowSample sample = AnySample(data, rng);
    const Tree tree = Grow(prepared, WeightedGradeTargets(data), settings, sample, Rng(1));
    const auto passing = Passing(tree, data, sample);
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      double sum = 0.0;
      double weights = 0.0;
      std::uint64_t count = 0;
      for (const auto& [row, times] : passing[tree.nodes.size() + leaf]) {
        const double weight = times * (data.weights().empty() ? 1.0 : data.weights()[row]);
        sum += weight * data.grades()[row];
        weights += weight;
        count += times;
      }
      CHECK(tree.leaves[leaf] == doctest::Approx(weights > 0.0 ? sum / weights : 0.0));
      CHECK(count >=
            settings.limits.min_samples_leaf.Count(tree.nodes.empty() ? 1 : sample.size()));
    }
    CHECK(tree.leaves.size() <= settings.limits.max_leaf_nodes.value_or(1000));
    CHECK_NOTHROW(ValidateTree(tree, static_cast<std::uint32_t>(data.n_features()), 1.0));
  }
}

TEST_CASE("a power of two on the gradients scales leaf values exactly and moves no split") {
  Rng rng(306);
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const Prepared prepared(testing::SmallData(RandomOptions(rng), rng));
    Pairs targets(prepared.data.n_documents());
    for (GradientPair& target : targets) target = {rng.Uniform() - 0.5, 0.1 + rng.Uniform()};
    NaiveSettings settings;
    const RowSample sample = WholeSample(targets.size());
    Tree tree = Grow(prepared, targets, settings, sample, Rng(trial));
    for (GradientPair& target : targets) target.grad *= 16.0;
    const Tree scaled = Grow(prepared, targets, settings, sample, Rng(trial));
    for (float& leaf : tree.leaves) leaf *= 16.0F;
    for (float& gain : tree.gains) gain *= 256.0F;
    CHECK(scaled == tree);
  }
}

TEST_CASE("leaf values keep digits that the search drops") {
  // Beside 2^40 a gradient of 1 + 2^-9 is nothing to integers of 30 bits.
  const Prepared prepared(OneFeature({1, 2}, {0, 1}));
  Pairs targets(2);
  targets[prepared.data.grades()[0] == 0.0 ? 0 : 1] = {0x1.0p40, 1.0};
  targets[prepared.data.grades()[0] == 0.0 ? 1 : 0] = {1.0 + 0x1.0p-9, 1.0};
  const Tree tree = Grow(prepared, targets, {}, WholeSample(2), Rng(0));
  CHECK(tree.leaves == std::vector<float>{-0x1.0p40F, -1.0F - 0x1.0p-9F});
}

TEST_CASE("one run grows tree after tree as if each were its first") {
  Rng rng(307);
  const Prepared prepared(testing::SmallData({8, 10, 4, 6, 20, false, false, 5}, rng));
  NaiveSettings settings;
  settings.features_per_node = 2;
  const TreeGrower<> grower(settings.limits, {FeatureDraw::Kind::kCount, 2.0});
  TreeGrower<>::Run run = grower.Start(prepared.training());
  for (std::uint64_t tree = 0; tree < 10; ++tree) {
    const Pairs targets = DyadicTargets(prepared.data.n_documents(), rng);
    const RowSample sample = AnySample(prepared.data, rng);
    CHECK(run.FitTree(targets, sample, Rng(tree)) ==
          Grow(prepared, targets, settings, sample, Rng(tree)));
  }
}

TEST_CASE("threads change no bit of a tree, nor does another seed where nothing is drawn") {
  Rng rng(308);
  testing::SmallDataOptions options{150, 40, 24, 50, 10, true, false, 5};
  const Prepared prepared(testing::SmallData(options, rng));
  const std::size_t work = prepared.data.n_documents() * 24;
  REQUIRE(work > SplitSearch<Newton, BestThreshold>::kParallelWork);
  const Pairs targets = WeightedGradeTargets(prepared.data);
  NaiveSettings settings;
  settings.features_per_node = 24;
  settings.limits.max_leaf_nodes = 12;
  const RowSample sample = WholeSample(prepared.data.n_documents());
  const Tree tree = Grow(prepared, targets, settings, sample, Rng(1));
  CHECK(tree.leaves.size() == 12);
  CHECK(Grow(prepared, targets, settings, sample, Rng(1), 2) == tree);
  CHECK(Grow(prepared, targets, settings, sample, Rng(2), 5) == tree);
  settings.features_per_node = 3;
  CHECK_FALSE(Grow(prepared, targets, settings, sample, Rng(1)) ==
              Grow(prepared, targets, settings, sample, Rng(2)));
}

TEST_CASE("as a learner a grower gives one tree in a sum, and shows it") {
  const Prepared prepared(OneFeature({1, 2, 3}, {0, 2, 5}));
  const Pairs targets = WeightedGradeTargets(prepared.data);
  const TreeGrower<> grower({}, {});
  std::vector<Tree> shown;
  const TreesObserver observer = [&](Span<const Tree> trees) {
    shown.assign(trees.begin(), trees.end());
    return true;
  };
  const Member member =
      grower.Start(prepared.training()).Fit(targets, WholeSample(3), Rng(0), observer);
  const Tree tree = Grow(prepared, targets, {}, WholeSample(3), Rng(0));
  CHECK(member == Member{0.0, {{1.0, Reduction::kSum, 1, {tree}}}});
  CHECK(shown == std::vector<Tree>{tree});
}

TEST_CASE("left to itself, a grower is exact up to 50,000 documents and binned above") {
  Rng rng(309);
  for (const std::size_t n : {50000U, 50001U}) {
    const Dataset data = testing::FromColumns({testing::ManyValues(n, rng)}, rng).Make();
    const TrainingSet training(data, Threads{2});
    TreeLimits limits;
    limits.max_leaf_nodes = 4;
    const auto grow = [&](TreeMethod method) {
      const TreeGrower<> grower(limits, {}, {}, method);
      return grower.Start(training).FitTree(WeightedGradeTargets(data), WholeSample(n), Rng(0));
    };
    const Tree exact = grow(TreeMethod::kExact);
    const Tree binned = grow(TreeMethod::kHist);
    REQUIRE_FALSE(exact == binned);
    CHECK(grow(TreeMethod::kAuto) == (n <= 50000 ? exact : binned));
  }
}

TEST_CASE("random thresholds and drawn features on bins of many values keep to the values") {
  // Every split must divide the documents as their features say: leaves are means of those that
  // fall into them.
  Rng rng(310);
  const Dataset data =
      testing::FromColumns({testing::ManyValues(2000, rng), testing::ManyValues(2000, rng),
                            testing::FewValues(2000, 400, 10, rng)},
                           rng)
          .Make();
  const TrainingSet training(data, Threads{1});
  const Pairs targets = WeightedGradeTargets(data);
  const RowSample sample = WholeSample(2000);
  TreeLimits limits;
  limits.max_leaf_nodes = 40;
  const FeatureDraw two{FeatureDraw::Kind::kCount, 2.0};
  const auto check = [&](const Tree& tree) {
    CHECK(tree.leaves.size() == 40);
    const auto passing = Passing(tree, data, sample);
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      double sum = 0.0;
      const auto& documents = passing[tree.nodes.size() + leaf];
      REQUIRE_FALSE(documents.empty());
      for (const auto& document : documents) sum += data.grades()[document.row];
      CHECK(tree.leaves[leaf] == doctest::Approx(sum / static_cast<double>(documents.size())));
    }
  };
  check(TreeGrower<>(limits, two, {}, TreeMethod::kHist)
            .Start(training)
            .FitTree(targets, sample, Rng(1)));
  check(TreeGrower<Newton, RandomThreshold>(limits, two, {}, TreeMethod::kHist)
            .Start(training)
            .FitTree(targets, sample, Rng(1)));
}

}  // namespace rankforest
