#include "rankforest/train/recipes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/score/reference.hpp"
#include "support/model_of.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::ModelOf;
using testing::Prepared;
using testing::RawData;

namespace {

RawData AnyRaw() {
  Rng rng(531);
  testing::SmallDataOptions options;
  options.n_queries = 15;
  options.nan_in_100 = 5;
  return testing::SmallData(options, rng);
}

const Prepared& DataOfRecipes() {
  static const Prepared prepared(AnyRaw());
  return prepared;
}

template <class Trainer>
Member MemberOf(const Trainer& trainer, const Prepared& prepared = DataOfRecipes()) {
  Monitor monitor{MonitorSettings()};
  return trainer.Train(prepared.training(), WholeSample(prepared.data.n_documents()), Rng(4),
                       monitor);
}

/// Settings of trees none of which is a default.
TreeSettings SomeTrees() {
  TreeSettings trees;
  trees.limits.max_depth = 3;
  trees.limits.min_samples_leaf.amount = 2;
  trees.limits.missing = MissingRule::kThird;
  trees.max_features = {FeatureDraw::Kind::kCount, 3.0};
  trees.min_hessian = 1.5;
  trees.l2_regularization = 0.25;
  return trees;
}

template <class Threshold = BestThreshold>
TreeGrower<Newton, Threshold> SomeGrower() {
  return {SomeTrees().limits, SomeTrees().max_features, Newton{0.25, 1.5}};
}

BoostSettings SomeBoost() {
  BoostSettings boost;
  boost.n_estimators = 4;
  boost.learning_rate = 0.3;
  boost.trees = SomeTrees();
  return boost;
}

}  // namespace

TEST_CASE("forests are bags of trees on the grades") {
  ForestSettings settings;
  settings.n_estimators = 6;
  settings.trees = SomeTrees();
  settings.sample.with_replacement = true;
  const SquaredError grades(InitialScore::kZero);
  CHECK(MemberOf(RandomForest(settings)) ==
        MemberOf(Once(grades, Bag(6, SomeGrower(), Bootstrap{1.0}))));
  CHECK(MemberOf(ExtraTrees(settings)) ==
        MemberOf(Once(grades, Bag(6, SomeGrower<RandomThreshold>(), Bootstrap{1.0}))));
  settings.sample = {0.5, SampleUnit::kQuery, false};
  CHECK(MemberOf(RandomForest(settings)) ==
        MemberOf(Once(grades, Bag(6, SomeGrower(), SubsampleQueries{0.5}))));
}

TEST_CASE("a forest by another criterion is a bag of trees by it") {
  ForestSettings settings;
  settings.n_estimators = 4;
  settings.trees = SomeTrees();
  settings.trees.limits.missing = MissingRule::kLearn;
  settings.relevance = Relevance::kExp2;
  const auto bag = [&](ThresholdRule thresholds) {
    return Once(MeanRelevance(Relevance::kExp2),
                Bag(4,
                    AnyGrower(GradedGrower(settings.trees.limits, settings.trees.max_features,
                                           settings.criterion, thresholds, Relevance::kExp2)),
                    Sampler()));
  };
  for (const SplitCriterion criterion : {SplitCriterion::kEntropy, SplitCriterion::kRandom,
                                         SplitCriterion::kPairwise, SplitCriterion::kListwise}) {
    settings.criterion.kind = criterion;
    CHECK(MemberOf(RandomForest(settings)) == MemberOf(bag(ThresholdRule::kEvery)));
    CHECK(MemberOf(ExtraTrees(settings)) == MemberOf(bag(ThresholdRule::kDrawn)));
  }
}

TEST_CASE("MART boosts trees on the residuals, from the mean or from 0") {
  for (const InitialScore init : {InitialScore::kMean, InitialScore::kZero}) {
    MartSettings settings{SomeBoost(), init};
    settings.boost.sample.fraction = 0.5;
    CHECK(MemberOf(Mart(settings)) ==
          MemberOf(Boost(BoostPlan{4, 0.3}, SquaredError(init), SomeGrower(), SubsampleRows{0.5})));
  }
}

