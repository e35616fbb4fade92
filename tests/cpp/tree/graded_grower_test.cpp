#include "rankforest/tree/graded_grower.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/objective/mean_relevance.hpp"
#include "rankforest/tree/any_grower.hpp"
#include "rankforest/tree/graded_engine.hpp"
#include "rankforest/tree/grower.hpp"
#include "rankforest/tree/tree_run.hpp"
#include "support/naive_division.hpp"
#include "support/naive_ranking.hpp"
#include "support/passing_documents.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Passing;
using testing::Prepared;
using Pairs = std::vector<GradientPair>;

namespace {

Pairs TargetsOf(const Prepared& prepared, Relevance relevance = Relevance::kGrade) {
  Pairs targets(prepared.data.n_documents());
  const std::vector<double> scores(targets.size(), 0.0);
  MeanRelevance(relevance)
      .Start(prepared.training())
      .Gradients(WholeSample(targets.size()), scores, targets, Rng(0));
  return targets;
}

const FeatureDraw kTwo{FeatureDraw::Kind::kCount, 2.0};

/// The tree of both methods, which must be the same: no feature here has more than 255 values.
Tree GrowGraded(const Prepared& prepared, const CriterionSettings& criterion,
                const RowSample& sample, const Rng& rng, const TreeLimits& limits = {},
                const FeatureDraw& features = kTwo,
                ThresholdRule thresholds = ThresholdRule::kEvery,
                Relevance relevance = Relevance::kGrade) {
  const auto grow = [&](TreeMethod method) {
    const AnyGrower grower(
        GradedGrower(limits, features, criterion, thresholds, relevance, method));
    return grower.Start(prepared.training()).FitTree(TargetsOf(prepared, relevance), sample, rng);
  };
  Tree tree = grow(TreeMethod::kExact);
  CHECK(grow(TreeMethod::kHist) == tree);
  return tree;
}

/// Every criterion but squared error, with its choices.
std::vector<CriterionSettings> EveryCriterion() {
  return {{SplitCriterion::kEntropy},
          {SplitCriterion::kRandom},
          {SplitCriterion::kPairwise},
          {SplitCriterion::kPairwise, PairWeight::kDifference},
          {SplitCriterion::kListwise},
          {SplitCriterion::kListwise, PairWeight::kOne, 3},
          {SplitCriterion::kListwise, PairWeight::kOne, std::nullopt, 2},
          {SplitCriterion::kListwise, PairWeight::kOne, 2, 1, LowerCriterion::kSquaredError}};
}

/// Every leaf must be the mean relevance of the documents that fall into it.
void CheckLeaves(const Tree& tree, const Dataset& data, const RowSample& sample,
                 Relevance relevance) {
  const auto passing = Passing(tree, data, sample);
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const auto& documents = passing[tree.nodes.size() + leaf];
    REQUIRE_FALSE(documents.empty());
    const double mean = testing::NaiveMean(
        data, documents, [&](double grade) { return RelevanceOf(grade, relevance); });
    CHECK(tree.leaves[leaf] == doctest::Approx(mean).epsilon(1e-6));
  }
}

/// Of each node; leaves come behind the inner nodes.
std::vector<std::size_t> ParentsOf(const Tree& tree) {
  std::vector<std::size_t> parents(tree.nodes.size() + tree.leaves.size(), 0);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    for (const std::int32_t child : {node.left, node.right, node.missing}) {
      const auto place = child >= 0 ? static_cast<std::size_t>(child)
                                    : tree.nodes.size() + static_cast<std::size_t>(~child);
      parents[place] = n;
    }
  }
  return parents;
}

Prepared AnyData(Rng& rng, std::uint32_t nan_in_100, bool weights) {
  testing::SmallDataOptions options;
  options.n_queries = 6;
  options.nan_in_100 = nan_in_100;
  options.weights_of_queries = weights;
  return Prepared(testing::SmallData(options, rng));
}

}  // namespace

