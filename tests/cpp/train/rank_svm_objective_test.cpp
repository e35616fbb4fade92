#include "rankforest/train/rank_svm_objective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "support/judged_pairs.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

constexpr double kCost = 0.7;

/// From all pairs, one by one.
double NaiveObjective(const Dataset& data, const std::vector<double>& w) {
  double value = 0.0;
  for (const double weight : w) value += 0.5 * weight * weight;
  for (const testing::JudgedPair& pair : testing::AllPairs(data)) {
    double margin = 1.0;
    for (FeatureId f = 0; f < w.size(); ++f) {
      margin -= w[f] * (static_cast<double>(data.Features(pair.better)[f]) -
                        static_cast<double>(data.Features(pair.worse)[f]));
    }
    if (margin > 0.0) value += kCost * pair.weight * margin * margin;
  }
  return value;
}

struct ObjectiveCase {
  Dataset data;
  LinearData linear;
  std::vector<double> w;

  ObjectiveCase(const testing::RawData& raw, Rng& rng)
      : data(raw.Make()),
        linear(TrainingSet(data, Threads{1}), WholeSample(data.n_documents()),
               QueryNormalization::kNone),
        w(data.n_features()) {
    for (double& weight : w) weight = rng.Uniform() * 0.6 - 0.3;
  }
};

testing::RawData WeightedQueries(Rng& rng) {
  testing::SmallDataOptions options;
  options.n_queries = 20;
  options.weights_of_queries = true;
  return testing::SmallData(options, rng);
}

}  // namespace

TEST_CASE("the objective of one pair is the square of the weights and that of the margin") {
  Rng rng(1);
  const ObjectiveCase one(testing::OneFeature({3.0F, 1.0F}, {1.0, 0.0}), rng);
  detail::RankSvmObjective objective(one.linear, kCost);
  CHECK(objective.n_pairs() == 1.0);
  const std::vector<double> w{0.25};
  std::vector<double> gradient(1);
  CHECK(objective.Set(w, gradient) == doctest::Approx(0.03125 + kCost * 0.25));
  CHECK(gradient[0] == doctest::Approx(0.25 - kCost * 2.0 * 0.5 * 2.0));
}

TEST_CASE("value, gradient and curvature are those of explicit pairs") {
  Rng rng(2);
  for (int round = 0; round < 30; ++round) {
    ObjectiveCase each(WeightedQueries(rng), rng);
    detail::RankSvmObjective objective(each.linear, kCost);
    std::vector<double> gradient(each.w.size());
    const double value = objective.Set(each.w, gradient);
    CHECK(value == doctest::Approx(NaiveObjective(each.data, each.w)).epsilon(1e-10));
    CHECK(objective.ValueAt(each.w) == value);
    constexpr double kStep = 1e-6;
    for (std::size_t f = 0; f < each.w.size(); ++f) {
      std::vector<double> up = each.w;
      std::vector<double> down = each.w;
      up[f] += kStep;
      down[f] -= kStep;
      const double slope =
          (NaiveObjective(each.data, up) - NaiveObjective(each.data, down)) / (2.0 * kStep);
      CHECK(std::abs(gradient[f] - slope) < 1e-4 * (1.0 + std::abs(slope)));
    }
  }
}

TEST_CASE("the curvature is that of the active pairs, and the diagonal is no smaller than 1") {
  Rng rng(3);
  for (int round = 0; round < 30; ++round) {
    ObjectiveCase each(WeightedQueries(rng), rng);
    const std::size_t m = each.w.size();
    detail::RankSvmObjective objective(each.linear, kCost);
    std::vector<double> gradient(m);
    objective.Set(each.w, gradient);
    std::vector<double> expected(m, 0.0);
    std::vector<double> v(m);
    for (double& value : v) value = rng.Uniform() - 0.5;
    for (std::size_t f = 0; f < m; ++f) expected[f] = v[f];
    for (const testing::JudgedPair& pair : testing::AllPairs(each.data)) {
      double score = 0.0;
      double moved = 0.0;
      std::vector<double> difference(m);
      for (FeatureId f = 0; f < m; ++f) {
        difference[f] = static_cast<double>(each.data.Features(pair.better)[f]) -
                        static_cast<double>(each.data.Features(pair.worse)[f]);
        score += each.w[f] * difference[f];
        moved += v[f] * difference[f];
      }
      if (!(score < 1.0)) continue;
      for (std::size_t f = 0; f < m; ++f) {
        expected[f] += 2.0 * kCost * pair.weight * moved * difference[f];
      }
    }
    std::vector<double> curved(m);
    std::vector<double> diagonal(m);
    objective.Diagonal(diagonal);
    objective.Curve(v, curved);
    for (std::size_t f = 0; f < m; ++f) {
      CHECK(curved[f] == doctest::Approx(expected[f]).epsilon(1e-9));
      CHECK(diagonal[f] >= 1.0);
    }
  }
}

}  // namespace rankforest