TEST_CASE("IGBRT boosts on from a random forest") {
  IgbrtSettings settings;
  settings.forest.n_estimators = 3;
  settings.forest.sample.with_replacement = true;
  settings.boost = SomeBoost();
  const Member member = MemberOf(Igbrt(settings));
  CHECK(member ==
        MemberOf(Chain(RandomForest(settings.forest),
                       Boost(BoostPlan{4, 0.3}, SquaredError(), SomeGrower(), AllRows()))));
  REQUIRE(member.groups.size() == 2);
  CHECK(member.groups[0].reduction == Reduction::kMean);
  CHECK(member.groups[1].weight == 0.3);
}

TEST_CASE("LambdaMART boosts trees on the lambdas of its metric") {
  LambdaMartSettings settings;
  settings.boost = SomeBoost();
  settings.boost.trees.min_hessian = 0.0;
  settings.boost.sample = {0.5, SampleUnit::kQuery, false};
  settings.lambda = {2.0, 3, LambdaNorm::kGap, LambdaLeaf::kMean};
  settings.metric = Metric::Parse("map@5");
  const TreeGrower<> grower(SomeTrees().limits, SomeTrees().max_features, Newton{0.25, 0.0});
  VisitSwapDelta(settings.metric, [&](auto swap) {
    const AnyObjective lambdas(LambdaRank(swap, settings.metric, settings.lambda));
    const Member member = MemberOf(LambdaMart(settings));
    CHECK(member == MemberOf(Boost(BoostPlan{4, 0.3}, lambdas, grower, SubsampleQueries{0.5})));
    CHECK(member.base == 0.0);
    CHECK(member.groups[0].trees.size() == 4);
  });
}

TEST_CASE("unlimited trees on all documents learn grades by heart") {
  RawData raw = AnyRaw();
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    raw.features[row * raw.n_features] = static_cast<float>(row);  // no two rows are alike
  }
  const Prepared prepared(raw);
  ForestSettings settings;
  settings.n_estimators = 3;
  const Member forest = MemberOf(RandomForest(settings), prepared);
  const std::vector<double> scores =
      Score(ModelOf(forest, prepared.data), prepared.data.features());
  for (std::size_t row = 0; row < scores.size(); ++row) {
    CHECK(scores[row] == doctest::Approx(raw.grades[row]).epsilon(1e-6));
  }
}

TEST_CASE("LambdaMART ranks separable documents as well as its metric allows") {
  RawData raw = AnyRaw();
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    raw.features[row * raw.n_features] = static_cast<float>(raw.grades[row]);
  }
  const Prepared prepared(raw);
  for (const char* spelling : {"ndcg@10", "map", "err", "p@3", "mrr"}) {
    LambdaMartSettings settings = LambdaMartDefaults();
    settings.boost.n_estimators = 30;
    settings.boost.trees.limits.min_samples_leaf.amount = 1;
    settings.metric = Metric::Parse(spelling);
    const Dataset& data = prepared.data;
    const std::vector<double> by_row =
        Score(ModelOf(MemberOf(LambdaMart(settings), prepared), data), data.features());
    std::vector<double> scores;
    for (const RowId row : data.order()) scores.push_back(by_row[row]);
    MetricRun run(settings.metric, JudgementsOf(data), Threads{1});
    const double reached = run.Evaluate(scores).mean;
    const double ideal = run.Evaluate(data.grades()).mean;  // scored by the grades themselves
    INFO(spelling);
    CHECK(reached == doctest::Approx(ideal));
    CHECK(run.Evaluate(std::vector<double>(scores.size())).mean < 0.97 * ideal);
  }
}

TEST_CASE("DART boosts trees on lambdas in a sum that drops some") {
  DartSettings settings = DartDefaults();
  settings.lambdamart.boost = SomeBoost();
  settings.drop.drop_rate = 0.5;
  const LambdaMartSettings& lambdamart = settings.lambdamart;
  const Member dart = MemberOf(Dart(settings));
  CHECK(dart == MemberOf(Boost(BoostPlan{4, 0.3}, RankingObjectiveOf(lambdamart), SomeGrower(),
                               AllRows(), DropoutSum(settings.drop))));
  CHECK(dart.groups.size() > 1);
  settings.drop.drop_rate = 0.0;
  CHECK(MemberOf(Dart(settings)) == MemberOf(LambdaMart(lambdamart)));
}

}  // namespace rankforest
