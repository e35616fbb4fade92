#include "rankforest/train/bag.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/used_features.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;
using Pairs = std::vector<GradientPair>;

namespace {

Prepared AnyData() {
  Rng rng(511);
  return Prepared(testing::SmallData({}, rng));
}

Pairs GradeTargets(const Dataset& data) {
  Pairs targets;
  for (const double grade : data.grades()) targets.push_back({-grade, 1.0});
  return targets;
}

TreeGrower<> GrowerOfTwo() { return {{}, {FeatureDraw::Kind::kCount, 2.0}}; }

template <class Sampler>
std::vector<Tree> Trees(std::uint32_t n_trees, const Prepared& prepared, const Sampler& sampler,
                        int threads = 1, const TreesObserver& observer = {}) {
  const Bag bag(n_trees, GrowerOfTwo(), sampler);
  const std::size_t n = prepared.data.n_documents();
  const Member member = bag.Start(prepared.training(threads))
                            .Fit(GradeTargets(prepared.data), WholeSample(n), Rng(9), observer);
  REQUIRE(member.groups.size() == 1);
  CHECK(member.base == 0.0);
  CHECK(member.groups[0].weight == 1.0);
  CHECK(member.groups[0].reduction == Reduction::kMean);
  CHECK(member.groups[0].trees_per_round == 1);
  return member.groups[0].trees;
}

}  // namespace

TEST_CASE("a bag of one tree on all rows is that tree") {
  const Prepared prepared = AnyData();
  const RowSample all = WholeSample(prepared.data.n_documents());
  const Tree tree = GrowerOfTwo()
                        .Start(prepared.training())
                        .FitTree(GradeTargets(prepared.data), all, Rng(9).Child(Purpose::kTree, 0));
  CHECK(Trees(1, prepared, AllRows()) == std::vector<Tree>{tree});
}

TEST_CASE("a tree that would draw documents without weight only is grown on all") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 3});
  raw.weights = {0, 0, 1, 0};
  const Prepared prepared(raw);
  const RowSample all = WholeSample(4);
  std::size_t n_whole = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Rng rng = Rng(4).Child(Purpose::kTree, i);
    const RowSample drawn = DrawForTree(SubsampleRows{0.5}, prepared.data, all, rng);
    double weight = 0.0;
    for (const RowId row : drawn.rows) weight += prepared.data.weights()[row];
    CHECK(weight == 1.0);
    if (drawn.rows.size() == 4) ++n_whole;
  }
  CHECK(n_whole > 10);  // about half of them
  CHECK(n_whole < 30);
}

TEST_CASE("every tree is grown on its own draw, with its own stream") {
  const Prepared prepared = AnyData();
  const RowSample all = WholeSample(prepared.data.n_documents());
  std::vector<Tree> expected;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Rng of_tree = Rng(9).Child(Purpose::kTree, i);
    const RowSample drawn = Bootstrap().Draw(prepared.data, all, of_tree.Child(Purpose::kRows, 0));
    expected.push_back(GrowerOfTwo()
                           .Start(prepared.training())
                           .FitTree(GradeTargets(prepared.data), drawn, of_tree));
  }
  CHECK(Trees(20, prepared, Bootstrap()) == expected);
  CHECK_FALSE(expected[0] == expected[1]);
}

TEST_CASE("the first 100 trees of a bag of 500 are the bag of 100") {
  const Prepared prepared = AnyData();
  std::vector<Tree> many = Trees(500, prepared, Bootstrap(), 2);
  REQUIRE(many.size() == 500);
  many.resize(100);
  CHECK(many == Trees(100, prepared, Bootstrap()));
}

TEST_CASE("threads change no tree and not their order") {
  const Prepared prepared = AnyData();
  const std::vector<Tree> one = Trees(70, prepared, SubsampleRows{0.5});
  CHECK(Trees(70, prepared, SubsampleRows{0.5}, 2) == one);
  CHECK(Trees(70, prepared, SubsampleRows{0.5}, 5) == one);
}