TEST_CASE("a criterion chooses the tree, its leaves are mean grades") {
  // Feature 0 has the smaller squared error, {0, 0, 4, 4} | {0, 4}... while entropy takes the one
  // that leaves a pure side: grades {0, 1, 1, 4} by feature 0 as {0, 1 | 1, 4}, by feature 1 as
  // {1, 1 | 0, 4}. Squared error 9: 0.5 + 4.5 = 5 against 0 + 8; entropy 6: 2 + 2 against 0 + 2.
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {0, 1, 0, 0, 1, 0, 1, 1};
  raw.grades = {0, 1, 1, 4};
  raw.queries = {0, 0, 0, 0};
  const Prepared prepared(raw);
  TreeLimits stump;
  stump.max_depth = 1;
  const auto grow = [&](SplitCriterion criterion) {
    return GrowGraded(prepared, {criterion}, WholeSample(4), Rng(0), stump);
  };
  const Tree by_error = grow(SplitCriterion::kSquaredError);
  CHECK(by_error.nodes[0].feature == 0);
  CHECK(by_error.leaves == std::vector<float>{0.5F, 2.5F});
  const Tree by_entropy = grow(SplitCriterion::kEntropy);
  CHECK(by_entropy.nodes[0].feature == 1);
  CHECK(by_entropy.leaves == std::vector<float>{1.0F, 2.0F});
  CHECK(by_entropy.gains == std::vector<float>{4.0F});
}

TEST_CASE("by squared error the trees are those of the grower on gradients") {
  Rng rng(831);
  for (int trial = 0; trial < 40; ++trial) {
    const Prepared prepared = AnyData(rng, trial % 2 == 0 ? 20 : 0, trial % 3 == 0);
    const RowSample sample = testing::RandomNodeSample(prepared.data, rng);
    const Rng tree_rng(static_cast<std::uint64_t>(trial));
    TreeLimits limits;
    if (trial % 4 == 0) limits.max_leaf_nodes = 5;
    limits.min_samples_leaf.amount = 1 + trial % 3;
    for (const Relevance relevance : {Relevance::kGrade, Relevance::kExp2}) {
      const Pairs targets = TargetsOf(prepared, relevance);
      CHECK(
          GrowGraded(prepared, {SplitCriterion::kSquaredError}, sample, tree_rng, limits, kTwo,
                     ThresholdRule::kEvery, relevance) ==
          TreeGrower<>(limits, kTwo).Start(prepared.training()).FitTree(targets, sample, tree_rng));
      CHECK(GrowGraded(prepared, {SplitCriterion::kSquaredError}, sample, tree_rng, limits, kTwo,
                       ThresholdRule::kDrawn,
                       relevance) == TreeGrower<Newton, RandomThreshold>(limits, kTwo)
                                         .Start(prepared.training())
                                         .FitTree(targets, sample, tree_rng));
    }
  }
}

TEST_CASE("leaves are means of what the trees predict, whatever the criterion") {
  Rng rng(832);
  std::size_t n_leaves = 0;
  for (const CriterionSettings& criterion : EveryCriterion()) {
    for (const Relevance relevance : {Relevance::kGrade, Relevance::kExp2}) {
      for (const ThresholdRule thresholds : {ThresholdRule::kEvery, ThresholdRule::kDrawn}) {
        const Prepared prepared = AnyData(rng, 10, false);
        const RowSample sample = testing::RandomNodeSample(prepared.data, rng);
        const Tree tree =
            GrowGraded(prepared, criterion, sample, Rng(3), {}, kTwo, thresholds, relevance);
        n_leaves += tree.leaves.size();
        CheckLeaves(tree, prepared.data, sample, relevance);
      }
    }
  }
  CHECK(n_leaves > 100);
}

