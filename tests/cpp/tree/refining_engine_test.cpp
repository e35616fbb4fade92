#include "rankforest/tree/refining_engine.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "support/engine_trees.hpp"
#include "support/small_node.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::AllKinds;
using testing::Equal;
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

/// All kinds of columns, and some whose splits gain as much as others do.
std::vector<Values> WithTwins(std::size_t n, Rng& rng) {
  std::vector<Values> columns = AllKinds(n, rng);
  columns.push_back(columns[0]);
  columns.push_back(columns[5]);
  for (float& value : columns.back()) value = -value;
  columns.insert(columns.begin(), columns[8]);
  for (float& value : columns.front()) value = value * 2.0F;
  return columns;
}

/// Targets that follow the first columns, or next to nothing.
Pairs TargetsOfTrial(int trial, const Dataset& data, Rng& rng) {
  Pairs targets =
      trial % 2 == 0 ? RandomTargets(data.n_documents(), rng) : SquaredErrorTargets(data);
  if (trial % 5 == 0) {  // documents without a pair of their query
    for (std::size_t d = 0; d < targets.size(); d += 3) targets[d] = {0.0, 0.0};
  }
  if (trial % 7 == 0) targets[11] = {4.0, 0.0};  // bounds nothing
  return targets;
}

}  // namespace

TEST_CASE("a threshold inside a bin, computed by hand") {
  // 600 values in 255 bins; the grades change between the 300th and the 301st.
  Rng rng(401);
  Values values(600);
  for (std::size_t i = 0; i < 600; ++i) values[i] = static_cast<float>(i);
  RawData raw = FromColumns({values}, rng);
  for (std::size_t i = 0; i < 600; ++i) raw.grades[i] = i < 300 ? 0.0 : 1.0;
  const Dataset data = raw.Make();
  const TrainingSet training(data, Threads{1});
  REQUIRE(training.value_order().of(0).HasSeveralValues(127));
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(600), [&](RowId row) {
    return Newton::Target{-static_cast<std::int32_t>(data.grades()[row]), 1};
  });
  GrowingTree<Stats> tree(1);
  tree[0].end = 600;
  tree[0].stats = {-300, 600, 600};
  RefiningEngine engine(training);
  engine.Begin(Newton::Scaled({}, {}), {});
  engine.Search(partition, tree, 0, std::vector<std::uint32_t>{0});
  const Split<Stats>& split = tree[0].split;
  CHECK(split.gain == doctest::Approx(150.0));  // 300^2 / 300 - 300^2 / 600
  CHECK(split.threshold == 299.5F);
  CHECK(split.cut == 299);
  CHECK(Equal(split.left, {0, 300, 300}));
  CHECK(Equal(split.right, {-300, 300, 300}));
  const auto side_of = engine.SideOf(split);
  for (RowId d = 0; d < 600; ++d) {
    CHECK(side_of(d) == (data.grades()[d] == 0.0 ? MissingTo::kLeft : MissingTo::kRight));
  }
}

TEST_CASE("trees are those of a search of every value, column by column") {
  Rng rng(402);
  constexpr std::size_t kDocuments = 3000;
  const Dataset data = FromColumns(WithTwins(kDocuments, rng), rng).Make();
  const TrainingSet training(data, Threads{2});
  std::size_t third_children = 0;
  std::size_t n_other = 0;
  for (int trial = 0; trial < testing::Trials(60); ++trial) {
    const Settings settings = RandomSettings(rng);
    const RowSample sample = RandomSample(data, rng);
    const Pairs targets = TargetsOfTrial(trial, data, rng);
    const Tree tree = GrowWith(RefiningEngine(training), training, settings, targets, sample);
    INFO("trial ", trial);
    CHECK(tree.nodes.size() > 0);
    CHECK(tree == GrowOn(training.presorted(), training, settings, targets, sample));
    for (const Tree::Node& node : tree.nodes) {
      third_children += node.missing != node.left && node.missing != node.right ? 1U : 0U;
    }
    const Tree of_bins = GrowOn(training.binned_columns(), training, settings, targets, sample);
    n_other += tree == of_bins ? 0U : 1U;
  }
  CHECK(third_children >= testing::Trials(8U));
  CHECK(n_other > testing::Trials(60U) * 5 / 6);  // bins are too coarse to find them
}

TEST_CASE("above 65,536 documents, where sums share words, trees are those, too") {
  Rng rng(403);
  constexpr std::size_t kDocuments = 66000;
  REQUIRE(SearchBits(kDocuments) == kLargeSearchBits);
  const Dataset data =
      FromColumns({ManyValues(kDocuments, rng), ManyValues(kDocuments, rng)}, rng).Make();
  const TrainingSet training(data, Threads{2});
  Settings settings;
  settings.limits.max_leaf_nodes = 12;
  const RowSample all = WholeSample(kDocuments);
  for (const Pairs& targets : {RandomTargets(kDocuments, rng), SquaredErrorTargets(data)}) {
    const Tree tree = GrowWith(RefiningEngine(training), training, settings, targets, all);
    CHECK(tree.leaves.size() == 12);
    CHECK(tree == GrowOn(training.presorted(), training, settings, targets, all));
  }
}

TEST_CASE("one refining engine serves tree after tree as if each were its first") {
  Rng rng(404);
  const Dataset data = FromColumns(WithTwins(1500, rng), rng).Make();
  const TrainingSet training(data, Threads{1});
  Settings settings;
  settings.limits.max_leaf_nodes = 20;
  TreeGrowth<Newton, RefiningEngine> growth(settings.limits, settings.newton, training,
                                            RefiningEngine(training));
  for (int trial = 0; trial < 8; ++trial) {
    const RowSample sample = RandomSample(data, rng);
    const Pairs targets = TargetsOfTrial(trial, data, rng);
    CHECK(growth.FitTree(targets, sample, Rng(0)) ==
          GrowOn(training.presorted(), training, settings, targets, sample));
  }
}

TEST_CASE("neither threads nor the order of rows change a bit of an exact tree") {
  Rng rng(405);
  const RawData raw = FromColumns(WithTwins(9000, rng), rng);
  const Dataset data = raw.Make();
  const Dataset shuffled = raw.Take(testing::ShuffledRows(9000, rng)).Make();
  Settings settings;
  settings.limits.max_leaf_nodes = 30;
  const auto grow = [&](const Dataset& documents, int threads) {
    const TrainingSet training(documents, Threads{threads});
    return GrowWith(RefiningEngine(training), training, settings, SquaredErrorTargets(documents),
                    WholeSample(9000));
  };
  const Tree tree = grow(data, 1);
  CHECK(tree.leaves.size() == 30);
  CHECK(grow(data, 2) == tree);
  CHECK(grow(data, 3) == tree);
  CHECK(grow(shuffled, 2) == tree);
}

}  // namespace rankforest
