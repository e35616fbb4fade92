#include "rankforest/train/training_state.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/learned_positions.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/rank_boost.hpp"
#include "rankforest/train/ranking_objective.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/train/run_ordinal.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

testing::RawData StateQueries(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 25;
  options.n_features = 5;
  options.n_grades = 4;
  options.nan_in_100 = 8;
  return testing::SmallData(options, rng);
}

using Training = std::function<Trained(const Dataset&, RunOptions)>;

struct NamedTraining {
  std::string name;
  Training train;
};

template <class Recipe>
Training TrainingOf(Recipe recipe, std::size_t n_rounds) {
  return [recipe, n_rounds](const Dataset& data, RunOptions options) {
    return Train(recipe, data, n_rounds, std::move(options));
  };
}

template <class Recipe>
Training OrdinalTrainingOf(Recipe recipe, std::size_t n_rounds, OrdinalScoring scoring) {
  return [recipe, n_rounds, scoring](const Dataset& data, RunOptions options) {
    return TrainOrdinal(recipe, scoring, data, n_rounds, std::move(options));
  };
}

Training StoppingEarly(Training train) {
  return [train = std::move(train)](const Dataset& data, RunOptions options) {
    options.monitor.early_stopping_rounds = 4;
    options.monitor.overfit = {0.01, 3};
    return train(data, std::move(options));
  };
}

Training WithCosts(Training train) {
  return [train = std::move(train)](const Dataset& data, RunOptions options) {
    options.feature_costs = FeatureCosts{{1.0, 2.0, 3.0, 4.0, 5.0}, {0, 1, 2, 3, 4}};
    return train(data, std::move(options));
  };
}

Training BagOfThem(Training train) {
  return [train = std::move(train)](const Dataset& data, RunOptions options) {
    options.bag = BagSettings{5, 0.67, BagCombine::kMinMax};
    return train(data, std::move(options));
  };
}

/// LambdaMART beside effects of positions, which are the figures of the training.
Training LearningPositions(const LambdaMartSettings& settings, bool stops) {
  return [settings, stops](const Dataset& data, RunOptions options) {
    PositionSettings shown;
    for (std::size_t d = 0; d < data.n_documents(); ++d) {
      shown.places.push_back(static_cast<std::uint32_t>(d % 4));
    }
    LearnedPositions positions(std::move(shown), 4);
    if (options.resumed) positions.GoOnFrom(*options.resumed);
    positions.AddTo(options.monitor.checkpoints);
    const auto recipe =
        Boosted(settings.boost, positions.Wrapped(RankingObjectiveOf(settings, {}), 0.1));
    const Training train = TrainingOf(recipe, settings.boost.n_estimators);
    Trained trained =
        stops ? StoppingEarly(train)(data, std::move(options)) : train(data, std::move(options));
    trained.series["effects"] = positions.After(trained.rounds_kept);
    return trained;
  };
}

template <class Boosted>
void KeepSmall(Boosted& boost, std::uint32_t n_rounds) {
  boost.n_estimators = n_rounds;
  boost.trees.limits.min_samples_leaf.amount = 2;
  boost.trees.max_features = {FeatureDraw::Kind::kFraction, 0.7};
  boost.sample.fraction = 0.7;
}

void AddSumsWithDropout(std::vector<NamedTraining>& all) {
  for (const bool keeps_drop : {false, true}) {
    DartSettings dart = keeps_drop ? XDartDefaults() : DartDefaults();
    KeepSmall(dart.lambdamart.boost, 14);
    dart.drop.drop_rate = 0.3;
    dart.drop.skip_drop = 0.3;
    const std::string name = keeps_drop ? "xdart" : "dart";
    all.push_back({name, TrainingOf(Dart(dart), 14)});
    all.push_back({name + " that stops", StoppingEarly(TrainingOf(Dart(dart), 14))});
  }
}