TEST_CASE("by entropy what is predicted changes the leaves and nothing else") {
  Rng rng(833);
  const Prepared prepared = AnyData(rng, 0, false);
  const auto grow = [&](Relevance relevance) {
    return GrowGraded(prepared, {SplitCriterion::kEntropy},
                      WholeSample(prepared.data.n_documents()), Rng(1), {}, kTwo,
                      ThresholdRule::kEvery, relevance);
  };
  const Tree grades = grow(Relevance::kGrade);
  const Tree gains = grow(Relevance::kExp2);
  CHECK(grades.nodes == gains.nodes);
  CHECK(grades.gains == gains.gains);
  CHECK_FALSE(grades.leaves == gains.leaves);
}

TEST_CASE("a random tree goes on until its leaves are of one grade or cannot be told apart") {
  Rng rng(834);
  for (int trial = 0; trial < 20; ++trial) {
    const Prepared prepared = AnyData(rng, 15, false);
    const RowSample all = WholeSample(prepared.data.n_documents());
    const Tree tree = GrowGraded(prepared, {SplitCriterion::kRandom}, all,
                                 Rng(static_cast<std::uint64_t>(trial)));
    const auto passing = Passing(tree, prepared.data, all);
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const auto& documents = passing[tree.nodes.size() + leaf];
      if (testing::NaiveEntropy(prepared.data, documents) == 0.0) continue;
      CHECK(testing::AllDivisions(prepared.data, documents, {0, 1, 2, 3}).empty());
    }
  }
}

TEST_CASE("a leaf without weight predicts nothing, or what its nearest ancestor with one does") {
  Rng rng(97);
  const auto grade = [](double value) { return value; };
  int n_weightless = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Prepared prepared = AnyData(rng, 10, true);
    const Dataset& data = prepared.data;
    const RowSample all = WholeSample(data.n_documents());
    TreeLimits limits;
    const CriterionSettings random{SplitCriterion::kRandom};
    const Tree zero =
        GrowGraded(prepared, random, all, Rng(static_cast<std::uint64_t>(trial)), limits);
    limits.weightless_leaf = WeightlessLeaf::kParent;
    const Tree filled =
        GrowGraded(prepared, random, all, Rng(static_cast<std::uint64_t>(trial)), limits);
    REQUIRE(filled.nodes == zero.nodes);
    const auto passing = Passing(zero, data, all);
    const auto parents = ParentsOf(zero);
    for (std::size_t leaf = 0; leaf < zero.leaves.size(); ++leaf) {
      std::size_t node = zero.nodes.size() + leaf;
      if (testing::WeightIn(data, passing[node]) > 0.0) {
        CHECK(filled.leaves[leaf] == zero.leaves[leaf]);
        continue;
      }
      ++n_weightless;
      CHECK(zero.leaves[leaf] == 0.0F);
      while (node != 0 && testing::WeightIn(data, passing[node]) == 0.0) node = parents[node];
      const double mean = testing::NaiveMean(data, passing[node], grade);
      CHECK(filled.leaves[leaf] == doctest::Approx(mean).epsilon(1e-6));
    }
  }
  CHECK(n_weightless > 20);
}

