#include "rankforest/tree/histogram_engine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "support/column_data.hpp"
#include "support/engine_trees.hpp"
#include "support/passing_documents.hpp"
#include "support/small_node.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::AllKinds;
using testing::Equal;
using testing::FewValues;
using testing::FromColumns;
using testing::GrowOn;
using testing::GrowWith;
using testing::ManyValues;
using testing::Pairs;
using testing::RandomSample;
using testing::RandomSettings;
using testing::RandomTargets;
using testing::RawData;
using testing::Settings;
using testing::SquaredErrorTargets;
using testing::Values;
using Stats = Newton::Stats;

namespace {

/// The sums of the documents that pass a child, and their count.
Stats SumOf(const testing::NaiveTree::Documents& documents, const Newton::Scaled& criterion,
            const Pairs& targets) {
  Stats sum;
  for (const auto& [row, count] : documents) sum.Add(criterion.ToTarget(targets[row]), count);
  return sum;
}

/// Checks that the threshold of every node lies between two neighbouring values of the node, and
/// that its gain is that of its children's documents.
void CheckNodes(const Tree& tree, const Dataset& data, const Pairs& targets,
                const RowSample& sample, const Newton& newton) {
  const Newton::Scaled criterion(
      newton, ScalesFor(LargestOf(targets, sample.rows), SearchBits(sample.size())));
  const auto passing = testing::Passing(tree, data, sample);
  const auto sum_of = [&](std::int32_t child) {
    const auto index = child >= 0 ? static_cast<std::size_t>(child)
                                  : tree.nodes.size() + static_cast<std::size_t>(~child);
    return SumOf(passing[index], criterion, targets);
  };
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    float below = -std::numeric_limits<float>::infinity();
    float above = std::numeric_limits<float>::infinity();
    for (const auto& document : passing[n]) {
      const float value = data.Features(document.row)[node.feature];
      if (value <= node.threshold) below = std::max(below, value);
      if (value > node.threshold) above = std::min(above, value);
    }
    INFO("node ", n);
    CHECK(below <= node.threshold);
    CHECK(node.threshold < above);
    if (node.threshold < std::numeric_limits<float>::max()) {
      CHECK(std::isfinite(below));
      CHECK(std::isfinite(above));
    }
    const Stats left = sum_of(node.left);
    const Stats right = sum_of(node.right);
    double gain = criterion.Gain(left, right);
    if (node.missing != node.left && node.missing != node.right) {
      gain += criterion.Gain(left + right, sum_of(node.missing));
    }
    CHECK(tree.gains[n] == ToFiniteFloat(gain));
  }
}

}  // namespace

TEST_CASE("the split of a root of four documents, computed by hand") {
  // The three boundaries gain 16/3, 16 and 16/3.
  const Dataset data = testing::OneFeature({1, 2, 4, 8}, {0, 0, 4, 4}).Make();
  const TrainingSet training(data, Threads{1});
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(4), [&](RowId row) {
    return Newton::Target{-static_cast<std::int32_t>(data.grades()[row]), 1};
  });
  GrowingTree<Stats> tree(1);
  tree[0].end = 4;
  tree[0].stats = {-8, 4, 4};
  HistogramEngine engine(training);
  engine.Begin(Newton::Scaled({}, {}), {});
  engine.Search(partition, tree, 0, std::vector<std::uint32_t>{0});
  const Split<Stats>& split = tree[0].split;
  CHECK(split.gain == doctest::Approx(16.0));
  CHECK(split.feature == 0);
  CHECK(split.threshold == 3.0F);
  CHECK(split.cut == 1);
  CHECK(Equal(split.left, {0, 2, 2}));
  CHECK(Equal(split.right, {-8, 2, 2}));
  const auto side_of = engine.SideOf(split);
  for (RowId d = 0; d < 4; ++d) {
    CHECK(side_of(d) == (data.grades()[d] == 0.0 ? MissingTo::kLeft : MissingTo::kRight));
  }
}

