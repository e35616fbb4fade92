#include "rankforest/train/rank_svm_solver.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

struct Solved {
  std::vector<double> weights;
  double value = 0.0;
  std::vector<double> gradient;
  std::vector<double> values;  // after each step
};

Solved Solve(const testing::RawData& raw, double cost) {
  const Dataset data = raw.Make();
  const LinearData linear(TrainingSet(data, Threads{1}), WholeSample(data.n_documents()),
                          QueryNormalization::kNone);
  detail::RankSvmObjective objective(linear, cost);
  RankSvmSettings settings;
  settings.tolerance = 1e-14;
  detail::RankSvmSolver solver(objective, data.n_features(), settings);
  Solved solved;
  solved.values.push_back(solver.value());
  for (int step = 0; step < 100 && solver.Step(); ++step) solved.values.push_back(solver.value());
  solved.weights = solver.weights();
  solved.gradient.resize(data.n_features());
  solved.value = objective.Set(solved.weights, solved.gradient);
  return solved;
}

}  // namespace

TEST_CASE("the weight of one pair is where the square of the margin stops paying") {
  // w^2 / 2 + C (1 - 2 w)^2 is least at w = 4 C / (1 + 8 C).
  const Solved solved = Solve(testing::OneFeature({3.0F, 1.0F}, {1.0, 0.0}), 0.5);
  CHECK(solved.weights[0] == doctest::Approx(0.4));
  CHECK(solved.value == doctest::Approx(0.08 + 0.5 * 0.04));
}

TEST_CASE("every step lowers the objective, and the last one ends where it is flat") {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    testing::SmallDataOptions options;
    options.n_queries = 30;
    testing::RawData raw = testing::SmallData(options, rng);
    for (std::size_t i = 0; i < raw.features.size(); i += 4) raw.features[i] *= 1000.0F;
    const Solved solved = Solve(raw, 0.1);
    for (std::size_t i = 1; i < solved.values.size(); ++i) {
      CHECK(solved.values[i] <= solved.values[i - 1]);
    }
    double largest = 0.0;
    for (const double slope : solved.gradient) largest = std::max(largest, std::abs(slope));
    CHECK(largest < 1e-3 * (1.0 + solved.value));
  }
}

TEST_CASE("scaling the features by 4 and C by 1/16 divides the weights by 4") {
  Rng rng(2);
  testing::SmallDataOptions options;
  options.n_queries = 20;
  testing::RawData raw = testing::SmallData(options, rng);
  const Solved before = Solve(raw, 1.6);
  for (float& value : raw.features) value *= 4.0F;
  const Solved after = Solve(raw, 0.1);
  for (std::size_t f = 0; f < before.weights.size(); ++f) {
    CHECK(std::abs(4.0 * after.weights[f] - before.weights[f]) < 1e-6);
  }
}

}  // namespace rankforest
