#include "rankforest/train/combinators.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/used_features.hpp"
#include "rankforest/objective/callback.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/column_data.hpp"
#include "support/model_of.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::ByRow;
using testing::ModelOf;
using testing::Prepared;
using testing::ScoreLog;

namespace {

Prepared WeightedData() {
  Rng rng(521);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  options.nan_in_100 = 10;
  options.weights_of_rows = true;
  return Prepared(testing::SmallData(options, rng));
}

TreeGrower<> GrowerOfDepth(std::uint32_t depth) {
  TreeLimits limits;
  limits.max_depth = depth;
  return {limits, {}};
}

template <class Trainer>
Member Train(const Trainer& trainer, const Prepared& prepared, MonitorSettings settings = {},
             int threads = 1, std::size_t n_rounds = 0) {
  Monitor monitor(std::move(settings), Threads{threads}, n_rounds);
  return trainer.Train(prepared.training(threads), WholeSample(prepared.data.n_documents()), Rng(3),
                       monitor);
}

/// Checks that the scores that a run kept after its rounds are those of the model's prefixes.
void CheckPrefixes(const Ensemble& model, const Dataset& data, const ScoreLog& log,
                   const std::vector<std::size_t>& rounds) {
  REQUIRE(log.scores.size() == rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    INFO("after round ", rounds[i]);
    CHECK(ByRow(data, log.scores[i]) == Score(Prefix(model, rounds[i]), data.features()));
  }
}

MonitorSettings WatchTraining(const Prepared& prepared, ScoreLog& log) {
  MonitorSettings settings;
  settings.watches = {{"train", &prepared.data, {log.metric()}}};
  return settings;
}

/// Squared error that notes the first number of the seventh query's stream in each round.
class DrawingObjective {
 public:
  explicit DrawingObjective(std::vector<std::uint64_t>& drawn) : drawn_(drawn) {}

  class Run {
   public:
    Run(SquaredError::Run run, std::vector<std::uint64_t>& drawn) : run_(run), drawn_(drawn) {}
    [[nodiscard]] double BaseScore(const RowSample& sample) const { return run_.BaseScore(sample); }
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& rng) {
      run_.Gradients(sample, scores, out, rng);
      drawn_.push_back(rng.Child(Purpose::kObjective, 7).Next());
    }

   private:
    SquaredError::Run run_;
    std::vector<std::uint64_t>& drawn_;
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    return {SquaredError().Start(training), drawn_};
  }

 private:
  std::vector<std::uint64_t>& drawn_;
};

/// A grower that hides that it knows leaves.
class ForgetfulGrower {
 public:
  explicit ForgetfulGrower(TreeGrower<> grower) : grower_(std::move(grower)) {}

  class Run {
   public:
    explicit Run(TreeGrower<>::Run run) : run_(std::move(run)) {}
    void SetPaid(std::vector<std::uint8_t> paid) { run_.SetPaid(std::move(paid)); }
    [[nodiscard]] Member Fit(Span<const GradientPair> targets, const RowSample& sample,
                             const Rng& rng) {
      return run_.Fit(targets, sample, rng);
    }

   private:
    TreeGrower<>::Run run_;
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    return Run(grower_.Start(training));
  }

 private:
  TreeGrower<> grower_;
};

/// Checks that boosting gives the same scores after each round whether it takes documents' leaves
/// from the grower or walks down its trees.
template <class Sampler>
void CheckKnownLeaves(const Prepared& prepared, TreeMethod method, MissingRule missing,
                      Sampler sampler, int threads) {
  TreeLimits limits;
  limits.max_leaf_nodes = 9;
  limits.missing = missing;
  const TreeGrower<> grower(limits, {}, {}, method);
  ScoreLog known;
  ScoreLog walked;
  const BoostPlan plan{6, 0.3};
  const Member member = Train(Boost(plan, SquaredError(), grower, sampler), prepared,
                              WatchTraining(prepared, known), threads);
  CHECK(Train(Boost(plan, SquaredError(), ForgetfulGrower(grower), sampler), prepared,
              WatchTraining(prepared, walked), threads) == member);
  REQUIRE(known.scores.size() == 6);
  CHECK(known.scores == walked.scores);
}

}  // namespace