void AddBoosting(std::vector<NamedTraining>& all) {
  MartSettings mart = MartDefaults();
  KeepSmall(mart.boost, 12);
  all.push_back({"mart", TrainingOf(Mart(mart), 12)});
  all.push_back({"bag of mart", BagOfThem(StoppingEarly(TrainingOf(Mart(mart), 12)))});
  all.push_back({"ordinal mart", OrdinalTrainingOf(Mart(mart), 12, OrdinalScoring::kExpected)});
  all.push_back({"ordinal mart that stops",
                 StoppingEarly(OrdinalTrainingOf(Mart(mart), 12, OrdinalScoring::kOlsValid))});
  all.push_back({"bag of ordinal mart",
                 BagOfThem(OrdinalTrainingOf(Mart(mart), 6, OrdinalScoring::kExpected))});
  mart.boost.trees.limits.costs.weight = 0.05;
  all.push_back({"mart with costs", WithCosts(TrainingOf(Mart(mart), 12))});
  LambdaMartSettings lambda = LambdaMartDefaults();
  KeepSmall(lambda.boost, 20);
  all.push_back({"lambdamart that stops", StoppingEarly(TrainingOf(LambdaMart(lambda), 20))});
  all.push_back({"lambdamart with positions", LearningPositions(lambda, false)});
  all.push_back({"lambdamart with positions that stops", LearningPositions(lambda, true)});
  for (const auto objective : {RankingObjective::kYetiRank, RankingObjective::kXeNdcg}) {
    lambda.objective = objective;
    all.push_back({"drawn objective", TrainingOf(LambdaMart(lambda), 20)});
  }
  SelGbSettings selgb = SelGbDefaults();
  KeepSmall(selgb.lambdamart.boost, 14);
  selgb.lambdamart.boost.sample = {};
  selgb.negatives.reselect_every = 4;
  selgb.negatives.fraction = 0.3;
  all.push_back({"selgb", TrainingOf(SelGb(selgb), 14)});
  RankBoostSettings rank_boost;
  rank_boost.n_estimators = 15;
  all.push_back({"rankboost", TrainingOf(RankBoost(rank_boost), 15)});
}

void AddForests(std::vector<NamedTraining>& all) {
  ForestSettings forest = RandomForestDefaults();
  forest.n_estimators = 45;
  all.push_back({"forest", TrainingOf(RandomForest(forest), 45)});
  all.push_back(
      {"ordinal forest", OrdinalTrainingOf(RandomForest(forest), 45, OrdinalScoring::kExpected)});
  forest.criterion.kind = SplitCriterion::kListwise;
  all.push_back({"listwise forest", TrainingOf(RandomForest(forest), 45)});
  forest.criterion.kind = SplitCriterion::kSquaredError;
  IgbrtSettings igbrt{forest, MartDefaults().boost};
  igbrt.forest.n_estimators = 32;
  KeepSmall(igbrt.boost, 10);
  all.push_back({"igbrt", TrainingOf(Igbrt(igbrt), 42)});
  all.push_back({"igbrt that stops", StoppingEarly(TrainingOf(Igbrt(igbrt), 42))});
  all.push_back({"ordinal igbrt", OrdinalTrainingOf(Igbrt(igbrt), 42, OrdinalScoring::kExpected)});
  forest.trees.limits.costs.weight = 0.05;
  forest.cost_stage = 5;
  all.push_back({"forest with costs", WithCosts(TrainingOf(RandomForest(forest), 45))});
}

std::vector<NamedTraining> AllTrainings() {
  std::vector<NamedTraining> all;
  AddForests(all);
  AddBoosting(all);
  AddSumsWithDropout(all);
  return all;
}

/// Of a training with a watched set.
RunOptions WatchedOptions(const Dataset& valid, int threads = 1) {
  RunOptions options;
  options.seed = 17;
  options.threads = Threads{threads};
  WatchedMetric metric = testing::Watched("ndcg@5", valid);
  metric.renew = [&valid] { return testing::Watched("ndcg@5", valid).evaluate; };
  options.monitor.watches = {{"valid", &valid, {metric, testing::Watched("map", valid)}}};
  options.monitor.watches[0].metrics[1].renew = [&valid] {
    return testing::Watched("map", valid).evaluate;
  };
  return options;
}

void CheckSameHistory(const std::vector<RoundReport>& a, const std::vector<RoundReport>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].round == b[i].round);
    CHECK(a[i].n_rounds == b[i].n_rounds);
    CHECK(a[i].values == b[i].values);
  }
}