TEST_CASE("a listwise tree takes, breadth first, the split that helps the whole tree most") {
  Rng rng(837);
  for (int trial = 0; trial < 30; ++trial) {
    const Prepared prepared = AnyData(rng, trial % 2 == 0 ? 20 : 0, trial % 3 == 0);
    const Dataset& data = prepared.data;
    const RowSample sample = testing::RandomNodeSample(data, rng);
    const std::size_t cutoff = trial % 2 == 0 ? 3 : 1000;
    const Tree tree = GrowGraded(
        prepared, {SplitCriterion::kListwise, PairWeight::kOne, static_cast<std::uint32_t>(cutoff)},
        sample, Rng(0), {}, {});
    // Grown again by the definition: a queue of nodes, and the documents of all others.
    std::vector<std::int32_t> level = {tree.nodes.empty() ? ~0 : 0};
    std::vector<testing::Documents> nodes = {testing::DocumentsOf(sample)};
    for (std::size_t next = 0; next < level.size(); ++next) {
      std::vector<testing::Documents> order;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (n != next && !nodes[n].empty()) order.push_back(nodes[n]);
      }
      order.push_back(nodes[next]);
      const auto gain_of = testing::NaiveListwise(data, order, cutoff);
      const double largest =
          testing::LargestGainOf(testing::AllDivisions(data, nodes[next], {0, 1, 2, 3}), gain_of);
      INFO("trial ", trial, ", node ", next);
      if (level[next] < 0) {
        CHECK(largest < 1e-9);
        continue;
      }
      const Tree::Node& node = tree.nodes[static_cast<std::size_t>(level[next])];
      CHECK(tree.gains[static_cast<std::size_t>(level[next])] ==
            doctest::Approx(largest).epsilon(1e-6));
      const MissingTo missing = node.missing == node.left ? MissingTo::kLeft : MissingTo::kRight;
      const auto own = testing::Divide(data, nodes[next], node.feature, node.threshold, missing);
      CHECK(gain_of(own) == doctest::Approx(largest).epsilon(1e-9));
      nodes[next].clear();  // no node any more
      for (const auto& [child, documents] :
           {std::pair(node.left, own.left), std::pair(node.right, own.right)}) {
        level.push_back(child);
        nodes.push_back(documents);
      }
    }
  }
}

TEST_CASE("below its levels a listwise tree goes on as another tree would") {
  Rng rng(838);
  for (const LowerCriterion below : {LowerCriterion::kEntropy, LowerCriterion::kSquaredError}) {
    const Prepared prepared = AnyData(rng, 10, false);
    const RowSample all = WholeSample(prepared.data.n_documents());
    const Tree hybrid =
        GrowGraded(prepared, {SplitCriterion::kListwise, PairWeight::kOne, std::nullopt, 1, below},
                   all, Rng(2), {}, {});
    TreeLimits stump;
    stump.max_depth = 1;
    const Tree listwise = GrowGraded(prepared, {SplitCriterion::kListwise}, all, Rng(2), stump, {});
    REQUIRE(hybrid.nodes.size() > 3);
    CHECK(hybrid.gains[0] == listwise.gains[0]);
    CHECK(hybrid.nodes[0].feature == listwise.nodes[0].feature);
    CHECK(hybrid.nodes[0].threshold == listwise.nodes[0].threshold);
    const auto passing = Passing(hybrid, prepared.data, all);
    for (std::size_t n = 1; n < hybrid.nodes.size(); ++n) {
      const auto impurity =
          below == LowerCriterion::kEntropy ? testing::NaiveEntropy : testing::NaiveSquaredError;
      CHECK(hybrid.gains[n] ==
            doctest::Approx(testing::LargestGainOf(
                                testing::AllDivisions(prepared.data, passing[n], {0, 1, 2, 3}),
                                testing::DropOf(prepared.data, passing[n], impurity)))
                .epsilon(1e-6));
    }
  }
}

TEST_CASE("one run grows tree after tree as if each were its first, on any number of threads") {
  Rng rng(835);
  const Prepared prepared = AnyData(rng, 10, true);
  const Pairs targets = TargetsOf(prepared);
  for (const CriterionSettings& criterion : EveryCriterion()) {
    const GradedGrower grower({}, kTwo, criterion, ThresholdRule::kEvery, Relevance::kGrade);
    TreeRun run = grower.Start(prepared.training(2));
    for (std::uint64_t tree = 0; tree < 5; ++tree) {
      const RowSample sample = testing::RandomNodeSample(prepared.data, rng);
      CHECK(run.FitTree(targets, sample, Rng(tree)) ==
            GrowGraded(prepared, criterion, sample, Rng(tree)));
    }
  }
}