TEST_CASE("two rounds of boosting on four documents, computed by hand") {
  // Base (0 + 0 + 2 + 6) / 4 = 2. Residuals -2 -2 0 4: the split behind the third document drops
  // the squared error of 24 to 8/3 (behind the second: 8); leaves -4/3 and 4. At rate 1/2 the
  // residuals become -4/3 -4/3 2/3 2: behind the second document 8/9 is left, and the leaves are
  // -4/3 and 4/3.
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 0, 2, 6}));
  const Boost boost(BoostPlan{2, 0.5}, SquaredError(), GrowerOfDepth(1), AllRows());
  const Member member = Train(boost, prepared);
  CHECK(member.base == 2.0);
  REQUIRE(member.groups.size() == 1);
  const Group& group = member.groups[0];
  CHECK(group.weight == 0.5);
  CHECK(group.reduction == Reduction::kSum);
  REQUIRE(group.trees.size() == 2);
  CHECK(group.trees[0].nodes[0].threshold == 3.5F);
  CHECK(group.trees[1].nodes[0].threshold == 2.5F);
  CHECK(group.trees[0].leaves[0] == doctest::Approx(-4.0 / 3.0));
  CHECK(group.trees[0].leaves[1] == doctest::Approx(4.0));
  CHECK(group.trees[1].leaves[0] == doctest::Approx(-4.0 / 3.0));
  CHECK(group.trees[1].leaves[1] == doctest::Approx(4.0 / 3.0));
  const std::vector<double> scores =
      Score(ModelOf(member, prepared.data), prepared.data.features());
  const std::vector<double> expected = {2.0 / 3.0, 2.0 / 3.0, 2.0, 14.0 / 3.0};
  for (std::size_t row = 0; row < 4; ++row) CHECK(scores[row] == doctest::Approx(expected[row]));
}

TEST_CASE("boosting may start from zero") {
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 0, 2, 6}));
  const Boost boost(BoostPlan{1, 1.0}, SquaredError(InitialScore::kZero), GrowerOfDepth(9),
                    AllRows());
  const Member member = Train(boost, prepared);
  CHECK(member.base == 0.0);
  CHECK(member.groups[0].trees[0].leaves == std::vector<float>{0.0F, 2.0F, 6.0F});
}

TEST_CASE("one step from score zero with one tree is CART: every leaf is a mean of grades") {
  const Prepared prepared = WeightedData();
  const Dataset& data = prepared.data;
  const Once once(SquaredError(InitialScore::kZero), GrowerOfDepth(3));
  const Member member = Train(once, prepared);
  std::vector<GradientPair> targets;
  for (std::size_t d = 0; d < data.n_documents(); ++d) {
    targets.push_back({-data.weights()[d] * data.grades()[d], data.weights()[d]});
  }
  const Tree tree = GrowerOfDepth(3)
                        .Start(prepared.training())
                        .FitTree(targets, WholeSample(data.n_documents()), Rng(3));
  CHECK(member == Member{0.0, {{1.0, Reduction::kSum, 1, {tree}}}});
}

TEST_CASE("the scores that boosting works with are the model's, bit for bit, round by round") {
  const Prepared prepared = WeightedData();
  ScoreLog log;
  const Boost boost(BoostPlan{12, 0.3}, SquaredError(), GrowerOfDepth(2), SubsampleRows{0.5});
  const Member member = Train(boost, prepared, WatchTraining(prepared, log));
  std::vector<std::size_t> rounds;
  for (std::size_t round = 1; round <= 12; ++round) rounds.push_back(round);
  CheckPrefixes(ModelOf(member, prepared.data), prepared.data, log, rounds);
}

TEST_CASE("the objective of a round sees the scores of the model so far") {
  const Prepared prepared = WeightedData();
  std::vector<std::vector<double>> seen;
  const CallbackObjective objective([&](CallbackRound& round) {
    seen.push_back(round.scores);
    for (std::size_t i = 0; i < round.scores.size(); ++i) {
      round.gradients.push_back(round.scores[i] - round.grades[i]);
      round.hessians.push_back(1.0);
    }
  });
  const Boost boost(BoostPlan{5, 0.3}, objective, GrowerOfDepth(2), AllRows());
  const Ensemble model = ModelOf(Train(boost, prepared), prepared.data);
  REQUIRE(seen.size() == 5);
  for (std::size_t round = 0; round < 5; ++round) {
    CHECK(ByRow(prepared.data, seen[round]) ==
          Score(Prefix(model, round), prepared.data.features()));
  }
}

TEST_CASE("the objective of a round draws from the stream of that round") {
  const Prepared prepared = WeightedData();
  std::vector<std::uint64_t> drawn;
  const Boost boost(BoostPlan{4, 0.3}, DrawingObjective(drawn), GrowerOfDepth(2), AllRows());
  (void)Train(boost, prepared);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t round = 0; round < 4; ++round) {
    expected.push_back(Rng(3).Child(Purpose::kRound, round).Child(Purpose::kObjective, 7).Next());
  }
  CHECK(drawn == expected);
}