TEST_CASE("trees are those of a search column by column over the same bins") {
  Rng rng(371);
  constexpr std::size_t kDocuments = 3000;
  const Dataset data = FromColumns(AllKinds(kDocuments, rng), rng).Make();
  const TrainingSet training(data, Threads{2});
  std::size_t third_children = 0;
  for (int trial = 0; trial < testing::Trials(40); ++trial) {
    const Settings settings = RandomSettings(rng);
    const RowSample sample = RandomSample(data, rng);
    const Pairs targets =
        trial % 2 == 0 ? RandomTargets(kDocuments, rng) : SquaredErrorTargets(data);
    const Tree tree = GrowWith(HistogramEngine(training), training, settings, targets, sample);
    INFO("trial ", trial);
    CHECK(tree.nodes.size() > 0);
    CHECK(tree == GrowOn(training.binned_columns(), training, settings, targets, sample));
    CheckNodes(tree, data, targets, sample, settings.newton);
    for (const Tree::Node& node : tree.nodes) {
      third_children += node.missing != node.left && node.missing != node.right ? 1U : 0U;
    }
  }
  CHECK(third_children >= testing::Trials(8U));
}

TEST_CASE("one engine serves tree after tree as if each were its first") {
  Rng rng(372);
  const Dataset data = FromColumns(AllKinds(1500, rng), rng).Make();
  const TrainingSet training(data, Threads{1});
  Settings settings;
  settings.limits.max_leaf_nodes = 20;
  TreeGrowth<Newton, HistogramEngine> growth(settings.limits, settings.newton, training,
                                             HistogramEngine(training));
  for (int trial = 0; trial < 8; ++trial) {
    const RowSample sample = RandomSample(data, rng);
    // Equal hessians, then others, then equal ones.
    const Pairs targets = trial % 2 == 0 ? SquaredErrorTargets(data) : RandomTargets(1500, rng);
    CHECK(growth.FitTree(targets, sample, Rng(0)) ==
          GrowWith(HistogramEngine(training), training, settings, targets, sample));
  }
}

TEST_CASE("where histograms find no room to wait, both children are summed: the tree is the same") {
  Rng rng(373);
  const Dataset data = FromColumns(AllKinds(4000, rng), rng).Make();
  const TrainingSet training(data, Threads{1});
  const Pairs targets = RandomTargets(4000, rng);
  for (const GrowPolicy policy : {GrowPolicy::kBestFirst, GrowPolicy::kDepthWise}) {
    Settings settings;
    settings.limits.max_leaf_nodes = 120;  // many more wait than eight
    settings.limits.grow_policy = policy;
    settings.limits.missing = MissingRule::kThird;
    const RowSample sample = WholeSample(4000);
    const Tree tree = GrowWith(HistogramEngine(training), training, settings, targets, sample);
    CHECK(tree.leaves.size() >= 119);
    CHECK(GrowWith(HistogramEngine(training, 0), training, settings, targets, sample) == tree);
  }
}

TEST_CASE("above 65,536 documents, where sums share words, few values make the exact tree") {
  Rng rng(374);
  constexpr std::size_t kDocuments = 66000;
  REQUIRE(SearchBits(kDocuments) == kLargeSearchBits);
  const Dataset data =
      FromColumns({FewValues(kDocuments, 255, 0, rng), FewValues(kDocuments, 5, 20, rng),
                   FewValues(kDocuments, 2, 0, rng)},
                  rng)
          .Make();
  const TrainingSet training(data, Threads{2});
  Settings settings;
  settings.limits.max_leaf_nodes = 20;
  const RowSample all = WholeSample(kDocuments);
  for (const Pairs& targets : {RandomTargets(kDocuments, rng), SquaredErrorTargets(data)}) {
    const Tree tree = GrowWith(HistogramEngine(training), training, settings, targets, all);
    CHECK(tree.leaves.size() == 20);
    CHECK(tree == GrowOn(training.presorted(), training, settings, targets, all));
    CheckNodes(tree, data, targets, all, settings.newton);
  }
}

