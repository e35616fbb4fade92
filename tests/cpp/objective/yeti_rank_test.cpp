#include "rankforest/objective/yeti_rank.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/objective/decayed_difference.hpp"
#include "rankforest/sample/rows.hpp"
#include "support/naive_metrics.hpp"
#include "support/ranking_probability.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::NaiveValue;
using testing::Prepared;
using testing::RawData;

namespace {

using Gradients = std::vector<GradientPair>;

/// An objective under test.
struct Yeti {
  std::string metric;  ///< of YetiLoss; empty: YetiRank
  YetiSettings settings;
  LambdaSettings lambda;
};

Yeti WithoutTruncation(std::string metric, YetiSettings settings) {
  LambdaSettings lambda;
  lambda.truncation.reset();
  return {std::move(metric), settings, lambda};
}

/// Calls `visitor` with the objective.
template <class Visitor>
void Visit(const Yeti& yeti, const Visitor& visitor) {
  if (yeti.metric.empty()) {
    visitor(YetiRank(DecayedDifference(yeti.settings.decay), yeti.settings, yeti.lambda));
    return;
  }
  const Metric metric = Metric::Parse(yeti.metric);
  VisitSwapDelta(metric, [&](auto swap) {
    visitor(YetiRank(std::move(swap), yeti.settings, yeti.lambda, metric));
  });
}

/// What an objective writes; documents outside the sample keep (-7, -7).
Gradients Found(const Prepared& prepared, const Yeti& yeti, const RowSample& sample,
                const std::vector<double>& scores, const Rng& rng, int threads = 1) {
  Gradients out(prepared.data.n_documents(), {-7.0, -7.0});
  Visit(yeti, [&](const auto& objective) {
    objective.Start(prepared.training(threads)).Gradients(sample, scores, out, rng);
  });
  return out;
}

/// Adds the pairs of neighbours of one ranking by definition.
/// @param ranked  documents, best first
void AddNaive(const Dataset& data, const std::vector<RowId>& ranked, const Yeti& yeti,
              const std::vector<double>& scores, double factor, Gradients& out) {
  std::vector<double> grades;
  for (const RowId row : ranked) grades.push_back(data.grades()[row]);
  for (std::size_t r = 0; r + 1 < ranked.size(); ++r) {
    if (grades[r] == grades[r + 1]) continue;
    if (yeti.lambda.truncation && r >= *yeti.lambda.truncation) continue;
    double weight =
        std::abs(grades[r] - grades[r + 1]) * std::pow(yeti.settings.decay, static_cast<double>(r));
    if (!yeti.metric.empty()) {
      std::vector<double> swapped = grades;
      std::swap(swapped[r], swapped[r + 1]);
      const Metric metric = Metric::Parse(yeti.metric);
      weight = std::abs(NaiveValue(metric, swapped) - NaiveValue(metric, grades));
      if (std::isnan(weight)) continue;  // an empty query
    }
    const bool in_order = grades[r] > grades[r + 1];
    const RowId better = ranked[in_order ? r : r + 1];
    const RowId worse = ranked[in_order ? r + 1 : r];
    const double sigma = yeti.lambda.sigma;
    const double rho = 1.0 / (1.0 + std::exp(sigma * (scores[better] - scores[worse])));
    if (!data.weights().empty()) {
      const double a = data.weights()[better];
      const double b = data.weights()[worse];
      weight *= yeti.lambda.pair_weighting == PairWeighting::kProduct ? a * b : (a + b) / 2.0;
    }
    out[better].grad -= factor * weight * sigma * rho;
    out[worse].grad += factor * weight * sigma * rho;
    for (const RowId row : {better, worse}) {
      out[row].hess += factor * weight * sigma * sigma * rho * (1.0 - rho);
    }
  }
}

/// What an objective must write, from the same random numbers.
Gradients NaiveYeti(const Prepared& prepared, const Yeti& yeti, const RowSample& sample,
                    const std::vector<double>& scores, const Rng& rng) {
  const TrainingSet training = prepared.training();
  Gradients out(prepared.data.n_documents(), {-7.0, -7.0});
  for (const RowId row : sample.rows) out[row] = {};
  for (const QueryRange& range : QueryRanges(prepared.data, sample)) {
    Rng draws = rng.Child(Purpose::kObjective, range.query);
    std::vector<RowId> rows;
    for (const RowId row : training.scale_free_order()) {
      const auto* const begin = sample.rows.data() + range.begin;
      if (std::count(begin, sample.rows.data() + range.end, row) > 0) rows.push_back(row);
    }
    for (std::uint32_t p = 0; p < yeti.settings.n_permutations; ++p) {
      std::vector<std::pair<double, RowId>> keyed;
      for (const RowId row : rows) {
        double key = scores[row];
        if (yeti.settings.noise > 0.0) {
          const double u =
              (static_cast<double>(draws.Next() >> 12U) + 0.5) / 4503599627370496.0;  // 2^52
          key += yeti.settings.noise * std::log(u / (1.0 - u));
        }
        keyed.emplace_back(-key, row);
      }
      std::stable_sort(keyed.begin(), keyed.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      std::vector<RowId> ranked;
      for (const auto& [key, row] : keyed) ranked.push_back(row);
      AddNaive(prepared.data, ranked, yeti, scores, 1.0 / yeti.settings.n_permutations, out);
    }
  }
  return out;
}

void CheckClose(const Gradients& found, const Gradients& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t d = 0; d < found.size(); ++d) {
    INFO("document ", d);
    CHECK(found[d].grad == doctest::Approx(expected[d].grad).epsilon(1e-9));
    CHECK(found[d].hess == doctest::Approx(expected[d].hess).epsilon(1e-9));
  }
}

void CheckSameBits(const Gradients& found, const Gradients& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t d = 0; d < found.size(); ++d) {
    CHECK(found[d].grad == expected[d].grad);
    CHECK(found[d].hess == expected[d].hess);
  }
}

