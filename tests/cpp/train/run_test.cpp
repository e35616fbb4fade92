#include "rankforest/train/run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/staged.hpp"
#include "rankforest/train/recipes.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::ByRow;
using testing::RawData;
using testing::ScoreLog;

namespace {

/// A recipe with settings, ready to run.
struct NamedRecipe {
  std::string name;
  std::size_t n_rounds = 0;
  std::function<Trained(const Dataset&, RunOptions)> train;
};

template <class Recipe>
NamedRecipe Named(std::string name, std::size_t n_rounds, Recipe recipe) {
  return {std::move(name), n_rounds, [recipe, n_rounds](const Dataset& data, RunOptions options) {
            return Train(recipe, data, n_rounds, std::move(options));
          }};
}

ForestSettings SmallForest(ForestSettings settings, std::uint32_t n_estimators) {
  settings.n_estimators = n_estimators;
  settings.trees.limits.min_samples_leaf.amount = 2;
  return settings;
}

BoostSettings SmallBoost(BoostSettings settings, std::uint32_t n_estimators,
                         SampleSettings sample) {
  settings.n_estimators = n_estimators;
  settings.trees.limits.min_samples_leaf.amount = 2;
  settings.trees.max_features = {FeatureDraw::Kind::kFraction, 0.8};
  settings.sample = sample;
  return settings;
}

/// LambdaMART on the objectives that draw.
void AddDrawnObjectives(TreeMethod method, std::vector<NamedRecipe>& recipes) {
  LambdaMartSettings settings = LambdaMartDefaults();
  settings.boost.trees.tree_method = method;
  settings.boost = SmallBoost(settings.boost, 8, {});
  settings.boost.trees.max_features = {};
  settings.objective = RankingObjective::kYetiRank;
  recipes.push_back(Named("yetirank", 8, LambdaMart(settings)));
  settings.objective = RankingObjective::kXeNdcg;
  recipes.push_back(Named("xe_ndcg", 8, LambdaMart(settings)));
  settings.boost = SmallBoost(settings.boost, 8, {0.5, SampleUnit::kQuery, false});
  settings.objective = RankingObjective::kYetiLoss;
  settings.metric = Metric::Parse("mrr");
  recipes.push_back(Named("yetiloss", 8, LambdaMart(settings)));
}

/// Every recipe, with every way to sample.
std::vector<NamedRecipe> Recipes(TreeMethod method = TreeMethod::kAuto) {
  const SampleSettings half_of_rows{0.5, SampleUnit::kDocument, false};
  const SampleSettings half_of_queries{0.5, SampleUnit::kQuery, false};
  ForestSettings forest = RandomForestDefaults();
  forest.trees.tree_method = method;
  std::vector<NamedRecipe> recipes;
  recipes.push_back(Named("random forest", 20, RandomForest(SmallForest(forest, 20))));
  ForestSettings extra = ExtraTreesDefaults();
  extra.trees.tree_method = method;
  recipes.push_back(Named("extra trees", 20, ExtraTrees(SmallForest(extra, 20))));
  ForestSettings of_queries = SmallForest(forest, 12);
  of_queries.sample = half_of_queries;
  of_queries.trees.limits.missing = MissingRule::kThird;
  recipes.push_back(Named("forest of queries", 12, RandomForest(of_queries)));
  BoostSettings mart = MartDefaults().boost;
  mart.trees.tree_method = method;
  recipes.push_back(Named("mart", 8, Mart({SmallBoost(mart, 8, {}), InitialScore::kMean})));
  recipes.push_back(
      Named("mart of rows", 8, Mart({SmallBoost(mart, 8, half_of_rows), InitialScore::kZero})));
  recipes.push_back(Named("mart of queries", 8,
                          Mart({SmallBoost(mart, 8, half_of_queries), InitialScore::kMean})));
  recipes.push_back(
      Named("igbrt", 17, Igbrt({SmallForest(forest, 11), SmallBoost(mart, 6, half_of_rows)})));
  LambdaMartSettings lambda = LambdaMartDefaults();
  lambda.boost.trees.tree_method = method;
  lambda.boost = SmallBoost(lambda.boost, 8, half_of_queries);
  recipes.push_back(Named("lambdamart", 8, LambdaMart(lambda)));
  lambda.boost.sample = half_of_rows;
  lambda.metric = Metric::Parse("map");
  lambda.lambda.leaf = LambdaLeaf::kMean;
  recipes.push_back(Named("lambdamart of rows", 8, LambdaMart(lambda)));
  AddDrawnObjectives(lambda.boost.trees.tree_method, recipes);
  return recipes;
}

/// More than 256 documents and 32 queries, so that everything is divided among threads.
RawData TrainingData() {
  Rng rng(541);
  testing::SmallDataOptions options;
  options.n_queries = 80;
  options.n_features = 5;
  options.nan_in_100 = 8;
  options.weights_of_queries = true;
  RawData data = testing::SmallData(options, rng);
  // Three queries twice, under other names.
  const std::size_t n_rows = data.n_rows();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < n_rows; ++row) rows.push_back(row);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (data.queries[row] < 9) rows.push_back(row);
  }
  RawData twice = data.Take(rows);
  for (std::size_t row = n_rows; row < twice.n_rows(); ++row) twice.queries[row] += 1000;
  return twice;
}

