#include "rankforest/objective/any_objective.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/objective/lambda_rank.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"

namespace rankforest {
namespace {

Dataset RandomData(std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<QueryId> queries;
  for (QueryId q = 0; q < 6; ++q) {
    for (int document = 0; document < 7; ++document) {
      for (int f = 0; f < 3; ++f) features.push_back(static_cast<float>(rng.Below(8)));
      grades.push_back(static_cast<double>(rng.Below(3)));
      queries.push_back(q);
    }
  }
  return Dataset::Owning(std::move(features), 3, grades, queries);
}

template <class Objective>
Ensemble TrainWith(const Objective& objective, const Dataset& data) {
  BoostSettings settings;
  settings.n_estimators = 5;
  settings.trees.limits.max_depth = 2;
  return Train(Boosted(settings, objective), data, settings.n_estimators, {}).ensemble;
}

}  // namespace

TEST_CASE("an erased objective trains the same model as the objective itself") {
  const Dataset data = RandomData(7);
  const SquaredError squared;
  const Metric metric = Metric::Parse("ndcg@5");
  const LambdaRank lambdas(DcgSwap(metric), metric);
  CHECK(TrainWith(AnyObjective(squared), data) == TrainWith(squared, data));
  CHECK(TrainWith(AnyObjective(lambdas), data) == TrainWith(lambdas, data));
  CHECK_FALSE(TrainWith(AnyObjective(lambdas), data) == TrainWith(AnyObjective(squared), data));
}

TEST_CASE("copies of an erased objective serve several runs") {
  const Dataset first = RandomData(1);
  const Dataset second = RandomData(2);
  const Metric metric = Metric::Parse("ndcg@5");
  const AnyObjective objective{LambdaRank(DcgSwap(metric), metric)};
  const AnyObjective copy = objective;  // NOLINT(performance-unnecessary-copy-initialization)
  const Ensemble of_first = TrainWith(objective, first);
  CHECK(TrainWith(copy, second) == TrainWith(objective, second));
  CHECK(TrainWith(copy, first) == of_first);
}

}  // namespace rankforest
