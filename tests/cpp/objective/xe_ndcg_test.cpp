#include "rankforest/objective/xe_ndcg.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;
using testing::RawData;

namespace {

using EntropyPairs = std::vector<GradientPair>;

EntropyPairs CrossEntropy(const Prepared& prepared, const std::vector<double>& scores,
                          const Rng& rng, int threads = 1, LambdaLeaf leaf = LambdaLeaf::kNewton) {
  const std::size_t n = prepared.data.n_documents();
  EntropyPairs out(n);
  XeNdcg(leaf).Start(prepared.training(threads)).Gradients(WholeSample(n), scores, out, rng);
  return out;
}

/// The loss of one query by definition, for the same random numbers.
double NaiveLoss(const Prepared& prepared, const QueryRange& range,
                 const std::vector<double>& scores, const Rng& rng) {
  const Dataset& data = prepared.data;
  const TrainingSet training = prepared.training();
  Rng draws = rng.Child(Purpose::kObjective, range.query);
  std::vector<double> weights;
  std::vector<double> targets;
  std::vector<double> odds;
  double weight_sum = 0.0;
  double square_sum = 0.0;
  double target_sum = 0.0;
  double odds_sum = 0.0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const RowId d = training.scale_free_order()[i];
    weights.push_back(data.weights().empty() ? 1.0 : data.weights()[d]);
    targets.push_back(weights.back() * (std::exp2(data.grades()[d]) - draws.Uniform()));
    odds.push_back(weights.back() * std::exp(scores[d]));
    weight_sum += weights.back();
    square_sum += weights.back() * weights.back();
    target_sum += targets.back();
    odds_sum += odds.back();
  }
  double loss = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (weights[i] > 0.0) loss -= targets[i] / target_sum * std::log(odds[i] / odds_sum);
  }
  return square_sum / weight_sum * loss;
}

bool TeachesSomething(const Dataset& data, const QueryRange& range) {
  bool differ = false;
  double weight = 0.0;
  for (std::size_t d = range.begin; d < range.end; ++d) {
    differ = differ || data.grades()[d] != data.grades()[range.begin];
    weight += data.weights().empty() ? 1.0 : data.weights()[d];
  }
  return differ && weight > 0.0;
}

Prepared QueriesToCompare(std::uint64_t seed, bool weighted) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 10;
  options.weights_of_rows = weighted;
  return Prepared(testing::SmallData(options, rng));
}

std::vector<double> ScoresToCompare(std::size_t n) {
  Rng rng(6);
  std::vector<double> scores;
  for (std::size_t d = 0; d < n; ++d) scores.push_back(rng.Below(32) * 0.125 - 2.0);
  return scores;
}

}  // namespace

TEST_CASE("two documents with equal scores, by hand") {
  // The softmax is 1/2 each. The distribution of grades is (2 - a) and (1 - b) over their sum.
  const Prepared prepared(testing::OneFeature({1, 2}, {1, 0}));
  const EntropyPairs out = CrossEntropy(prepared, {0.0, 0.0}, Rng(3));
  Rng draws = Rng(3).Child(Purpose::kObjective, 0);
  const TrainingSet training = prepared.training();
  const RowId first = training.scale_free_order()[0];
  const RowId second = training.scale_free_order()[1];
  const double a = std::exp2(prepared.data.grades()[first]) - draws.Uniform();
  const double b = std::exp2(prepared.data.grades()[second]) - draws.Uniform();
  CHECK(out[first].grad == doctest::Approx(0.5 - a / (a + b)));
  CHECK(out[second].grad == doctest::Approx(0.5 - b / (a + b)));
  CHECK(out[first].hess == 0.25);
  CHECK(out[second].hess == 0.25);
}

TEST_CASE("gradients and hessians are the derivatives of the loss of the same draws") {
  for (const bool weighted : {false, true}) {
    const Prepared prepared = QueriesToCompare(weighted ? 8 : 7, weighted);
    const std::size_t n = prepared.data.n_documents();
    const std::vector<double> scores = ScoresToCompare(n);
    const EntropyPairs out = CrossEntropy(prepared, scores, Rng(2));
    for (const QueryRange& range : QueryRanges(prepared.data, WholeSample(n))) {
      const bool teaches = TeachesSomething(prepared.data, range);
      for (std::size_t d = range.begin; d < range.end; ++d) {
        if (!teaches) {
          CHECK(out[d].grad == 0.0);
          CHECK(out[d].hess == 0.0);
          continue;
        }
        constexpr double kStep = 1e-3;
        const auto loss_at = [&](double step) {
          std::vector<double> moved = scores;
          moved[d] += step;
          return NaiveLoss(prepared, range, moved, Rng(2));
        };
        const double first = (loss_at(kStep) - loss_at(-kStep)) / (2.0 * kStep);
        const double second =
            (loss_at(kStep) - 2.0 * loss_at(0.0) + loss_at(-kStep)) / (kStep * kStep);
        CHECK(std::abs(out[d].grad - first) < 1e-6);
        CHECK(std::abs(out[d].hess - second) < 1e-5);
      }
    }
  }
}

TEST_CASE("cross entropies add up to no gradient, whatever the shift of scores and the threads") {
  const Prepared prepared = QueriesToCompare(9, true);
  const std::size_t n = prepared.data.n_documents();
  const std::vector<double> scores = ScoresToCompare(n);
  const EntropyPairs out = CrossEntropy(prepared, scores, Rng(2));
  for (const QueryRange& range : QueryRanges(prepared.data, WholeSample(n))) {
    double sum = 0.0;
    for (std::size_t d = range.begin; d < range.end; ++d) sum += out[d].grad;
    CHECK(std::abs(sum) < 1e-12);
  }
  std::vector<double> shifted = scores;
  for (double& score : shifted) score += 64.0;
  const EntropyPairs of_shifted = CrossEntropy(prepared, shifted, Rng(2));
  const EntropyPairs of_threads = CrossEntropy(prepared, scores, Rng(2), 3);
  for (std::size_t d = 0; d < n; ++d) {
    CHECK(of_shifted[d].grad == out[d].grad);
    CHECK(of_threads[d].grad == out[d].grad);
    CHECK(of_threads[d].hess == out[d].hess);
    if (prepared.data.weights()[d] == 0.0) CHECK(out[d].grad == 0.0);
  }
}

TEST_CASE("a query of weight 3 counts three times") {
  RawData raw = testing::OneFeature({1, 2, 3}, {1, 0, 2});
  const EntropyPairs plain = CrossEntropy(Prepared(raw), {0.5, 0.0, 1.0}, Rng(3));
  raw.weights = {3.0, 3.0, 3.0};
  const EntropyPairs heavy = CrossEntropy(Prepared(raw), {0.5, 0.0, 1.0}, Rng(3));
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(heavy[d].grad == doctest::Approx(3.0 * plain[d].grad));
    CHECK(heavy[d].hess == doctest::Approx(3.0 * plain[d].hess));
  }
}

TEST_CASE("cross entropy refuses grades whose power of two is beyond float64") {
  const Prepared prepared(testing::OneFeature({1, 2}, {0, 1001}));
  CHECK_THROWS_WITH_AS(
      CrossEntropy(prepared, {0.0, 0.0}, Rng(1)),
      "grades must be at most 1000 for objective=\"xe_ndcg\", which takes 2^grade; the highest is "
      "1001",
      std::invalid_argument);
}

}  // namespace rankforest