TEST_CASE("an observer sees the trees in the same steps, and stops at the same one") {
  const Prepared prepared = AnyData();
  const std::vector<Tree> all = Trees(70, prepared, Bootstrap());
  for (const int threads : {1, 2, 5, 9}) {
    std::vector<std::size_t> seen;
    INFO(threads, " threads");
    Trees(70, prepared, Bootstrap(), threads, [&](Span<const Tree> trees) {
      seen.push_back(trees.size());
      CHECK(trees[trees.size() - 1] == all[trees.size() - 1]);
      return true;
    });
    CHECK(seen == std::vector<std::size_t>{16, 32, 48, 64, 70});
    const std::vector<Tree> stopped =
        Trees(70, prepared, Bootstrap(), threads,
              [](Span<const Tree> trees) { return trees.size() < 32; });
    CHECK(stopped == std::vector<Tree>(all.begin(), all.begin() + 32));
  }
}

TEST_CASE("trees of a stage are charged for what the trees of earlier stages do not use") {
  Rng rng(512);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  options.n_features = 6;
  const Prepared prepared(testing::SmallData(options, rng));
  const FeatureCosts costs = FeatureCosts::OneByOne({0.25, 0.5, 1.0, 2.0, 4.0, 8.0});
  TreeLimits limits;
  limits.costs = {8.0, CostNormalization::kNone};
  limits.max_leaf_nodes = 3;
  const TreeGrower<> grower(limits, {FeatureDraw::Kind::kCount, 3.0});
  const Pairs targets = GradeTargets(prepared.data);
  const RowSample all = WholeSample(prepared.data.n_documents());
  const auto grow = [&](std::uint32_t n_trees, int threads, std::vector<Tree> first = {},
                        std::vector<std::uint8_t> paid = {}) {
    const TrainingSet training(prepared.data, Threads{threads}, {}, &costs);
    auto run = Bag(n_trees, grower, Bootstrap{1.0}, 3).Start(training);
    run.SetPaid(std::move(paid));
    return run.Fit(targets, all, Rng(9), {}, std::move(first)).groups[0].trees;
  };
  const std::vector<Tree> trees = grow(11, 1);
  const TrainingSet training(prepared.data, {}, {}, &costs);
  int n_charged_less = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    CAPTURE(t);
    std::vector<std::uint8_t> used(6, 0);
    for (std::size_t earlier = 0; earlier < t / 3 * 3; ++earlier) MarkUsed(trees[earlier], used);
    const Rng tree_rng = Rng(9).Child(Purpose::kTree, t);
    const RowSample drawn = DrawForTree(Bootstrap{1.0}, prepared.data, all, tree_rng);
    TreeRun run = grower.Start(training);
    const Tree alone = run.FitTree(targets, drawn, tree_rng);
    run.SetPaid(used);
    CHECK(run.FitTree(targets, drawn, tree_rng) == trees[t]);
    n_charged_less += alone == trees[t] ? 0 : 1;
  }
  CHECK(n_charged_less > 0);
  CHECK(grow(11, 4) == trees);
  for (const std::ptrdiff_t n : {1, 3, 5}) {  // going on within a stage and behind one
    const std::vector<Tree> first(trees.begin(), trees.begin() + n);
    CHECK(grow(11, 2, first) == trees);
  }
  const std::vector<Tree> free = grow(11, 1, {}, {1, 1, 1, 1, 1, 1});
  CHECK(free == Bag(11,
                    TreeGrower<>(
                        [] {
                          TreeLimits plain;
                          plain.max_leaf_nodes = 3;
                          return plain;
                        }(),
                        {FeatureDraw::Kind::kCount, 3.0}),
                    Bootstrap{1.0})
                    .Start(prepared.training())
                    .Fit(targets, all, Rng(9))
                    .groups[0]
                    .trees);
}

}  // namespace rankforest
