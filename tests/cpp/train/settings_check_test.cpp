#include "rankforest/train/settings_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The complaint about the defaults after a change; empty if there is none.
template <class Settings>
std::string Complaint(Settings settings, const std::function<void(Settings&)>& change) {
  change(settings);
  try {
    Check(settings);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string Lambda(const std::function<void(LambdaMartSettings&)>& change) {
  return Complaint<LambdaMartSettings>(LambdaMartDefaults(), change);
}

std::string Forest(const std::function<void(ForestSettings&)>& change) {
  return Complaint<ForestSettings>(RandomForestDefaults(), change);
}

std::string LearningRate(double rate) {
  return Lambda([&](LambdaMartSettings& s) { s.boost.learning_rate = rate; });
}

std::string Subsample(double fraction) {
  return Forest([&](ForestSettings& s) { s.sample.fraction = fraction; });
}

std::string Leaf(double amount, bool is_fraction) {
  return Forest(
      [&](ForestSettings& s) { s.trees.limits.min_samples_leaf = {amount, is_fraction}; });
}

std::string Features(FeatureDraw::Kind kind, double amount) {
  return Forest([&](ForestSettings& s) { s.trees.max_features = {kind, amount}; });
}

}  // namespace

TEST_CASE("the defaults are in range") {
  CHECK_NOTHROW(Check(RandomForestDefaults()));
  CHECK_NOTHROW(Check(ExtraTreesDefaults()));
  CHECK_NOTHROW(Check(MartDefaults().boost));
  CHECK_NOTHROW(Check(IgbrtDefaults().forest));
  CHECK_NOTHROW(Check(IgbrtDefaults().boost));
  CHECK_NOTHROW(Check(LambdaMartDefaults()));
}

TEST_CASE("whole numbers that are too small are refused") {
  CHECK(Forest([](ForestSettings& s) { s.n_estimators = 0; }) ==
        "n_estimators must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.boost.n_estimators = 0; }) ==
        "n_estimators must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.boost.trees.limits.max_depth = 0; }) ==
        "max_depth must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.boost.trees.limits.max_leaf_nodes = 1; }) ==
        "max_leaf_nodes must be >= 2, got 1");
  CHECK(Lambda([](LambdaMartSettings& s) { s.boost.early_stopping_rounds = 0; }) ==
        "early_stopping_rounds must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.boost.min_delta = -0.5; }) ==
        "min_delta must be finite and >= 0, got -0.5");
  CHECK(Lambda([](LambdaMartSettings& s) { s.lambda.truncation = 0; }) ==
        "truncation must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.yeti.n_permutations = 0; }) ==
        "n_permutations must be >= 1, got 0");
  CHECK(Lambda([](LambdaMartSettings& s) {
          s.boost.n_estimators = 1;
          s.boost.trees.limits.max_depth = 1;
          s.boost.trees.limits.max_leaf_nodes = 2;
          s.boost.early_stopping_rounds = 1;
          s.lambda.truncation = 1;
        }).empty());
}

TEST_CASE("drawn rankings have a noise >= 0 and a decay in (0, 1], mu is not negative") {
  CHECK(Lambda([](LambdaMartSettings& s) { s.yeti.noise = -0.5; }) ==
        "noise must be finite and >= 0, got -0.5");
  CHECK(Lambda([](LambdaMartSettings& s) { s.yeti.noise = kInfinity; }) ==
        "noise must be finite and >= 0, got inf");
  CHECK(Lambda([](LambdaMartSettings& s) { s.yeti.decay = 0.0; }) ==
        "decay must be in (0, 1], got 0");
  CHECK(Lambda([](LambdaMartSettings& s) { s.yeti.decay = 1.5; }) ==
        "decay must be in (0, 1], got 1.5");
  CHECK(Lambda([](LambdaMartSettings& s) { s.mu = -1.0; }) == "mu must be finite and >= 0, got -1");
  CHECK(Lambda([](LambdaMartSettings& s) {
          s.yeti = {1, 0.0, 1.0};
          s.mu = 0.0;
        }).empty());
}

TEST_CASE("a learning rate is in (0, 1], and so is a subsample") {
  for (const double good : {1e-9, 0.5, 1.0}) {
    CHECK(LearningRate(good).empty());
    CHECK(Subsample(good).empty());
  }
  const std::vector<std::pair<double, std::string>> bad = {{0.0, "0"},
                                                           {-0.5, "-0.5"},
                                                           {1.0000001, "1.0000001"},
                                                           {kInfinity, "inf"},
                                                           {kNotANumber, "nan"}};
  for (const auto& [value, shown] : bad) {
    CHECK(LearningRate(value) == "learning_rate must be in (0, 1], got " + shown);
    CHECK(Subsample(value) == "subsample must be in (0, 1], got " + shown);
  }
}

TEST_CASE("the smallest leaf is a count from 1 on or a fraction in (0, 1)") {
  const std::string range =
      "min_samples_leaf must be a count from 1 to 4294967295 or a fraction in (0, 1), got ";
  CHECK(Leaf(1.0, false).empty());
  CHECK(Leaf(4294967295.0, false).empty());
  CHECK(Leaf(0.999, true).empty());
  CHECK(Leaf(0.0, false) == range + "0");
  CHECK(Leaf(-3.0, false) == range + "-3");
  CHECK(Leaf(4294967296.0, false) == range + "4294967296");
  CHECK(Leaf(0.0, true) == range + "0");
  CHECK(Leaf(1.0, true) == range + "1");
  CHECK(Leaf(kNotANumber, true) == range + "nan");
  CHECK(Leaf(kNotANumber, false) == range + "nan");
}

TEST_CASE("features are drawn by a count from 1 on, a fraction in (0, 1] or a name") {
  using Kind = FeatureDraw::Kind;
  for (const Kind kind : {Kind::kAll, Kind::kSqrt, Kind::kLog2, Kind::kBreiman}) {
    CHECK(Features(kind, 0.0).empty());
  }
  const std::string range = "max_features must be a count from 1 to 4294967295, got ";
  CHECK(Features(Kind::kCount, 1.0).empty());
  CHECK(Features(Kind::kFraction, 1.0).empty());
  CHECK(Features(Kind::kCount, 0.0) == range + "0");
  CHECK(Features(Kind::kCount, 1e10) == range + "10000000000");
  CHECK(Features(Kind::kFraction, 0.0) == "max_features must be a fraction in (0, 1], got 0");
  CHECK(Features(Kind::kFraction, 1.5) == "max_features must be a fraction in (0, 1], got 1.5");
  CHECK(Features(Kind::kFraction, kNotANumber) ==
        "max_features must be a fraction in (0, 1], got nan");
}

TEST_CASE("thresholds of gains and hessians are not negative, penalties finite too") {
  const auto with = [](double TreeSettings::* field, double value) {
    return Lambda([&](LambdaMartSettings& s) { s.boost.trees.*field = value; });
  };
  const auto min_gain = [](double value) {
    return Lambda([&](LambdaMartSettings& s) { s.boost.trees.limits.min_gain = value; });
  };
  CHECK(min_gain(3.0).empty());
  CHECK(min_gain(-0.1) == "min_gain must be >= 0, got -0.1");
  CHECK(min_gain(kNotANumber) == "min_gain must be >= 0, got nan");
  CHECK(with(&TreeSettings::min_hessian, 0.0).empty());
  CHECK(with(&TreeSettings::min_hessian, -1e-3) == "min_hessian must be >= 0, got -0.001");
  CHECK(with(&TreeSettings::min_hessian, kNotANumber) == "min_hessian must be >= 0, got nan");
  const std::string penalty = "l2_regularization must be finite and >= 0, got ";
  CHECK(with(&TreeSettings::l2_regularization, 2.0).empty());
  CHECK(with(&TreeSettings::l2_regularization, -1.0) == penalty + "-1");
  CHECK(with(&TreeSettings::l2_regularization, kInfinity) == penalty + "inf");
  CHECK(with(&TreeSettings::l2_regularization, kNotANumber) == penalty + "nan");
}

TEST_CASE("sigma is finite and positive, and no truncation is a truncation") {
  const auto sigma = [](double value) {
    return Lambda([&](LambdaMartSettings& s) { s.lambda.sigma = value; });
  };
  CHECK(sigma(0.01).empty());
  for (const double value : {0.0, -1.0, kInfinity, kNotANumber}) {
    CHECK(sigma(value).find("sigma must be finite and > 0, got ") == 0);
  }
  CHECK(Lambda([](LambdaMartSettings& s) { s.lambda.truncation.reset(); }).empty());
}

TEST_CASE("a child of its own for NaN is for squared error alone") {
  for (const SplitCriterion criterion : {SplitCriterion::kEntropy, SplitCriterion::kRandom,
                                         SplitCriterion::kPairwise, SplitCriterion::kListwise}) {
    CHECK(Forest([&](ForestSettings& s) { s.criterion.kind = criterion; }).empty());
    CHECK(Forest([&](ForestSettings& s) {
            s.criterion.kind = criterion;
            s.trees.limits.missing = MissingRule::kThird;
          }) ==
          "missing=\"third\" needs criterion=\"squared_error\": the other criteria divide a node "
          "in two");
  }
  CHECK(Forest([](ForestSettings& s) { s.trees.limits.missing = MissingRule::kThird; }).empty());
}

TEST_CASE("boosting does not start from a forest of weighted trees") {
  IgbrtSettings settings = IgbrtDefaults();
  CHECK_NOTHROW(Check(settings));
  settings.forest.tree_weights = TreeWeights::kExpectedNdcg;
  CHECK_THROWS_WITH_AS(Check(settings),
                       "the forest that boosting starts from has tree_weights=\"equal\"",
                       std::invalid_argument);
}

TEST_CASE("levels and the cutoff of a listwise criterion count from 1") {
  CHECK(Forest([](ForestSettings& s) { s.criterion.cutoff = 0; }) ==
        "listwise_cutoff must be >= 1, got 0");
  CHECK(Forest([](ForestSettings& s) { s.criterion.listwise_levels = 0; }) ==
        "listwise_levels must be >= 1, got 0");
  CHECK(Forest([](ForestSettings& s) {
          s.criterion.cutoff = 1;
          s.criterion.listwise_levels = 1;
        }).empty());
}

TEST_CASE("an objective that sees whole queries takes no sample of documents") {
  CHECK_NOTHROW(CheckWholeQueries({0.5, SampleUnit::kQuery, false}));
  CHECK_NOTHROW(CheckWholeQueries({1.0, SampleUnit::kDocument, false}));
  CHECK_THROWS_WITH_AS(CheckWholeQueries({0.5, SampleUnit::kDocument, false}),
                       "this objective sees whole queries: use subsample_unit=\"query\"",
                       std::invalid_argument);
}

TEST_CASE(
    "oblivious trees have a power of two of leaves, two children a node, and best thresholds") {
  const auto oblivious = [](const std::function<void(TreeLimits&)>& change) {
    return Lambda([&](LambdaMartSettings& s) {
      s.boost.trees.limits.grow_policy = GrowPolicy::kOblivious;
      s.boost.trees.limits.max_leaf_nodes.reset();
      change(s.boost.trees.limits);
    });
  };
  CHECK(oblivious([](TreeLimits&) {}).empty());
  CHECK(oblivious([](TreeLimits& l) { l.max_depth = 16; }).empty());
  CHECK(oblivious([](TreeLimits& l) { l.max_leaf_nodes = 64; }).empty());
  CHECK(oblivious([](TreeLimits& l) { l.max_depth = 17; }) ==
        "max_depth must be <= 16 with grow_policy=\"oblivious\", got 17");
  CHECK(oblivious([](TreeLimits& l) { l.max_leaf_nodes = 31; }) ==
        "max_leaf_nodes must be None or a power of two up to 65536 with grow_policy=\"oblivious\", "
        "whose trees of depth d have 2^d leaves, got 31");
  CHECK(oblivious([](TreeLimits& l) { l.max_leaf_nodes = 131072; }).substr(0, 14) ==
        "max_leaf_nodes");
  CHECK(oblivious([](TreeLimits& l) { l.missing = MissingRule::kThird; }).substr(0, 15) ==
        "missing=\"third\"");
  ForestSettings forest = ExtraTreesDefaults();
  CHECK_NOTHROW(CheckRandomThresholds(forest));
  forest.trees.limits.grow_policy = GrowPolicy::kOblivious;
  CHECK_THROWS_AS(CheckRandomThresholds(forest), std::invalid_argument);
  CHECK_NOTHROW(Check(forest));
  forest.criterion.kind = SplitCriterion::kEntropy;
  CHECK_THROWS_AS(Check(forest), std::invalid_argument);
}

TEST_CASE("dropout has shares from 0 to 1, and drops a tree at most") {
  const auto dart = [](const std::function<void(DartSettings&)>& change) {
    return Complaint<DartSettings>(DartDefaults(), change);
  };
  CHECK(dart([](DartSettings&) {}).empty());
  CHECK(dart([](DartSettings& s) { s.drop.drop_rate = 1.0; }).empty());
  CHECK(dart([](DartSettings& s) { s.drop.drop_rate = 1.5; }) ==
        "drop_rate must be in [0, 1], got 1.5");
  CHECK(dart([](DartSettings& s) { s.drop.drop_rate = kNotANumber; }).substr(0, 9) == "drop_rate");
  CHECK(dart([](DartSettings& s) { s.drop.skip_drop = -0.5; }) ==
        "skip_drop must be in [0, 1], got -0.5");
  CHECK(dart([](DartSettings& s) { s.drop.max_drop = 0; }) == "max_drop must be >= 1, got 0");
  CHECK(dart([](DartSettings& s) { s.lambdamart.lambda.sigma = 0.0; }).substr(0, 5) == "sigma");
}

TEST_CASE("classification grows trees of probabilities, all of the same weight") {
  const auto ordinal = [](const std::function<void(ForestSettings&)>& change) {
    return Forest([&](ForestSettings& s) {
      s.ordinal.is_ordinal = true;
      change(s);
    });
  };
  CHECK(ordinal([](ForestSettings&) {}).empty());
  for (const SplitCriterion kind : {SplitCriterion::kEntropy, SplitCriterion::kRandom}) {
    CHECK(ordinal([&](ForestSettings& s) { s.criterion.kind = kind; }).empty());
  }
  for (const SplitCriterion kind : {SplitCriterion::kPairwise, SplitCriterion::kListwise}) {
    CHECK(ordinal([&](ForestSettings& s) { s.criterion.kind = kind; }).substr(0, 28) ==
          "ordinal=True needs criterion");
  }
  CHECK(ordinal([](ForestSettings& s) { s.relevance = Relevance::kExp2; }).substr(0, 28) ==
        "ordinal=True needs relevance");
  CHECK(ordinal([](ForestSettings& s) {
          s.tree_weights = TreeWeights::kExpectedNdcg;
        }).substr(0, 31) == "ordinal=True needs tree_weights");
  const auto igbrt = [](const std::function<void(IgbrtSettings&)>& change) {
    return Complaint<IgbrtSettings>(IgbrtDefaults(), change);
  };
  CHECK(igbrt([](IgbrtSettings& s) { s.ordinal.is_ordinal = true; }).empty());
  CHECK(igbrt([](IgbrtSettings& s) {
          s.ordinal.is_ordinal = true;
          s.forest.relevance = Relevance::kExp2;
        }).substr(0, 28) == "ordinal=True needs relevance");
  CHECK(igbrt([](IgbrtSettings& s) { s.forest.ordinal.is_ordinal = true; }) ==
        "the forest that boosting starts from has ordinal=False: that of boosting holds for both");
}

}  // namespace rankforest