/// Multiples of 1/8, so that sums of them are exact.
std::vector<double> SomeScores(std::size_t n, Rng& rng) {
  std::vector<double> scores;
  for (std::size_t d = 0; d < n; ++d) scores.push_back(rng.Below(32) * 0.125 - 2.0);
  return scores;
}

const std::vector<std::string> kVariants = {
    "", "ndcg", "ndcg@3", "ndcg(gain=linear)", "map", "map@2", "mrr", "err", "err@3"};

Prepared SomeQueries(std::uint64_t seed, bool weighted) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  options.most_documents = 9;
  options.weights_of_rows = weighted;
  return Prepared(testing::SmallData(options, rng));
}

}  // namespace

TEST_CASE("the pairs of neighbours of one ranking, by hand") {
  // Without noise the ranking is that of the scores: grades 0 2 1. The first pair weighs 2 and is
  // in the wrong order by 1, with rho 0.7310586; the second one weighs 1 x 0.5, is in order by 1,
  // and rho is 0.2689414. rho (1 - rho) is 0.1966119 in both.
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 2, 1}));
  std::vector<double> scores(3);
  for (RowId d = 0; d < 3; ++d) scores[d] = 2.0 - prepared.data.order()[d];
  const Gradients out =
      Found(prepared, WithoutTruncation("", {1, 0.0, 0.5}), WholeSample(3), scores, Rng(1));
  std::vector<GradientPair> of_rows(3);
  for (RowId d = 0; d < 3; ++d) of_rows[prepared.data.order()[d]] = out[d];
  CHECK(of_rows[0].grad == doctest::Approx(1.4621172));
  CHECK(of_rows[1].grad == doctest::Approx(-1.4621172 - 0.1344707));
  CHECK(of_rows[2].grad == doctest::Approx(0.1344707));
  CHECK(of_rows[0].hess == doctest::Approx(0.3932239));
  CHECK(of_rows[1].hess == doctest::Approx(0.3932239 + 0.0983060));
  CHECK(of_rows[2].hess == doctest::Approx(0.0983060));
}

TEST_CASE("the expected gradient is that of all rankings by their probabilities") {
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 2, 1, 1}));
  const std::vector<double> scores = {0.75, -0.25, 0.25, 0.0};
  constexpr int kRounds = 4000;
  for (const std::string& metric : {std::string(), std::string("ndcg"), std::string("err@3")}) {
    const Yeti yeti = WithoutTruncation(metric, {5, 1.25, 0.85});
    Gradients expected(4);
    std::vector<RowId> ranked = {0, 1, 2, 3};
    double total = 0.0;
    do {
      const double probability = testing::RankingProbability(ranked, scores, 1.25);
      total += probability;
      AddNaive(prepared.data, ranked, yeti, scores, probability, expected);
    } while (std::next_permutation(ranked.begin(), ranked.end()));
    CHECK(total == doctest::Approx(1.0).epsilon(1e-6));
    std::vector<double> sums(4);
    std::vector<double> squares(4);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const Gradients out =
          Found(prepared, yeti, WholeSample(4), scores, Rng(5).Child(Purpose::kRound, round));
      for (std::size_t d = 0; d < 4; ++d) {
        sums[d] += out[d].grad;
        squares[d] += out[d].grad * out[d].grad;
      }
    }
    for (std::size_t d = 0; d < 4; ++d) {
      INFO(metric, " document ", d);
      const double mean = sums[d] / kRounds;
      const double error = std::sqrt((squares[d] / kRounds - mean * mean) / kRounds);
      CHECK(error < 0.02);
      CHECK(std::abs(mean - expected[d].grad) < 4.0 * error);
    }
  }
}

