#include "rankforest/tree/drawn_engine.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/column_engine.hpp"
#include "support/engine_trees.hpp"
#include "support/small_node.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::AllKinds;
using testing::Equal;
using testing::FromColumns;
using testing::GrowWith;
using testing::Pairs;
using testing::RandomSample;
using testing::RandomSettings;
using testing::RandomTargets;
using testing::Settings;
using testing::SquaredErrorTargets;
using testing::Values;
using Stats = Newton::Stats;

namespace {

/// Trees of the engine, and of a search of the drawn columns. Returns how many nodes they had.
template <class Threshold>
std::size_t CheckTrees(const TrainingSet& training, const Settings& settings,
                       std::size_t features_per_node, const Pairs& targets,
                       const RowSample& sample) {
  const Tree expected = GrowWith(ColumnEngine<Newton, Threshold, BinnedColumns>(
                                     training.binned_columns(), Threads{1}, {}, features_per_node),
                                 training, settings, targets, sample);
  const Tree tree = GrowWith(DrawnEngine<Threshold>(training, features_per_node), training,
                             settings, targets, sample);
  CHECK(tree == expected);
  return tree.nodes.size();
}

}  // namespace

TEST_CASE("a small node, its split computed by hand") {
  // Of 64 documents four are small enough a node: values 0 and 1 have grade 0, 2 and 3 grade 2.
  Rng rng(421);
  Values values(64);
  for (std::size_t i = 0; i < 64; ++i) values[i] = static_cast<float>(i);
  testing::RawData raw = FromColumns({values}, rng);
  for (std::size_t i = 0; i < 64; ++i) raw.grades[i] = i < 2 ? 0.0 : 2.0;
  const Dataset data = raw.Make();
  const TrainingSet training(data, Threads{1});
  RowSample sample;
  for (RowId d = 0; d < 64; ++d) {
    if (data.Features(d)[0] < 4.0F) sample.rows.push_back(d);
  }
  Partition<Newton::Target> partition;
  partition.Reset(sample, [&](RowId row) {
    return Newton::Target{-static_cast<std::int32_t>(data.grades()[row]), 1};
  });
  GrowingTree<Stats> tree(1);
  tree[0].end = 4;
  tree[0].stats = {-4, 4, 4};
  DrawnEngine<BestThreshold> engine(training, 1);
  engine.Begin(Newton::Scaled({}, {}), {});
  engine.Search(partition, tree, 0, std::vector<std::uint32_t>{0});
  const Split<Stats>& split = tree[0].split;
  CHECK(split.gain == doctest::Approx(4.0));  // 4^2 / 2 - 4^2 / 4
  CHECK(split.threshold == 1.5F);
  CHECK(Equal(split.left, {0, 2, 2}));
  CHECK(Equal(split.right, {-4, 2, 2}));
  const auto side_of = engine.SideOf(split);
  for (const RowId d : sample.rows) {
    side_of.Prefetch(d);
    CHECK(side_of(d) == (data.grades()[d] == 0.0 ? MissingTo::kLeft : MissingTo::kRight));
  }
}

TEST_CASE("trees are those of a search of the drawn columns") {
  Rng rng(422);
  const Dataset data = FromColumns(AllKinds(3000, rng), rng).Make();
  std::size_t n_nodes = 0;
  for (int trial = 0; trial < testing::Trials(40); ++trial) {
    Settings settings = RandomSettings(rng);
    if (trial % 2 == 0) settings.limits.max_leaf_nodes.reset();  // small nodes, depth first
    const RowSample sample = RandomSample(data, rng);
    const Pairs targets =
        trial % 4 < 2 ? RandomTargets(data.n_documents(), rng) : SquaredErrorTargets(data);
    const TrainingSet training(data, Threads{1 + trial % 3});
    const std::size_t drawn = 1 + rng.Below(static_cast<std::uint32_t>(data.n_features()));
    INFO("trial ", trial, ", ", drawn, " features");
    n_nodes += CheckTrees<BestThreshold>(training, settings, drawn, targets, sample);
    n_nodes += CheckTrees<RandomThreshold>(training, settings, drawn, targets, sample);
  }
  CHECK(n_nodes > testing::Trials(4000U));
}

TEST_CASE("nodes whose sums no word holds are searched column by column") {
  Rng rng(423);
  const Dataset data = FromColumns(AllKinds(3000, rng), rng).Make();
  const TrainingSet training(data, Threads{1});
  Settings settings;
  settings.limits.max_leaf_nodes.reset();
  Pairs targets = RandomTargets(3000, rng);
  for (std::size_t d = 0; d < 3000; d += 2) targets[d] = {1e6, 1e6};  // of 30 bits, either of them
  const RowSample sample = WholeSample(3000);
  CHECK(CheckTrees<BestThreshold>(training, settings, 3, targets, sample) > 1000);
}

}  // namespace rankforest