TEST_CASE("a learning rate of one half halves the first step and no leaf") {
  const Prepared prepared = WeightedData();
  const auto first = [&](double rate) {
    return Train(Boost(BoostPlan{1, rate}, SquaredError(), GrowerOfDepth(2), AllRows()), prepared);
  };
  CHECK(first(0.5).groups[0].trees == first(1.0).groups[0].trees);
  CHECK(first(0.5).groups[0].weight == 0.5);
}

TEST_CASE("every round draws its own rows, and rounds do not depend on how many there are") {
  const Prepared prepared = WeightedData();
  const auto trees = [&](std::uint32_t n_rounds) {
    const Boost boost(BoostPlan{n_rounds, 0.1}, SquaredError(), GrowerOfDepth(2),
                      SubsampleRows{0.3});
    return Train(boost, prepared).groups[0].trees;
  };
  std::vector<Tree> many = trees(10);
  CHECK_FALSE(many[0] == many[1]);
  many.resize(4);
  CHECK(many == trees(4));
}

TEST_CASE("the second trainer of a chain starts where the first one ended") {
  const Prepared prepared = WeightedData();
  const Once forest(SquaredError(InitialScore::kZero), Bag(5, GrowerOfDepth(3), Bootstrap()));
  const Boost boost(BoostPlan{6, 0.3}, SquaredError(), GrowerOfDepth(2), AllRows());
  const Chain chain(forest, boost);
  ScoreLog log;
  const Member member = Train(chain, prepared, WatchTraining(prepared, log), 1, 11);

  Monitor nothing{MonitorSettings()};
  const RowSample all = WholeSample(prepared.data.n_documents());
  const Member start =
      forest.Train(prepared.training(), all, Rng(3).Child(Purpose::kStage, 0), nothing);
  const Member expected =
      boost.Train(prepared.training(), all, Rng(3).Child(Purpose::kStage, 1), nothing, start);
  CHECK(member == expected);
  CHECK(member.base == 0.0);  // the mean grade is in the forest
  REQUIRE(member.groups.size() == 2);
  CHECK(member.groups[0] == start.groups[0]);
  CHECK(member.groups[1].trees.size() == 6);
  CheckPrefixes(ModelOf(member, prepared.data), prepared.data, log, {1, 2, 5, 6, 7, 8, 9, 10, 11});
}

TEST_CASE("boosting after a forest corrects what the forest leaves") {
  // One tree of one leaf, 2, then residuals -2 -2 0 4 as if from the mean.
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 0, 2, 6}));
  TreeLimits stump;
  stump.min_samples_leaf.amount = 4;
  const Chain chain(
      Once(SquaredError(InitialScore::kZero), Bag(1, TreeGrower<>(stump, {}), AllRows())),
      Boost(BoostPlan{1, 0.5}, SquaredError(), GrowerOfDepth(1), AllRows()));
  const Member member = Train(chain, prepared);
  REQUIRE(member.groups.size() == 2);
  CHECK(member.groups[0].trees[0].leaves == std::vector<float>{2.0F});
  CHECK(member.groups[1].trees[0].nodes[0].threshold == 3.5F);
  CHECK(member.groups[1].trees[0].leaves[1] == doctest::Approx(4.0));
}

TEST_CASE("a chain that is asked to stop in its first trainer ends there") {
  const Prepared prepared = WeightedData();
  const Chain chain(Once(SquaredError(InitialScore::kZero), Bag(40, GrowerOfDepth(2), Bootstrap())),
                    Boost(BoostPlan{5, 0.5}, SquaredError(), GrowerOfDepth(1), AllRows()));
  MonitorSettings settings;
  settings.on_round = [](const RoundReport& report) { return report.round < 20; };
  const Member member = Train(chain, prepared, settings);
  REQUIRE(member.groups.size() == 1);
  CHECK(member.groups[0].trees.size() == 32);  // the first look from 20 trees on
}

TEST_CASE("boosting ends with the round in which the observer says so") {
  const Prepared prepared = WeightedData();
  const Boost boost(BoostPlan{9, 0.5}, SquaredError(), GrowerOfDepth(1), AllRows());
  MonitorSettings settings;
  settings.on_round = [](const RoundReport& report) { return report.round < 3; };
  CHECK(Train(boost, prepared, settings).groups[0].trees.size() == 3);
}