TEST_CASE("gradients are those of the definition for the same random numbers") {
  Rng rng(17);
  for (const bool weighted : {false, true}) {
    const Prepared prepared = SomeQueries(weighted ? 3 : 2, weighted);
    const std::size_t n = prepared.data.n_documents();
    for (const std::string& metric : kVariants) {
      for (const double noise : {0.0, 0.5, 1.0}) {
        INFO(metric, " noise ", noise);
        Yeti yeti{metric, {3, noise, 0.7}, {}};
        yeti.lambda.sigma = 1.5;
        yeti.lambda.truncation = 4;
        if (weighted) yeti.lambda.pair_weighting = PairWeighting::kProduct;
        const std::vector<double> scores = SomeScores(n, rng);
        const RowSample half = SubsampleRows{0.6}.Draw(prepared.data, WholeSample(n), Rng(4));
        for (const RowSample& sample : {WholeSample(n), half}) {
          CheckClose(Found(prepared, yeti, sample, scores, Rng(9)),
                     NaiveYeti(prepared, yeti, sample, scores, Rng(9)));
        }
      }
    }
  }
}

TEST_CASE(
    "the gradients of a query add up to 0, and a common shift of its scores changes nothing") {
  Rng rng(23);
  const Prepared prepared = SomeQueries(5, false);
  const std::size_t n = prepared.data.n_documents();
  const std::vector<double> scores = SomeScores(n, rng);
  std::vector<double> shifted = scores;
  for (double& score : shifted) score += 64.0;
  for (const std::string& metric : kVariants) {
    const Yeti yeti = WithoutTruncation(metric, {});
    const Gradients out = Found(prepared, yeti, WholeSample(n), scores, Rng(2));
    for (const QueryRange& range : QueryRanges(prepared.data, WholeSample(n))) {
      double sum = 0.0;
      for (std::size_t d = range.begin; d < range.end; ++d) {
        sum += out[d].grad;
        CHECK(out[d].hess >= 0.0);
      }
      CHECK(std::abs(sum) < 1e-12);
    }
    CheckSameBits(Found(prepared, yeti, WholeSample(n), shifted, Rng(2)), out);
  }
}

TEST_CASE("threads change no bit of a drawn gradient, another round does") {
  Rng rng(29);
  const Prepared prepared = SomeQueries(7, true);
  const std::size_t n = prepared.data.n_documents();
  const std::vector<double> scores = SomeScores(n, rng);
  const Yeti yeti = WithoutTruncation("", {});
  const Gradients one = Found(prepared, yeti, WholeSample(n), scores, Rng(2));
  CheckSameBits(Found(prepared, yeti, WholeSample(n), scores, Rng(2), 3), one);
  const Gradients other = Found(prepared, yeti, WholeSample(n), scores, Rng(3));
  CHECK(std::any_of(one.begin(), one.end(), [&](const GradientPair& pair) {
    return pair.grad != other[static_cast<std::size_t>(&pair - one.data())].grad;
  }));
}

TEST_CASE("scores that are far apart are as good as any") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 2}));
  const std::vector<double> scores = {0.0, -2000.0, -2000.5};
  const Yeti yeti = WithoutTruncation("", {});
  CheckClose(Found(prepared, yeti, WholeSample(3), scores, Rng(2)),
             NaiveYeti(prepared, yeti, WholeSample(3), scores, Rng(2)));
}

TEST_CASE("mean leaves have the weights of their documents for hessians") {
  RawData raw = testing::OneFeature({1, 2, 3}, {0, 1, 2});
  raw.weights = {0.5, 2.0, 1.0};
  const Prepared prepared(raw);
  Yeti yeti = WithoutTruncation("", {});
  yeti.lambda.leaf = LambdaLeaf::kMean;
  const Gradients out = Found(prepared, yeti, WholeSample(3), std::vector<double>(3), Rng(2));
  for (RowId d = 0; d < 3; ++d) CHECK(out[d].hess == prepared.data.weights()[d]);
}

TEST_CASE("YetiLoss refuses grades that its metric has no value for") {
  const Prepared prepared(testing::OneFeature({1, 2}, {0, 2000}));
  const Yeti loss = WithoutTruncation("ndcg", {});
  CHECK_THROWS_AS(Found(prepared, loss, WholeSample(2), {0, 0}, Rng(2)), std::invalid_argument);
  CHECK_NOTHROW(Found(prepared, WithoutTruncation("", {}), WholeSample(2), {0, 0}, Rng(2)));
}

}  // namespace rankforest