TEST_CASE("a run adds the leaves of its last tree to the scores of documents") {
  Rng rng(836);
  const Prepared prepared = AnyData(rng, 0, false);
  const RowSample all = WholeSample(prepared.data.n_documents());
  TreeRun run =
      GradedGrower({}, kTwo, {SplitCriterion::kEntropy}, ThresholdRule::kEvery, Relevance::kGrade)
          .Start(prepared.training());
  const Member member = run.Fit(TargetsOf(prepared), all, Rng(0));
  const Tree& tree = member.groups.front().trees.front();
  std::vector<double> scores(all.rows.size(), 0.0);
  run.AddLastTree(1.0, scores);
  const auto passing = Passing(tree, prepared.data, all);
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    for (const auto& document : passing[tree.nodes.size() + leaf]) {
      CHECK(scores[document.row] == static_cast<double>(tree.leaves[leaf]));
    }
  }
}

TEST_CASE("grades whose gain no float64 holds are refused by the listwise criterion") {
  for (const double grade : {1023.0, 1024.0, 1100.0}) {
    const Prepared prepared(testing::OneFeature({1, 2}, {0, grade}));
    const AnyGrower grower(GradedGrower({}, {FeatureDraw::Kind::kAll, 0.0},
                                        {SplitCriterion::kListwise}, ThresholdRule::kEvery,
                                        Relevance::kGrade));
    INFO("grade ", grade);
    if (grade <= 1023.0) {
      CHECK_NOTHROW((void)grower.Start(prepared.training()));
    } else {
      CHECK_THROWS_AS((void)grower.Start(prepared.training()), std::invalid_argument);
    }
  }
}

TEST_CASE("weights of any size give the listwise criterion the same tree") {
  Rng rng(871);
  testing::SmallDataOptions options;
  options.n_queries = 6;
  options.weights_of_queries = true;
  testing::RawData raw = testing::SmallData(options, rng);
  for (double& grade : raw.grades) grade *= 200.0;  // gains up to 2^800
  const auto grow = [&](int exponent) {
    testing::RawData scaled = raw;
    for (double& weight : scaled.weights) weight = std::ldexp(weight, exponent);
    const Prepared prepared(scaled);
    return GrowGraded(prepared, {SplitCriterion::kListwise},
                      WholeSample(prepared.data.n_documents()), Rng(0));
  };
  const Tree tree = grow(0);
  REQUIRE(tree.nodes.size() > 1);
  for (const int exponent : {-90, 40, 90}) {
    const Tree other = grow(exponent);
    INFO("weights times 2^", exponent);
    REQUIRE(other.nodes.size() == tree.nodes.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      CHECK(other.nodes[n].feature == tree.nodes[n].feature);
      CHECK(other.nodes[n].threshold == tree.nodes[n].threshold);
    }
  }
}

TEST_CASE("many distinct grades grow the tree of pairs that their ranks do") {
  // Grades 0, 1, ..., 99 of one query, all apart by one: only the sizes of the sides matter.
  testing::RawData raw;
  for (int i = 0; i < 100; ++i) {
    raw.features.push_back(static_cast<float>(i / 10));
    raw.grades.push_back(i);
    raw.queries.push_back(0);
  }
  const Prepared prepared(raw);
  TreeLimits stump;
  stump.max_depth = 1;
  for (const PairWeight weight : {PairWeight::kOne, PairWeight::kDifference}) {
    const Tree tree = GrowGraded(prepared, {SplitCriterion::kPairwise, weight}, WholeSample(100),
                                 Rng(0), stump, {FeatureDraw::Kind::kAll, 0.0});
    CHECK(tree.nodes[0].threshold == 4.5F);  // 50 x 50 pairs
    CHECK(tree.gains[0] == doctest::Approx(weight == PairWeight::kOne ? 2500.0 : 2500.0 * 50.0));
  }
}

}  // namespace rankforest