RawData OtherData() {
  Rng rng(542);
  testing::SmallDataOptions options;
  options.n_queries = 20;
  options.n_features = 5;
  options.nan_in_100 = 8;
  return testing::SmallData(options, rng);
}

RunOptions Options(std::uint64_t seed, int threads = 1) {
  RunOptions options;
  options.seed = seed;
  options.threads = Threads{threads};
  return options;
}

void CheckSameModels(const Dataset& a, const Dataset& b, int threads) {
  for (const NamedRecipe& recipe : Recipes()) {
    INFO(recipe.name, ", ", threads, " threads");
    const Ensemble model = recipe.train(a, Options(6)).ensemble;
    CHECK(model.n_trees() == recipe.n_rounds);
    CHECK(recipe.train(b, Options(6, threads)).ensemble == model);
  }
}

}  // namespace

TEST_CASE("a model is valid, of the data's features, and has the rounds that were asked for") {
  const Dataset data = TrainingData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    INFO(recipe.name);
    const Trained trained = recipe.train(data, Options(1));
    CHECK_NOTHROW(Validate(trained.ensemble));
    CHECK(trained.ensemble.combine == Combine::kSum);
    CHECK(trained.ensemble.n_features == 5);
    CHECK(trained.ensemble.members.size() == 1);
    CHECK(trained.ensemble.n_rounds() == recipe.n_rounds);
    CHECK(trained.history.empty());
    CHECK_FALSE(trained.stopped_early);
  }
}

TEST_CASE("threads change no bit of a model") {
  const Dataset data = TrainingData().Make();
  CheckSameModels(data, data, 2);
  CheckSameModels(data, data, 5);
}

TEST_CASE("neither the order of rows nor the names of queries change a model") {
  const RawData raw = TrainingData();
  Rng rng(543);
  RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  CheckSameModels(raw.Make(), shuffled.Make(), 1);
  // New names, in another order than the old ones.
  for (QueryId& query : shuffled.queries) query = query * 2654435761U + 17U;
  CheckSameModels(raw.Make(), shuffled.Make(), 2);
}

TEST_CASE("the sign of a zero does not change a model") {
  RawData raw = TrainingData();
  const Dataset before = raw.Make();
  Rng rng(544);
  for (float& value : raw.features) {
    if (value == 0.0F) value = rng.Below(2) == 0 ? 0.0F : -0.0F;
  }
  CheckSameModels(before, raw.Make(), 1);
}

TEST_CASE("another seed is another model where something is drawn, and only there") {
  const Dataset data = TrainingData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    INFO(recipe.name);
    CHECK_FALSE(recipe.train(data, Options(1)).ensemble == recipe.train(data, Options(2)).ensemble);
  }
  MartSettings nothing_drawn;
  nothing_drawn.boost.n_estimators = 5;
  const auto train = [&](std::uint64_t seed) {
    return Train(Mart(nothing_drawn), data, 5, Options(seed)).ensemble;
  };
  CHECK(train(1) == train(2));
}