TEST_CASE("a bootstrap of so many documents makes the exact tree, too") {
  Rng rng(375);
  constexpr std::size_t kDocuments = 66000;
  const Dataset data =
      FromColumns({FewValues(kDocuments, 30, 5, rng), FewValues(kDocuments, 4, 0, rng)}, rng)
          .Make();
  const TrainingSet training(data, Threads{1});
  Settings settings;
  settings.limits.max_leaf_nodes = 10;
  RowSample sample = WholeSample(kDocuments);
  for (RowId d = 0; d < kDocuments; ++d) sample.counts.push_back(1 + rng.Below(3));
  sample.counts[500] = 1U << 20U;  // overflows a word alone
  const Pairs targets = RandomTargets(kDocuments, rng);
  CHECK(GrowWith(HistogramEngine(training), training, settings, targets, sample) ==
        GrowOn(training.presorted(), training, settings, targets, sample));
}

TEST_CASE("with many values a tree's first gain comes close to the exact one, and never above") {
  Rng rng(376);
  constexpr std::size_t kDocuments = 4000;
  for (int trial = 0; trial < 5; ++trial) {
    const Values signal = ManyValues(kDocuments, rng);
    const Dataset data = FromColumns({signal, ManyValues(kDocuments, rng)}, rng).Make();
    const TrainingSet training(data, Threads{1});
    Settings settings;
    settings.limits.max_leaf_nodes = 2;
    Pairs targets(kDocuments);
    for (RowId d = 0; d < kDocuments; ++d) {
      const float value = data.Features(d)[0];
      targets[d] = {(value > 0.3F ? 2.0 : 0.0) + rng.Uniform(), 1.0};
    }
    const RowSample all = WholeSample(kDocuments);
    const Tree binned = GrowWith(HistogramEngine(training), training, settings, targets, all);
    const Tree exact = GrowOn(training.presorted(), training, settings, targets, all);
    REQUIRE(binned.gains.size() == 1);
    CHECK(binned.nodes[0].feature == 0);
    CHECK(binned.gains[0] <= exact.gains[0]);
    CHECK(binned.gains[0] > 0.98F * exact.gains[0]);
  }
}

TEST_CASE("features in several groups of bins grow the tree of a search column by column") {
  Rng rng(377);
  std::vector<Values> columns(262, ManyValues(900, rng));
  for (std::size_t f = 5; f < columns.size(); f += 2) columns[f] = ManyValues(900, rng);
  const Dataset data = FromColumns(columns, rng).Make();
  const TrainingSet training(data, Threads{2});
  REQUIRE(BinnedRows(training.binned_columns(), Threads{1}).groups().size() == 2);
  Settings settings;
  settings.limits.max_leaf_nodes = 8;
  const Pairs targets = RandomTargets(900, rng);
  CHECK(GrowWith(HistogramEngine(training), training, settings, targets, WholeSample(900)) ==
        GrowOn(training.binned_columns(), training, settings, targets, WholeSample(900)));
}

TEST_CASE("neither threads nor the order of rows change a bit of a tree") {
  Rng rng(378);
  const RawData raw = FromColumns(AllKinds(9000, rng), rng);
  const Dataset data = raw.Make();
  const Dataset shuffled = raw.Take(testing::ShuffledRows(9000, rng)).Make();
  Settings settings;
  settings.limits.max_leaf_nodes = 30;
  const auto grow = [&](const Dataset& documents, int threads) {
    const TrainingSet training(documents, Threads{threads});
    return GrowWith(HistogramEngine(training), training, settings, SquaredErrorTargets(documents),
                    WholeSample(9000));
  };
  const Tree tree = grow(data, 1);
  CHECK(tree.leaves.size() == 30);
  CHECK(grow(data, 2) == tree);
  CHECK(grow(data, 3) == tree);
  CHECK(grow(shuffled, 2) == tree);
}

}  // namespace rankforest
