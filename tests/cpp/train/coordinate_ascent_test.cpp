#include "rankforest/train/coordinate_ascent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

Trained Climbed(const Dataset& data, const CoordinateAscentSettings& settings,
                RunOptions options = {}) {
  return Train(CoordinateAscent(settings), data,
               std::size_t{settings.n_restarts} * settings.max_iterations, std::move(options));
}

testing::RawData ClimbData(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 15;
  options.most_documents = 12;
  options.n_features = 3;
  options.n_values = 40;
  return testing::SmallData(options, rng);
}

double ValueOf(const Linear& linear, const Dataset& data, const Metric& metric) {
  std::vector<double> scores;
  for (std::size_t row = 0; row < data.n_documents(); ++row) {
    scores.push_back(LinearSum(
        linear, [&](std::size_t i) { return data.features().Row(row)[linear.terms[i].feature]; }));
  }
  return Evaluate(metric, data, scores, Threads{1}).mean;
}

}  // namespace

TEST_CASE("columns are in units of the mean difference within a query") {
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {0.0F, 5.0F, 2.0F, 5.0F, 10.0F, 5.0F, 16.0F, 5.0F};
  raw.grades = {0.0, 1.0, 0.0, 1.0};
  raw.queries = {1, 1, 2, 2};
  const Dataset data = raw.Make();
  const LinearData linear(TrainingSet(data, Threads{1}), WholeSample(4), QueryNormalization::kNone);
  const FeatureColumns columns(linear);
  CHECK(columns.unit(0) == 4.0);
  CHECK(columns.Largest(0) == 4.0);
  CHECK(columns.tells(0));
  CHECK_FALSE(columns.tells(1));
  for (std::size_t d = 0; d < 4; ++d) {
    CHECK(columns.Value(0, d) == static_cast<double>(linear.Row(d)[0]) / 4.0);
  }
}

TEST_CASE("a feature that ranks backwards gets a weight below 0") {
  const Dataset data = testing::OneFeature({1.0F, 2.0F, 3.0F, 4.0F}, {3.0, 2.0, 1.0, 0.0}).Make();
  const Linear linear = Climbed(data, {}).ensemble.members[0].linear;
  REQUIRE(linear.terms.size() == 1);
  CHECK(linear.terms[0].weight < 0.0F);
}

TEST_CASE("the model is as good as any grid of weights in the same units, or nearly") {
  const Metric metric = Metric::Parse("ndcg@5");
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Dataset data = ClimbData(seed).Make();
    CoordinateAscentSettings settings;
    settings.metric = metric;
    settings.n_restarts = 8;
    settings.steps = seed == 3U ? LineSteps::kEven : LineSteps::kDoubling;
    const double found = ValueOf(Climbed(data, settings).ensemble.members[0].linear, data, metric);
    double best = 0.0;
    for (int a = -4; a <= 4; ++a) {
      for (int b = -4; b <= 4; ++b) {
        for (const float c : {-1.0F, 0.0F, 1.0F}) {
          const Linear linear{
              QueryNormalization::kNone,
              {{0, static_cast<float>(a) / 4.0F}, {1, static_cast<float>(b) / 4.0F}, {2, c}}};
          best = std::max(best, ValueOf(linear, data, metric));
        }
      }
    }
    CHECK(found >= best - 0.01);
  }
}

TEST_CASE(
    "neither threads, nor the order of rows, nor scaling by a power of two change the ranking "
    "or a bit of the weights but for the scale") {
  const testing::RawData raw = ClimbData(4);
  CoordinateAscentSettings settings;
  settings.n_restarts = 2;
  settings.max_iterations = 5;
  const Ensemble expected = Climbed(raw.Make(), settings).ensemble;
  Rng rng(5);
  testing::RawData changed = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  CHECK(Climbed(changed.Make(), settings, {0, Threads{3}, {}, {}}).ensemble == expected);
  CHECK_FALSE(Climbed(raw.Make(), settings, {1, Threads{1}, {}, {}}).ensemble == expected);
}

TEST_CASE("the window is that of even steps alone") {
  const Dataset data = ClimbData(7).Make();
  const auto climbed = [&](LineSteps steps, double window) {
    CoordinateAscentSettings settings;
    settings.n_restarts = 1;
    settings.max_iterations = 3;
    settings.steps = steps;
    settings.window = window;
    return Climbed(data, settings).ensemble;
  };
  CHECK(climbed(LineSteps::kDoubling, 2.0) == climbed(LineSteps::kDoubling, 0.3));
  CHECK_FALSE(climbed(LineSteps::kEven, 2.0) == climbed(LineSteps::kEven, 0.3));
  CHECK_FALSE(climbed(LineSteps::kEven, 2.0) == climbed(LineSteps::kDoubling, 2.0));
}

TEST_CASE("without early stopping the best pass on the training data is kept") {
  const Dataset data = ClimbData(6).Make();
  CoordinateAscentSettings settings;
  settings.n_restarts = 4;
  settings.max_iterations = 3;
  const Trained trained = Climbed(data, settings);
  CHECK(trained.rounds_kept >= 1);
  CHECK(trained.rounds_kept <= 12);
  settings.n_restarts = 1;
  const double of_one =
      ValueOf(Climbed(data, settings).ensemble.members[0].linear, data, settings.metric);
  CHECK(ValueOf(trained.ensemble.members[0].linear, data, settings.metric) >= of_one - 1e-9);
}

TEST_CASE("queries that cannot be evaluated, and features that tell nothing, are refused") {
  const Dataset one_grade = testing::OneFeature({2.0F, 1.0F}, {0.0, 0.0}).Make();
  CHECK_THROWS_WITH_AS(
      Climbed(one_grade, {}),
      "CoordinateAscent needs a query that its metric can be evaluated on, and there is none",
      std::invalid_argument);
  const Dataset data = testing::OneFeature({2.0F, 2.0F}, {1.0, 0.0}).Make();
  CHECK_THROWS_WITH_AS(
      Climbed(data, {}),
      "CoordinateAscent needs a feature that differs within a query, and there is none",
      std::invalid_argument);
}

}  // namespace rankforest