TEST_CASE("evaluated scores are those of the model's prefixes, bit for bit") {
  const Dataset data = TrainingData().Make();
  const Dataset other = OtherData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    for (const int threads : {1, 3}) {
      ScoreLog log;
      ScoreLog log_of_other;
      RunOptions options = Options(7, threads);
      options.monitor.watches = {{"train", &data, {log.metric()}},
                                 {"other", &other, {log_of_other.metric()}}};
      const Trained trained = recipe.train(data, std::move(options));
      INFO(recipe.name);
      REQUIRE(log.scores.size() == trained.history.size());
      CHECK(trained.history.back().round == recipe.n_rounds);
      StagedScorer staged(trained.ensemble, data.features());
      for (std::size_t i = 0; i < log.scores.size(); ++i) {
        const std::size_t round = trained.history[i].round;
        INFO("round ", round);
        REQUIRE(round > staged.round());  // each round once, in order
        staged.Advance(round - staged.round());
        CHECK(ByRow(data, log.scores[i]) == staged.Scores());
        CHECK(ByRow(other, log_of_other.scores[i]) ==
              Score(Prefix(trained.ensemble, round), other.features()));
      }
    }
  }
}

TEST_CASE("the history is what a metric says of the model after each round") {
  const Dataset data = TrainingData().Make();
  const Dataset other = OtherData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    RunOptions options = Options(8);
    options.monitor.watches = {
        {"other", &other, {testing::Watched("ndcg@10", other), testing::Watched("rmse", other)}}};
    const Trained trained = recipe.train(data, std::move(options));
    MetricRun ndcg(Metric::Parse("ndcg@10"), JudgementsOf(other), Threads{1});
    for (const RoundReport& report : trained.history) {
      const std::vector<double> by_row =
          Score(Prefix(trained.ensemble, report.round), other.features());
      std::vector<double> scores;
      for (const RowId row : other.order()) scores.push_back(by_row[row]);
      CHECK(report.values[0][0] == ndcg.Evaluate(scores).mean);
    }
  }
}

TEST_CASE("watching changes no bit of a model") {
  const Dataset data = TrainingData().Make();
  const Dataset other = OtherData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    RunOptions options = Options(9);
    options.monitor.watches = {{"other", &other, {testing::Watched("ndcg@10", other)}}};
    CHECK(recipe.train(data, std::move(options)).ensemble ==
          recipe.train(data, Options(9)).ensemble);
  }
}

TEST_CASE("infinite features train the model of the largest numbers, and score as these do") {
  RawData infinite = TrainingData();
  RawData finite = infinite;
  Rng rng(543);
  for (std::size_t i = 0; i < infinite.features.size(); ++i) {
    const std::uint32_t kind = rng.Below(12);
    if (kind > 1) continue;
    const float sign = kind == 0 ? 1.0F : -1.0F;
    infinite.features[i] = sign * std::numeric_limits<float>::infinity();
    finite.features[i] = sign * std::numeric_limits<float>::max();
  }
  const Dataset with_infinities = infinite.Make();
  const Dataset with_numbers = finite.Make();
  for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
    for (const NamedRecipe& recipe : Recipes(method)) {
      INFO(recipe.name, " ", static_cast<int>(method));
      const Ensemble model = recipe.train(with_infinities, Options(6)).ensemble;
      CHECK(recipe.train(with_numbers, Options(6, 3)).ensemble == model);
      CHECK(Score(model, with_infinities.features()) == Score(model, with_numbers.features()));
    }
  }
}

TEST_CASE("a model that stopped early is the prefix that ends with the first best round") {
  const Dataset data = TrainingData().Make();
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = 10;
  RunOptions options = Options(1);
  options.monitor.watches = {{"script", &data, {testing::Scripted({1, 2, 5, 5, 4, 4, 9, 9})}}};
  options.monitor.early_stopping_rounds = 3;
  const Trained trained = Train(Mart(settings), data, 10, options);
  CHECK(trained.stopped_early);
  CHECK(trained.history.size() == 6);
  CHECK(trained.ensemble == Prefix(Train(Mart(settings), data, 10, Options(1)).ensemble, 3));
}