TEST_CASE("boosting may take whole forests as steps") {
  const Prepared prepared = WeightedData();
  ScoreLog log;
  const Boost boost(BoostPlan{3, 0.5}, SquaredError(), Bag(4, GrowerOfDepth(3), Bootstrap()),
                    AllRows());
  const Member member = Train(boost, prepared, WatchTraining(prepared, log));
  REQUIRE(member.groups.size() == 3);
  for (const Group& group : member.groups) {
    CHECK(group.weight == 0.5);
    CHECK(group.reduction == Reduction::kMean);
    CHECK(group.trees.size() == 4);
    CHECK(group.n_rounds() == 1);  // of boosting
  }
  CheckPrefixes(ModelOf(member, prepared.data), prepared.data, log, {1, 2, 3});
}

TEST_CASE("the squared error of the training data falls with every round") {
  const Prepared prepared = WeightedData();
  MonitorSettings settings;
  settings.watches = {{"train", &prepared.data, {testing::Watched("rmse", prepared.data)}}};
  Monitor monitor(settings, Threads{1}, 20);
  const Boost boost(BoostPlan{20, 0.3}, SquaredError(), GrowerOfDepth(2), AllRows());
  (void)boost.Train(prepared.training(), WholeSample(prepared.data.n_documents()), Rng(1), monitor);
  REQUIRE(monitor.history().size() == 20);
  for (std::size_t r = 1; r < 20; ++r) {
    CHECK(monitor.history()[r].values[0][0] < monitor.history()[r - 1].values[0][0]);
  }
}

TEST_CASE("a grower knows the leaves of its documents; forests and wrappers do not") {
  static_assert(KnowsLeaves<TreeGrower<>::Run>::value);
  static_assert(!KnowsLeaves<ForgetfulGrower::Run>::value);
  static_assert(!KnowsLeaves<Bag<TreeGrower<>, Bootstrap>::Run>::value);
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 0, 4, 4}));
  TreeGrower<>::Run run = GrowerOfDepth(1).Start(prepared.training());
  std::vector<GradientPair> targets;
  for (const double grade : prepared.data.grades()) targets.push_back({-grade, 1.0});
  const Tree tree = run.FitTree(targets, {{0, 1, 3}, {}}, Rng(0));
  REQUIRE(tree.leaves == std::vector<float>{0, 4});
  std::vector<double> scores = {10, 20, 30, 40};
  run.AddLastTree(0.5, scores);
  for (RowId row = 0; row < 4; ++row) {
    const double value = tree.Value(prepared.data.Features(row));
    CHECK(scores[row] == 10.0 * (row + 1) + value / 2.0);
  }
}

TEST_CASE("known leaves add what walking down the trees adds, bit for bit") {
  Rng rng(522);
  testing::SmallDataOptions options;
  options.n_queries = 60;
  options.n_values = 40;
  options.nan_in_100 = 15;
  options.weights_of_rows = true;
  const Prepared prepared(testing::SmallData(options, rng));
  for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
    for (const MissingRule missing : {MissingRule::kLearn, MissingRule::kThird}) {
      for (const int threads : {1, 3}) {
        CheckKnownLeaves(prepared, method, missing, AllRows(), threads);
        CheckKnownLeaves(prepared, method, missing, SubsampleRows{0.4}, threads);
        CheckKnownLeaves(prepared, method, missing, Bootstrap(), threads);
      }
    }
  }
}

TEST_CASE("boosting on all rows is boosting on a sample of all of them") {
  Rng rng(817);
  const Prepared prepared{testing::SmallData({}, rng)};
  const auto boosted = [&](auto sampler) {
    return Train(Boost(BoostPlan{4, 0.3}, SquaredError(), GrowerOfDepth(3), sampler), prepared);
  };
  const Member on_all = boosted(AllRows());
  CHECK(on_all == boosted(SubsampleRows{1.0}));
  CHECK_FALSE(on_all == boosted(SubsampleRows{0.5}));
}

TEST_CASE("known leaves are right where bins hold many values each") {
  Rng rng(523);
  const Prepared prepared(
      testing::FromColumns({testing::ManyValues(1200, rng), testing::ManyValues(1200, rng),
                            testing::FewValues(1200, 300, 10, rng)},
                           rng));
  for (const MissingRule missing : {MissingRule::kLearn, MissingRule::kThird}) {
    CheckKnownLeaves(prepared, TreeMethod::kHist, missing, SubsampleRows{0.5}, 2);
  }
}

