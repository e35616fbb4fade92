#include "rankforest/train/ada_rank.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

Trained Adapted(const Dataset& data, const AdaRankSettings& settings, RunOptions options = {}) {
  return Train(AdaRank(settings), data, settings.n_estimators, std::move(options));
}

testing::RawData AdaData(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 14;
  options.most_documents = 10;
  options.n_values = 30;
  return testing::SmallData(options, rng);
}

/// The weights after some rounds by the letter of the paper, in the caller's order of rows.
std::vector<double> NaiveWeights(const Dataset& data, const Metric& metric, std::size_t n_rounds) {
  const auto values_of = [&](const std::vector<double>& weights) {
    std::vector<double> scores(data.n_documents(), 0.0);
    for (std::size_t row = 0; row < scores.size(); ++row) {
      for (std::size_t f = 0; f < weights.size(); ++f) {
        scores[row] += weights[f] * static_cast<double>(data.features().Row(row)[f]);
      }
    }
    return Evaluate(metric, data, scores, Threads{1}).values;
  };
  const std::size_t m = data.n_features();
  std::vector<double> weights(m, 0.0);
  std::vector<double> shares;
  for (std::size_t t = 0; t < n_rounds; ++t) {
    double best = -1.0;
    std::size_t feature = 0;
    double sign = 1.0;
    for (std::size_t f = 0; f < m; ++f) {
      for (const double s : {1.0, -1.0}) {
        std::vector<double> alone(m, 0.0);
        alone[f] = s;
        const std::vector<double> values = values_of(alone);
        if (shares.empty()) {
          for (const double value : values) shares.push_back(std::isnan(value) ? 0.0 : 1.0);
        }
        double mean = 0.0;
        double total = 0.0;
        for (std::size_t q = 0; q < values.size(); ++q) {
          if (shares[q] > 0.0) mean += shares[q] * values[q];
          total += shares[q];
        }
        mean /= total;
        if (mean > best + 1e-12) {
          best = mean;
          feature = f;
          sign = s;
        }
      }
    }
    weights[feature] += sign * 0.5 * std::log((1.0 + best) / std::max(1.0 - best, 1e-6));
    const std::vector<double> values = values_of(weights);
    for (std::size_t q = 0; q < values.size(); ++q) {
      if (shares[q] > 0.0) shares[q] = std::exp(-values[q]);
    }
  }
  return weights;
}

}  // namespace

TEST_CASE("the first feature is the one that ranks best alone, in either direction") {
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {1.0F, 1.0F, 2.0F, 3.0F, 3.0F, 2.0F};
  raw.grades = {2.0, 1.0, 0.0};
  raw.queries = {1, 1, 1};
  AdaRankSettings settings;
  settings.metric = Metric::Parse("map(threshold=2)");
  settings.n_estimators = 1;
  const Linear linear = Adapted(raw.Make(), settings).ensemble.members[0].linear;
  REQUIRE(linear.terms.size() == 1);
  CHECK(linear.terms[0].feature == 0);
  CHECK(linear.terms[0].weight < 0.0F);
}

TEST_CASE("the weights are those of the paper, round by round") {
  for (const char* spelling : {"map", "ndcg@5"}) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const Dataset data = AdaData(seed).Make();
      AdaRankSettings settings;
      settings.metric = Metric::Parse(spelling);
      settings.tolerance = 0.0;
      settings.n_iter_no_change = 100;
      settings.max_repeats.reset();
      settings.n_estimators = 6;
      const Trained trained = Adapted(data, settings);
      std::vector<double> found(data.n_features(), 0.0);
      for (const Linear::Term& term : trained.ensemble.members[0].linear.terms) {
        found[term.feature] = static_cast<double>(term.weight);
      }
      const std::vector<double> expected = NaiveWeights(data, settings.metric, trained.rounds_kept);
      for (std::size_t f = 0; f < found.size(); ++f) {
        CHECK(found[f] == doctest::Approx(expected[f]).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("a feature that is chosen too often in a row is out") {
  const Dataset data = testing::OneFeature({1.0F, 3.0F, 2.0F}, {0.0, 1.0, 2.0}).Make();
  AdaRankSettings settings;
  settings.n_iter_no_change = 1000;
  settings.max_repeats = 3;
  testing::ScoreLog log;
  RunOptions options;
  options.monitor.watches = {{"all", &data, {log.metric()}}};
  Adapted(data, settings, options);
  CHECK(log.scores.size() == 3);
}

TEST_CASE("training ends after rounds without a gain, and threads and row order change nothing") {
  const testing::RawData raw = AdaData(9);
  AdaRankSettings settings;
  settings.n_iter_no_change = 3;
  const Trained trained = Adapted(raw.Make(), settings);
  Rng rng(1);
  const testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  const Trained again = Adapted(shuffled.Make(), settings, {5, Threads{3}, {}, {}});
  CHECK(again.ensemble == trained.ensemble);
  CHECK(again.rounds_kept == trained.rounds_kept);
}

TEST_CASE("a metric that is not from 0 to 1, and features that tell nothing, are refused") {
  AdaRankSettings settings;
  settings.metric = Metric::Parse("dcg@10");
  const Dataset data = AdaData(10).Make();
  CHECK_THROWS_AS(Adapted(data, settings), std::invalid_argument);
  const Dataset constant = testing::OneFeature({2.0F, 2.0F}, {1.0, 0.0}).Make();
  CHECK_THROWS_WITH_AS(Adapted(constant, {}),
                       "AdaRank needs a feature that is not constant, and there is none",
                       std::invalid_argument);
  const Dataset one_grade = testing::OneFeature({2.0F, 1.0F}, {0.0, 0.0}).Make();
  CHECK_THROWS_WITH_AS(
      Adapted(one_grade, {}),
      "AdaRank needs a query that its metric can be evaluated on, and there is none",
      std::invalid_argument);
}

}  // namespace rankforest