TEST_CASE("IGBRT that stops early keeps its whole forest, for any number of threads") {
  const Dataset data = TrainingData().Make();
  IgbrtSettings settings = IgbrtDefaults();
  settings.forest.n_estimators = 40;
  settings.boost.n_estimators = 10;
  const Ensemble all = Train(Igbrt(settings), data, 50, Options(1)).ensemble;
  for (const int threads : {1, 2, 9}) {
    RunOptions options = Options(1, threads);
    // At 1 2 5 10 20 trees, then 40, then after each round.
    options.monitor.watches = {
        {"script", &data, {testing::Scripted({9, 8, 7, 6, 5, 1, 3, 2, 1, 0})}}};
    options.monitor.early_stopping_rounds = 2;
    const Trained trained = Train(Igbrt(settings), data, 50, options);
    CHECK(trained.stopped_early);
    CHECK(trained.ensemble == Prefix(all, 41));
    CHECK(trained.history.size() == 9);
  }
}

TEST_CASE("a forest that an observer stops has as many trees for any number of threads") {
  const Dataset data = TrainingData().Make();
  ForestSettings settings = SmallForest(RandomForestDefaults(), 60);
  const Ensemble all = Train(RandomForest(settings), data, 60, Options(1)).ensemble;
  for (const int threads : {1, 2, 9}) {
    RunOptions options = Options(1, threads);
    options.monitor.on_round = [](const RoundReport& report) { return report.round < 20; };
    const Trained trained = Train(RandomForest(settings), data, 60, options);
    CHECK(trained.stopped_early);
    CHECK(trained.ensemble == Prefix(all, 32));
  }
}

TEST_CASE("documents of weight 0 decide nothing but sizes and thresholds") {
  // Grades of weightless documents are noise to the model.
  RawData raw = TrainingData();
  raw.weights.assign(raw.n_rows(), 1.0);
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    if (raw.queries[row] % 2 == 0) raw.weights[row] = 0.0;
  }
  const Dataset data = raw.Make();
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = 30;
  const Ensemble model = Train(Mart(settings), data, 30, Options(1)).ensemble;
  for (const double score : Score(model, data.features())) {
    CHECK(score > -1.0);
    CHECK(score < 6.0);
  }
}

TEST_CASE("watched data with too few columns is refused by name") {
  const Dataset data = TrainingData().Make();
  const Dataset narrow = testing::OneFeature({1, 2}, {0, 1}).Make();
  RunOptions options = Options(1);
  options.monitor.watches = {{"valid", &narrow, {}}};
  CHECK_THROWS_WITH_AS(Train(Mart(MartDefaults()), data, 500, options),
                       "'valid' must have the 5 features of the training data; it has 1",
                       std::invalid_argument);
}

TEST_CASE("more features to draw than there are is refused") {
  const Dataset data = TrainingData().Make();
  MartSettings settings = MartDefaults();
  settings.boost.trees.max_features = {FeatureDraw::Kind::kCount, 6.0};
  CHECK_THROWS_WITH_AS(Train(Mart(settings), data, 500, Options(1)),
                       "max_features is 6, but the data has 5 features", std::invalid_argument);
}

TEST_CASE("training goes on from the first rounds to the ensemble of training at once") {
  const Dataset data = TrainingData().Make();
  for (const NamedRecipe& recipe : Recipes()) {
    INFO(recipe.name);
    const Ensemble whole = recipe.train(data, {7, {}, {}, {}}).ensemble;
    const std::size_t n = recipe.n_rounds;
    for (const std::size_t done : {n - 5, n - 1, n}) {
      CHECK(recipe.train(data, {7, Threads{2}, {}, Prefix(whole, done)}).ensemble == whole);
    }
  }
}

