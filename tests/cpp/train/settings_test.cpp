#include "rankforest/train/settings.hpp"

#include <doctest/doctest.h>

namespace rankforest {

namespace {

void CheckUnlimited(const TreeSettings& trees) {
  CHECK_FALSE(trees.limits.max_leaf_nodes.has_value());
  CHECK(trees.limits.min_samples_leaf.amount == 1.0);
  CHECK_FALSE(trees.limits.min_samples_leaf.is_fraction);
  CHECK(trees.limits.min_gain == 0.0);
  CHECK(trees.limits.missing == MissingRule::kLearn);
  CHECK(trees.limits.grow_policy == GrowPolicy::kBestFirst);
  CHECK(trees.min_hessian == 0.0);
  CHECK(trees.l2_regularization == 0.0);
}

void CheckMartBoost(const BoostSettings& boost) {
  CHECK(boost.n_estimators == 500);
  CHECK(boost.learning_rate == 0.1);
  CHECK(boost.trees.limits.max_depth == 3);
  CHECK(boost.trees.max_features.kind == FeatureDraw::Kind::kAll);
  CHECK(boost.sample.fraction == 1.0);
  CHECK(boost.sample.unit == SampleUnit::kDocument);
  CHECK_FALSE(boost.sample.with_replacement);
  CHECK_FALSE(boost.early_stopping_rounds.has_value());
  CheckUnlimited(boost.trees);
}

void CheckForest(const ForestSettings& forest, bool bootstrap) {
  CHECK(forest.n_estimators == 500);
  CHECK_FALSE(forest.trees.limits.max_depth.has_value());
  CHECK(forest.trees.max_features.kind == FeatureDraw::Kind::kBreiman);
  CHECK(forest.sample.with_replacement == bootstrap);
  CHECK(forest.sample.fraction == 1.0);
  CHECK(forest.sample.unit == SampleUnit::kDocument);
  CheckUnlimited(forest.trees);
}

}  // namespace

TEST_CASE("forests are unpruned, of floor(log2 M) + 1 features a split") {
  CheckForest(RandomForestDefaults(), true);
  CheckForest(ExtraTreesDefaults(), false);
}

TEST_CASE("MART has trees of depth 3 and starts from the mean") {
  CheckMartBoost(MartDefaults().boost);
  CHECK(MartDefaults().init == InitialScore::kMean);
}

TEST_CASE("IGBRT is the default forest and the default MART") {
  CheckForest(IgbrtDefaults().forest, true);
  CheckMartBoost(IgbrtDefaults().boost);
}

TEST_CASE("LambdaMART has 300 trees of 31 leaves") {
  const LambdaMartSettings settings = LambdaMartDefaults();
  CHECK(settings.boost.n_estimators == 300);
  CHECK(settings.boost.learning_rate == 0.1);
  CHECK_FALSE(settings.boost.trees.limits.max_depth.has_value());
  CHECK(settings.boost.trees.limits.max_leaf_nodes == 31);
  CHECK(settings.boost.trees.limits.min_samples_leaf.amount == 20.0);
  CHECK_FALSE(settings.boost.trees.limits.min_samples_leaf.is_fraction);
  CHECK(settings.boost.trees.min_hessian == 1e-3);
  CHECK(settings.boost.trees.l2_regularization == 0.0);
  CHECK(settings.boost.sample.fraction == 1.0);
  CHECK(settings.boost.sample.unit == SampleUnit::kQuery);
  CHECK_FALSE(settings.boost.early_stopping_rounds.has_value());
  CHECK(settings.metric == Metric::Parse("ndcg@10"));
  CHECK(settings.lambda.truncation == 30);
  CHECK(settings.lambda.sigma == 1.0);
  CHECK(settings.lambda.norm == LambdaNorm::kLog);
  CHECK(settings.lambda.leaf == LambdaLeaf::kNewton);
}

TEST_CASE("DART is LambdaMART with dropout, and X-DART keeps what it dropped out") {
  CHECK(DartDefaults().lambdamart.boost.n_estimators == LambdaMartDefaults().boost.n_estimators);
  CHECK(DartDefaults().drop.max_drop == 50);
  CHECK_FALSE(DartDefaults().drop.one_drop);
  CHECK_FALSE(DartDefaults().drop.keep_drop);
  CHECK(XDartDefaults().drop.keep_drop);
  CHECK(XDartDefaults().drop.drop_rate == DartDefaults().drop.drop_rate);
}

}  // namespace rankforest