namespace {

TreeGrower<> ChargedGrower() {
  TreeLimits limits;
  limits.max_depth = 2;
  limits.costs.weight = 0.2;
  return {limits, {}};
}

/// Whether each tree of the last group is the one that a grower makes of the scores and the used
/// features of the model before it.
void CheckCharged(const Member& model, std::size_t first_round, const TrainingSet& training) {
  const RowSample all = WholeSample(training.data.n_documents());
  auto objective = SquaredError().Start(training);
  std::vector<GradientPair> targets(training.data.n_documents());
  const std::vector<Tree> trees = TreesOf(model);
  int n_free = 0;
  for (std::size_t round = first_round; round < model.n_rounds(); ++round) {
    CAPTURE(round);
    const Member before = Prefix(ModelOf(model, training.data), round).members.front();
    objective.Gradients(all, ScoresAfter(before, training), targets, Rng(0));
    std::vector<std::uint8_t> used(training.data.n_features(), 0);
    MarkUsed(before, used);
    TreeRun run = ChargedGrower().Start(training);
    const Tree charged = run.FitTree(targets, all, Rng(0));
    run.SetPaid(used);
    CHECK(run.FitTree(targets, all, Rng(0)) == trees[round]);
    n_free += charged == trees[round] ? 0 : 1;
  }
  CHECK(n_free > 0);
}

}  // namespace

TEST_CASE("boosting is charged once for a feature, also where it goes on from a model") {
  const Prepared prepared = WeightedData();
  const FeatureCosts costs = FeatureCosts::OneByOne({1.0, 2.0, 3.0, 4.0});
  const TrainingSet training(prepared.data, {}, {}, &costs);
  const RowSample all = WholeSample(prepared.data.n_documents());
  const auto boost = [](std::uint32_t n_rounds) {
    return Boost(BoostPlan{n_rounds, 0.3}, SquaredError(), ChargedGrower(), AllRows());
  };
  Monitor monitor({}, {}, 0);
  const Member model = boost(12).Train(training, all, Rng(3), monitor);
  CheckCharged(model, 0, training);
  const Member half = boost(5).Train(training, all, Rng(3), monitor);
  CHECK(boost(12).Continue(training, all, Rng(3), monitor, half) == model);
  const auto chain =
      Chain(Once(SquaredError(), Bag(5, GrowerOfDepth(1), Bootstrap{1.0})), boost(8));
  CheckCharged(chain.Train(training, all, Rng(3), monitor), 5, training);
}

TEST_CASE("boosting round by round is boosting at once") {
  const Prepared prepared = WeightedData();
  const TrainingSet training = prepared.training();
  const RowSample all = WholeSample(prepared.data.n_documents());
  using SampledBoost = Boost<SquaredError, TreeGrower<>, SubsampleRows>;
  const SampledBoost boost(BoostPlan{5, 0.3}, SquaredError(), GrowerOfDepth(2), SubsampleRows{0.6});
  const Member whole = Train(boost, prepared);
  Monitor nothing{MonitorSettings()};
  SampledBoost::Growth growth(boost, training, all, Rng(3), nothing);
  for (std::size_t round = 1; round <= 5; ++round) {
    CHECK_FALSE(growth.is_over());
    CHECK(growth.Advance());
    Ensemble model = ModelOf(whole, prepared.data);
    CHECK(growth.model() == Prefix(std::move(model), round).members.front());
  }
  CHECK(growth.is_over());
  CHECK_FALSE(growth.Advance());
  CHECK(growth.Finish() == whole);
}

TEST_CASE("a forest stage by stage is the forest at once, and may end before") {
  const Prepared prepared = WeightedData();
  const TrainingSet training = prepared.training();
  const RowSample all = WholeSample(prepared.data.n_documents());
  using Forest = Once<SquaredError, Bag<TreeGrower<>, Bootstrap>>;
  const Forest forest(SquaredError(InitialScore::kZero),
                      Bag<TreeGrower<>, Bootstrap>(40, GrowerOfDepth(2), Bootstrap()));
  const Member whole = Train(forest, prepared);
  Forest::Growth growth(forest, training, all, Rng(3), {});
  while (growth.trees().size() < 40) growth.Advance();
  Forest::Growth again(forest, training, all, Rng(3), {});
  again.Advance();
  CHECK(growth.Finish(40) == whole);
  std::vector<Tree> first = whole.groups[0].trees;
  first.resize(7);
  CHECK(again.Finish(7).groups[0].trees == first);
}

}  // namespace rankforest