TEST_CASE("training does not go on from more rounds, other features or half a chain") {
  const Dataset data = TrainingData().Make();
  const auto message = [&](const NamedRecipe& recipe, const Ensemble& trained) {
    try {
      (void)recipe.train(data, {7, {}, {}, trained});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ForestSettings forest = SmallForest(RandomForestDefaults(), 4);
  const NamedRecipe four = Named("four trees", 4, RandomForest(forest));
  const NamedRecipe three = Named("three", 3, RandomForest(SmallForest(forest, 3)));
  Ensemble trained = four.train(data, {7, {}, {}, {}}).ensemble;
  CHECK(message(three, trained) ==
        "training goes on from 4 rounds and must end with as many at least; it was asked for 3");
  const NamedRecipe chain =
      Named("chain", 7, Igbrt({SmallForest(forest, 5), SmallBoost(MartDefaults().boost, 2, {})}));
  CHECK(message(chain, trained) ==
        "training goes on from 4 rounds, and must from the first 5 at least: those are of another "
        "kind than what follows");
  trained.n_features = 4;
  CHECK(message(four, trained) ==
        "training goes on with the 4 features that it began with; the data has 5");
}

TEST_CASE("boosting goes on from any model, whose rounds come first and count") {
  const Dataset old_data = OtherData().Make();
  const Dataset new_data = TrainingData().Make();
  const BoostSettings boost = SmallBoost(MartDefaults().boost, 3, {});
  RunOptions options;
  options.trained =
      Train(RandomForest(SmallForest(RandomForestDefaults(), 4)), old_data, 4, {}).ensemble;
  const Member start = options.trained.members.front();
  ScoreLog log;
  options.monitor.watches = {{"valid", &old_data, {log.metric()}}};
  BoostSettings longer = boost;
  longer.n_estimators = 4 + 3;
  const Trained trained = Train(Mart({longer, InitialScore::kMean}), new_data, 7, options);
  const Member& made = trained.ensemble.members.front();
  CHECK(trained.ensemble.n_rounds() == 7);
  CHECK(made.base == start.base);
  CHECK(made.groups.front() == start.groups.front());
  REQUIRE(trained.history.size() == 4);  // of the start, and of each new round
  CHECK(trained.history.front().round == 4);
  CHECK(trained.history.back().round == 7);
  CHECK(trained.history.back().n_rounds == 7);
  CHECK(ByRow(old_data, log.scores.front()) == Score(options.trained, old_data.features()));
  CHECK(ByRow(old_data, log.scores.back()) == Score(trained.ensemble, old_data.features()));
}

TEST_CASE("early stopping keeps the rounds that training started from") {
  const Dataset data = TrainingData().Make();
  const BoostSettings three = SmallBoost(MartDefaults().boost, 3, {});
  RunOptions options;
  options.trained = Train(Mart({three, InitialScore::kMean}), data, 3, {}).ensemble;
  const Ensemble before = options.trained;
  options.monitor.watches = {{"valid", &data, {testing::Scripted({0.9, 0.5, 0.4, 0.3, 0.2, 0.1})}}};
  options.monitor.early_stopping_rounds = 2;
  BoostSettings more = three;
  more.n_estimators = 8;
  const Trained trained = Train(Mart({more, InitialScore::kMean}), data, 8, options);
  CHECK(trained.stopped_early);
  CHECK(trained.ensemble == before);
}

TEST_CASE("a model of several members is nothing to go on from") {
  const Dataset data = TrainingData().Make();
  RunOptions options;
  options.trained = {Combine::kBorda, 5, {{}, {}}};
  CHECK_THROWS_WITH_AS(Train(Mart(MartDefaults()), data, 500, options),
                       "training goes on from a model of one member; this one combines the scores "
                       "of 2",
                       std::invalid_argument);
}

TEST_CASE("weights that are all zero, or next to it, are refused before training") {
  RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 3});
  const auto message = [&](double weight) {
    raw.weights.assign(4, 0.0);
    raw.weights[2] = weight;
    try {
      (void)Train(Mart(MartDefaults()), raw.Make(), 1, {});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(1e-30).empty());
  CHECK(message(1e30).empty());
  CHECK(message(0.0) == "weights must not be 0 for every document that is trained on");
  CHECK(message(1e-31) ==
        "weights must not all be below 1e-30 to train; the largest is 1e-31: multiply all of them "
        "by the same number");
}

}  // namespace rankforest
