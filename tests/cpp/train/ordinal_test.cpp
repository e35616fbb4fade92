#include "rankforest/train/ordinal.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/train/recipes.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

const testing::RawData& GradedQueries() {
  static const testing::RawData raw = [] {
    Rng rng(951);
    testing::SmallDataOptions options;
    options.n_queries = 30;
    options.nan_in_100 = 5;
    options.weights_of_rows = true;
    options.n_grades = 4;
    return testing::SmallData(options, rng);
  }();
  return raw;
}

ForestSettings FewTrees(std::uint32_t n_trees, SplitCriterion criterion) {
  ForestSettings settings = RandomForestDefaults();
  settings.n_estimators = n_trees;
  settings.criterion.kind = criterion;
  settings.trees.limits.max_depth = 4;
  return settings;
}

MartSettings FewRounds(std::uint32_t n_rounds, double subsample) {
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = n_rounds;
  settings.boost.sample.fraction = subsample;
  settings.boost.trees.max_features = {FeatureDraw::Kind::kFraction, 0.6};
  return settings;
}

/// What the recipe trains on each problem alone, one after the other, with the same seed.
template <class Recipe>
std::vector<Member> OneByOne(const Recipe& recipe, const Dataset& data, std::uint64_t seed) {
  std::vector<Member> problems;
  const std::vector<double> grades = OrdinalGrades(data);
  for (std::size_t c = 0; c + 1 < grades.size(); ++c) {
    const Dataset regraded = data.WithGrades(AtMost(data.grades(), grades[c]));
    const TrainingSet training(regraded, Threads{1});
    Monitor nothing{MonitorSettings()};
    problems.push_back(recipe.Train(training, WholeSample(data.n_documents()), Rng(seed), nothing));
  }
  return problems;
}

template <class Recipe>
typename OrdinalTraining<Recipe>::Result Together(const Recipe& recipe, const Dataset& data,
                                                  std::uint64_t seed, int threads,
                                                  MonitorSettings settings = {},
                                                  std::vector<Member> trained = {}) {
  const TrainingSet training(data, Threads{threads});
  const OrdinalTraining<Recipe> problems(recipe, OrdinalScoring::kExpected, training);
  problems.Prepare();
  Monitor monitor(std::move(settings), Threads{threads}, 1000);
  return problems.Train(WholeSample(data.n_documents()), Rng(seed), monitor, std::move(trained));
}

template <class Recipe>
void CheckProblems(const Recipe& recipe) {
  const Dataset data = GradedQueries().Make();
  const std::vector<Member> alone = OneByOne(recipe, data, 5);
  REQUIRE(alone.size() == 3);
  for (const int threads : {1, 2, 3, 5}) {
    CHECK(Together(recipe, data, 5, threads).problems == alone);
  }
}

}  // namespace

TEST_CASE("the problems of a forest are the forests of each alone, for any number of threads") {
  CheckProblems(RandomForest(FewTrees(21, SplitCriterion::kSquaredError)));
  CheckProblems(RandomForest(FewTrees(3, SplitCriterion::kEntropy)));
  CheckProblems(ExtraTrees(FewTrees(5, SplitCriterion::kRandom)));
}

TEST_CASE("the problems of boosting are what it trains on each alone") {
  CheckProblems(Mart(FewRounds(7, 1.0)));
  CheckProblems(Mart(FewRounds(7, 0.5)));
  MartSettings zero = FewRounds(4, 1.0);
  zero.init = InitialScore::kZero;
  zero.boost.trees.tree_method = TreeMethod::kHist;
  CheckProblems(Mart(zero));
}

TEST_CASE("the problems of boosting behind a forest are those of each alone") {
  IgbrtSettings settings = IgbrtDefaults();
  settings.forest = FewTrees(5, SplitCriterion::kSquaredError);
  settings.boost = FewRounds(4, 0.7).boost;
  CheckProblems(Igbrt(settings));
}

TEST_CASE("problems go on from their first rounds as if they had never stopped") {
  const Dataset data = GradedQueries().Make();
  const auto whole = Together(Mart(FewRounds(6, 0.5)), data, 3, 1).problems;
  const auto first = Together(Mart(FewRounds(2, 0.5)), data, 3, 1).problems;
  CHECK(Together(Mart(FewRounds(6, 0.5)), data, 3, 2, {}, first).problems == whole);
  const auto forest = [](std::uint32_t n) {
    return RandomForest(FewTrees(n, SplitCriterion::kSquaredError));
  };
  const auto few = Together(forest(3), data, 3, 1).problems;
  CHECK(Together(forest(20), data, 3, 2, {}, few).problems ==
        Together(forest(20), data, 3, 1).problems);
}

TEST_CASE("an observer stops all problems with the same round") {
  const Dataset data = GradedQueries().Make();
  MonitorSettings settings;
  settings.on_round = [](const RoundReport& report) { return report.round < 3; };
  for (const Member& problem : Together(Mart(FewRounds(9, 1.0)), data, 3, 1, settings).problems) {
    CHECK(problem.n_rounds() == 3);
  }
  settings.on_round = [](const RoundReport& report) { return report.round < 20; };
  IgbrtSettings igbrt = IgbrtDefaults();
  igbrt.forest = FewTrees(100, SplitCriterion::kSquaredError);
  for (const int threads : {1, 8}) {
    for (const Member& problem : Together(Igbrt(igbrt), data, 3, threads, settings).problems) {
      CHECK(problem.n_rounds() == 32);  // the first look from 20 trees on
      CHECK(problem.groups.size() == 1);
    }
  }
}

TEST_CASE("early stopping goes by the score that all problems make") {
  const Dataset data = GradedQueries().Make();
  MonitorSettings settings;
  settings.watches = {{"valid", &data, {testing::Scripted({1, 2, 3, 2, 2, 2, 2, 2})}}};
  settings.early_stopping_rounds = 2;
  for (const Member& problem : Together(Mart(FewRounds(8, 1.0)), data, 3, 1, settings).problems) {
    CHECK(problem.n_rounds() == 3);
  }
}

TEST_CASE("weights are fitted to the problems with the rounds that are kept") {
  const Dataset data = GradedQueries().Make();
  const auto recipe = Mart(FewRounds(4, 1.0));
  const TrainingSet training(data, Threads{1});
  const OrdinalTraining<decltype(recipe)> problems(recipe, OrdinalScoring::kOlsBoth, training);
  MonitorSettings settings;
  settings.watches = {{"valid", &data, {testing::Scripted({1, 2, 1, 1})}}};
  settings.early_stopping_rounds = 2;
  Monitor monitor(settings, Threads{1}, 4);
  const RowSample all = WholeSample(data.n_documents());
  const auto result = problems.Train(all, Rng(3), monitor);
  const OrdinalScore expected =
      FittedScore(result.problems, {{data, all}, {data, all}}, Threads{1});
  CHECK(result.problems.front().n_rounds() == 2);
  CHECK(result.score.base == expected.base);
  CHECK(result.score.weights == expected.weights);
}

TEST_CASE("weights that are fitted to an evaluation set need one") {
  const Dataset data = GradedQueries().Make();
  const auto recipe = Mart(FewRounds(2, 1.0));
  const TrainingSet training(data, Threads{1});
  const OrdinalTraining<decltype(recipe)> problems(recipe, OrdinalScoring::kOlsValid, training);
  Monitor nothing{MonitorSettings()};
  CHECK_THROWS_WITH_AS(problems.Train(WholeSample(data.n_documents()), Rng(3), nothing),
                       "ordinal_scoring needs a data set to evaluate on", std::invalid_argument);
}

}  // namespace rankforest