void CheckSame(const Trained& a, const Trained& b) {
  CHECK(a.ensemble == b.ensemble);
  CHECK(a.ordinal == b.ordinal);
  CHECK(a.rounds_kept == b.rounds_kept);
  CHECK(a.stopped_early == b.stopped_early);
  CHECK(a.series == b.series);
  CheckSameHistory(a.history, b.history);
  REQUIRE(a.members.size() == b.members.size());
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    CHECK(a.members[i].seed == b.members[i].seed);
    CHECK(a.members[i].queries == b.members[i].queries);
    CHECK(a.members[i].stopped_early == b.members[i].stopped_early);
    CheckSameHistory(a.members[i].history, b.members[i].history);
  }
}

}  // namespace

TEST_CASE("from every state that is saved, training goes on to the result without interruption") {
  const Dataset data = StateQueries(1).Make();
  const Dataset valid = StateQueries(2).Make();
  for (const NamedTraining& training : AllTrainings()) {
    INFO(training.name);
    const Trained expected = training.train(data, WatchedOptions(valid));
    std::vector<TrainingState> states;
    RunOptions saving = WatchedOptions(valid, 2);
    saving.monitor.checkpoints.save = [&](const TrainingState& state) { states.push_back(state); };
    CheckSame(training.train(data, std::move(saving)), expected);
    REQUIRE(states.size() >= 2);
    for (std::size_t i = 0; i < states.size(); ++i) {
      INFO("round ", states[i].round);
      RunOptions options = WatchedOptions(valid, i % 2 == 0 ? 1 : 2);
      options.resumed = states[i];
      CheckSame(training.train(data, std::move(options)), expected);
    }
  }
}

TEST_CASE("training that an exception ends leaves the rounds before it") {
  const Dataset data = StateQueries(1).Make();
  const Dataset valid = StateQueries(2).Make();
  for (const NamedTraining& training : AllTrainings()) {
    INFO(training.name);
    const Trained expected = training.train(data, WatchedOptions(valid));
    bool is_any_left = false;
    for (const std::size_t calls_left : {3U, 40U, 200U, 500U, 1500U}) {
      std::vector<TrainingState> states;
      RunOptions options = WatchedOptions(valid);
      options.monitor.checkpoints.every = 1000;
      options.monitor.checkpoints.save = [&](const TrainingState& state) {
        states.push_back(state);
      };
      // Called before every piece of every loop.
      static std::size_t left;
      left = calls_left;
      options.threads.checkpoint = [] {
        if (left-- == 0) throw std::runtime_error("interrupted");
      };
      try {
        (void)training.train(data, std::move(options));
      } catch (const std::runtime_error&) {
      }
      REQUIRE(states.size() <= 5);  // of a bag, each member
      is_any_left = is_any_left || !states.empty();
      for (const TrainingState& state : states) {
        RunOptions resumed = WatchedOptions(valid);
        resumed.resumed = state;
        CheckSame(training.train(data, std::move(resumed)), expected);
      }
    }
    if (training.name.find("ordinal mart") == 0) CHECK(is_any_left);
  }
}

TEST_CASE("a state of another training is refused") {
  const Dataset data = StateQueries(1).Make();
  const Dataset valid = StateQueries(2).Make();
  MartSettings mart = MartDefaults();
  mart.boost.n_estimators = 4;
  const auto complaint = [&](const TrainingState& state, bool stops = false) {
    RunOptions options = WatchedOptions(valid);
    options.resumed = state;
    if (stops) options.monitor.early_stopping_rounds = 2;
    try {
      (void)Train(Mart(mart), data, 4, std::move(options));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  TrainingState good{1, {{Member{}}}, {{1, 4, {{0.5, 0.5}}}}};
  TrainingState bad = good;
  bad.grown.members.emplace_back();
  CHECK(complaint(bad) == "training is resumed with 1 members; the state has 2");
  bad = good;
  bad.history[0].values[0].pop_back();
  CHECK(complaint(bad) ==
        "the state of a training must have a value for each metric of each watched set after round "
        "1");
  CHECK(complaint(good, true) ==
        "the state of a training must know the best round if, and only if, it may stop early");
}

TEST_CASE("values are required for each metric of each watch") {
  CHECK_NOTHROW(RequireValues({}, {1, 2}));
  CHECK_NOTHROW(RequireValues({{1, 3, {{0.1}, {0.2, 0.3}}}}, {1, 2}));
  CHECK_THROWS_AS(RequireValues({{1, 3, {{0.1}}}}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(RequireValues({{1, 3, {{0.1}, {0.2}}}}, {1, 2}), std::invalid_argument);
}

}  // namespace rankforest
