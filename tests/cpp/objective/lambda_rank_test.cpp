#include "rankforest/objective/lambda_rank.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/scale_free_order.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "support/naive_metrics.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::NaiveValue;
using testing::Prepared;
using testing::RawData;
using Pairs = std::vector<GradientPair>;

namespace {

const std::vector<std::string> kMetrics = {"ndcg",  "ndcg@3",   "ndcg@2(gain=linear)",
                                           "dcg@4", "map",      "map@3",
                                           "err",   "err@2",    "p@2",
                                           "mrr",   "recall@2", "rbp",
                                           "auc"};

/// Depends on everything that it may depend on.
double PreferenceOf(double grade_better, double grade_worse, RowId better, RowId worse) {
  return (grade_better - grade_worse) * 0.25 + (better % 3) * 0.5 + (worse % 2) * 0.125;
}

LambdaSettings Settings(std::optional<std::uint32_t> truncation = std::nullopt,
                        LambdaNorm norm = LambdaNorm::kNone, double sigma = 1.0,
                        LambdaLeaf leaf = LambdaLeaf::kNewton) {
  return {sigma, truncation, norm, leaf};
}

/// By how much a pair weighs more than its documents say.
PairFunction Preference() {
  return [](GradedPairs& pairs) {
    for (std::size_t i = 0; i < pairs.rows_better.size(); ++i) {
      pairs.weights.push_back(PreferenceOf(pairs.grades_better[i], pairs.grades_worse[i],
                                           pairs.rows_better[i], pairs.rows_worse[i]));
    }
  };
}

/// What an objective writes; documents outside the sample keep (-7, -7).
Pairs Lambdas(const Prepared& prepared, const std::string& metric, const LambdaSettings& settings,
              const RowSample& sample, const std::vector<double>& scores, int threads = 1,
              const PairFunction& function = {}) {
  Pairs out(prepared.data.n_documents(), {-7.0, -7.0});
  VisitSwapDelta(Metric::Parse(metric), [&](auto swap) {
    LambdaRank<decltype(swap)> objective(std::move(swap), Metric::Parse(metric), settings,
                                         function);
    objective.Start(prepared.training(threads)).Gradients(sample, scores, out, Rng(0));
  });
  return out;
}

/// The same of one query by definition: every pair, the metric of both rankings from scratch.
void NaiveQuery(const Dataset& data, const std::vector<RowId>& rows, const Metric& metric,
                const LambdaSettings& settings, const std::vector<double>& scores, Pairs& out,
                bool prefers = false) {
  const std::vector<RowId> order = ScaleFreeOrder(data, Threads{1});
  const auto place = [&](RowId d) { return std::find(order.begin(), order.end(), d); };
  std::vector<RowId> ranked = rows;
  std::sort(ranked.begin(), ranked.end(), [&](RowId a, RowId b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : place(a) < place(b);
  });
  const auto weight_of = [&](RowId d) { return data.weights().empty() ? 1.0 : data.weights()[d]; };
  const auto pair_weight = [&](RowId better, RowId worse) {
    const double a = weight_of(better);
    const double b = weight_of(worse);
    const double weight =
        settings.pair_weighting == PairWeighting::kProduct ? a * b : (a + b) / 2.0;
    return !prefers ? weight
                    : weight * PreferenceOf(data.grades()[better], data.grades()[worse],
                                            data.order()[better], data.order()[worse]);
  };
  const std::size_t n = ranked.size();
  std::vector<double> grades;
  for (const RowId row : ranked) grades.push_back(data.grades()[row]);
  const double before = NaiveValue(metric, grades);
  const bool by_gap = settings.norm == LambdaNorm::kGap || settings.norm == LambdaNorm::kGapLog;
  const bool spread = scores[ranked.front()] != scores[ranked.back()];
  for (const RowId row : ranked) out[row] = {};
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!(grades[i] > grades[j])) continue;  // i is the better document
      if (settings.truncation && std::min(i, j) >= *settings.truncation) continue;
      std::vector<double> swapped = grades;
      std::swap(swapped[i], swapped[j]);
      double delta = std::abs(NaiveValue(metric, swapped) - before);
      if (std::isnan(delta)) continue;  // an empty query
      const double gap = scores[ranked[i]] - scores[ranked[j]];
      if (by_gap && spread) delta /= 0.01 + std::abs(gap);
      const double rho = 1.0 / (1.0 + std::exp(settings.sigma * gap));
      const double lambda = settings.sigma * delta * rho;
      const double weight = pair_weight(ranked[i], ranked[j]);
      const double hess = weight * settings.sigma * settings.sigma * delta * rho * (1.0 - rho);
      out[ranked[i]].grad -= weight * lambda;
      out[ranked[j]].grad += weight * lambda;
      out[ranked[i]].hess += hess;
      out[ranked[j]].hess += hess;
      total += 2.0 * lambda;
    }
  }
  const bool by_log = settings.norm == LambdaNorm::kLog || settings.norm == LambdaNorm::kGapLog;
  const double factor = by_log && total > 0.0 ? std::log2(1.0 + total) / total : 1.0;
  for (const RowId row : ranked) {
    out[row].grad *= factor;
    out[row].hess *= factor;
    if (settings.leaf == LambdaLeaf::kMean) out[row].hess = weight_of(row);
  }
}

Pairs NaiveLambdas(const Dataset& data, const std::string& metric, const LambdaSettings& settings,
                   const RowSample& sample, const std::vector<double>& scores,
                   bool prefers = false) {
  Pairs out(data.n_documents(), {-7.0, -7.0});
  for (const QueryRange& range : QueryRanges(data, sample)) {
    const std::vector<RowId> rows(sample.rows.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                  sample.rows.begin() + static_cast<std::ptrdiff_t>(range.end));
    NaiveQuery(data, rows, Metric::Parse(metric), settings, scores, out, prefers);
  }
  return out;
}

/// Multiples of 1/4 with ties.
std::vector<double> RandomScores(std::size_t n, Rng& rng) {
  std::vector<double> scores(n);
  for (double& score : scores) score = rng.Below(9) * 0.25 - 1.0;
  return scores;
}

enum class Weights { kNone, kOfQueries, kOfDocuments };

Prepared RandomData(Rng& rng, Weights weights = Weights::kNone, std::size_t n_queries = 5) {
  testing::SmallDataOptions options;
  options.n_queries = n_queries;
  options.weights_of_queries = weights == Weights::kOfQueries;
  options.weights_of_rows = weights == Weights::kOfDocuments;
  return Prepared(testing::SmallData(options, rng));
}

void CheckEqual(const Pairs& a, const Pairs& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t d = 0; d < a.size(); ++d) {
    CHECK(a[d].grad == b[d].grad);
    CHECK(a[d].hess == b[d].hess);
  }
}

}  // namespace

TEST_CASE("lambdas of three documents, computed by hand") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 3}));
  std::vector<RowId> of_grade(4);
  for (RowId d = 0; d < 3; ++d) of_grade[static_cast<std::size_t>(prepared.data.grades()[d])] = d;
  // Ranking: grade 0, then 3, then 1. Discounts 1, 0.63093, 0.5; gains 0, 7, 1; ideal 7.63093.
  std::vector<double> scores(3);
  scores[of_grade[0]] = 2.0;
  scores[of_grade[3]] = 1.0;
  scores[of_grade[1]] = 0.0;
  const double third = 0.6309297535714574;
  const double ideal = 7.0 + third;
  const double delta_30 = 7.0 * (1.0 - third) / ideal;
  const double delta_10 = 1.0 * (1.0 - 0.5) / ideal;
  const double delta_31 = 6.0 * (third - 0.5) / ideal;
  const double rho_30 = 1.0 / (1.0 + std::exp(-1.0));  // one behind
  const double rho_10 = 1.0 / (1.0 + std::exp(-2.0));  // two behind
  const double rho_31 = 1.0 / (1.0 + std::exp(1.0));   // one ahead
  const Pairs out = Lambdas(prepared, "ndcg", Settings(), WholeSample(3), scores);
  CHECK(out[of_grade[3]].grad == doctest::Approx(-rho_30 * delta_30 - rho_31 * delta_31));
  CHECK(out[of_grade[1]].grad == doctest::Approx(-rho_10 * delta_10 + rho_31 * delta_31));
  CHECK(out[of_grade[0]].grad == doctest::Approx(rho_30 * delta_30 + rho_10 * delta_10));
  CHECK(out[of_grade[0]].hess ==
        doctest::Approx(rho_30 * (1 - rho_30) * delta_30 + rho_10 * (1 - rho_10) * delta_10));
  // Truncation 1 leaves the pairs of the first rank, which is that of grade 0.
  const Pairs first = Lambdas(prepared, "ndcg", Settings(1), WholeSample(3), scores);
  CHECK(first[of_grade[3]].grad == doctest::Approx(-rho_30 * delta_30));
  CHECK(first[of_grade[1]].grad == doctest::Approx(-rho_10 * delta_10));
  // sigma 2 doubles the gaps, the gradients, and doubles the hessians twice.
  const double steep = 1.0 / (1.0 + std::exp(-2.0));
  const Pairs sigma =
      Lambdas(prepared, "ndcg", Settings(1, LambdaNorm::kNone, 2.0), WholeSample(3), scores);
  CHECK(sigma[of_grade[3]].grad == doctest::Approx(-2.0 * steep * delta_30));
  CHECK(sigma[of_grade[3]].hess == doctest::Approx(4.0 * steep * (1 - steep) * delta_30));
}

TEST_CASE("equal scores rank in scale-free order") {
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 3}));
  const std::vector<double> equal(4, 1.0);
  std::vector<double> in_order(4);
  double score = 1.0;
  for (const RowId d : ScaleFreeOrder(prepared.data, Threads{1})) in_order[d] = score -= 1e-12;
  const Pairs tied = Lambdas(prepared, "ndcg@2", Settings(2), WholeSample(4), equal);
  const Pairs ranked = Lambdas(prepared, "ndcg@2", Settings(2), WholeSample(4), in_order);
  for (std::size_t d = 0; d < 4; ++d) {
    CHECK(tied[d].grad == doctest::Approx(ranked[d].grad).epsilon(1e-9));
  }
}

TEST_CASE("lambdas are the naive ones, for every metric, truncation, scaling and sample") {
  Rng rng(441);
  for (int trial = 0; trial < 300; ++trial) {
    const Prepared prepared = RandomData(rng, static_cast<Weights>(trial % 3));
    const Dataset& data = prepared.data;
    LambdaSettings settings;
    settings.sigma = 0.5 + rng.Below(4) * 0.5;
    settings.truncation = std::nullopt;
    if (rng.Below(2) == 0) settings.truncation = 1 + rng.Below(6);
    settings.norm = static_cast<LambdaNorm>(rng.Below(4));
    settings.leaf = static_cast<LambdaLeaf>(rng.Below(2));
    settings.pair_weighting = static_cast<PairWeighting>(rng.Below(2));
    const bool prefers = rng.Below(3) == 0;
    RowSample sample = WholeSample(data.n_documents());
    if (trial % 2 == 0) sample = SubsampleRows{0.6}.Draw(data, sample, rng);
    std::vector<double> scores = RandomScores(data.n_documents(), rng);
    const double spread = trial % 5 == 0 ? 100.0 : 1.0;  // far scores take a way of their own
    for (double& score : scores) score *= spread;
    const std::string& metric = kMetrics[static_cast<std::size_t>(trial) % kMetrics.size()];
    const Pairs found = Lambdas(prepared, metric, settings, sample, scores, 1,
                                prefers ? Preference() : PairFunction());
    const Pairs expected = NaiveLambdas(data, metric, settings, sample, scores, prefers);
    INFO("trial ", trial, " ", metric);
    for (std::size_t d = 0; d < found.size(); ++d) {
      CHECK(std::abs(found[d].grad - expected[d].grad) < 1e-12);
      CHECK(std::abs(found[d].hess - expected[d].hess) < 1e-12);
    }
  }
}

TEST_CASE("the gradients of a query add up to 0, and hessians are not negative") {
  Rng rng(442);
  for (const std::string& metric : kMetrics) {
    const Prepared prepared = RandomData(rng, Weights::kOfQueries);
    const Dataset& data = prepared.data;
    const std::vector<double> scores = RandomScores(data.n_documents(), rng);
    const Pairs out = Lambdas(prepared, metric, Settings(2, LambdaNorm::kLog),
                              WholeSample(scores.size()), scores);
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      double sum = 0.0;
      for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
        sum += out[d].grad;
        CHECK(out[d].hess >= 0.0);
      }
      INFO(metric, " query ", q);
      CHECK(std::abs(sum) < 1e-14);
    }
  }
}

TEST_CASE("documents of one grade pull at nothing, nor does a query without a relevant one") {
  for (const double grade : {0.0, 2.0}) {
    const Prepared prepared(testing::OneFeature({1, 2, 3}, {grade, grade, grade}));
    for (const std::string& metric : kMetrics) {
      const Pairs out =
          Lambdas(prepared, metric, Settings(), WholeSample(3), std::vector<double>{2, 0, 1});
      CheckEqual(out, Pairs(3));
    }
  }
}

TEST_CASE("a truncation at the length of the list, or beyond, is none") {
  Rng rng(443);
  const Prepared prepared = RandomData(rng);
  const std::vector<double> scores = RandomScores(prepared.data.n_documents(), rng);
  const RowSample all = WholeSample(scores.size());
  const Pairs none = Lambdas(prepared, "ndcg", Settings(), all, scores);
  CheckEqual(Lambdas(prepared, "ndcg", Settings(8), all, scores), none);
  CheckEqual(Lambdas(prepared, "ndcg", Settings(4294967295U), all, scores), none);
  bool differs = false;
  const Pairs one = Lambdas(prepared, "ndcg", Settings(1), all, scores);
  for (std::size_t d = 0; d < one.size(); ++d) differs = differs || one[d].grad != none[d].grad;
  CHECK(differs);
}

TEST_CASE("a query's weight multiplies its gradients and hessians, whatever their scaling") {
  Rng rng(444);
  testing::SmallDataOptions options;
  RawData raw = testing::SmallData(options, rng);
  raw.weights.assign(raw.n_rows(), 1.0);
  const Prepared light(raw);
  raw.weights.assign(raw.n_rows(), 4.0);
  const Prepared heavy(raw);
  // Weights take part in the canonical order: both sides are compared by the caller's rows.
  const std::vector<double> score_of_row = RandomScores(raw.n_rows(), rng);
  const auto by_row = [&](const Prepared& prepared, const LambdaSettings& settings) {
    const Span<const RowId> order = prepared.data.order();
    std::vector<double> scores;
    for (const RowId row : order) scores.push_back(score_of_row[row]);
    const Pairs out = Lambdas(prepared, "ndcg", settings, WholeSample(order.size()), scores);
    Pairs of_row(out.size());
    for (std::size_t d = 0; d < out.size(); ++d) of_row[order[d]] = out[d];
    return of_row;
  };
  for (const LambdaNorm norm : {LambdaNorm::kNone, LambdaNorm::kLog, LambdaNorm::kGapLog}) {
    for (const LambdaLeaf leaf : {LambdaLeaf::kNewton, LambdaLeaf::kMean}) {
      const LambdaSettings settings = Settings(std::nullopt, norm, 1.0, leaf);
      Pairs expected = by_row(light, settings);
      for (GradientPair& pair : expected) pair = {pair.grad * 4.0, pair.hess * 4.0};
      CheckEqual(by_row(heavy, settings), expected);
    }
  }
}

TEST_CASE("a mean leaf counts documents: the hessian is the weight") {
  Rng rng(445);
  const Prepared prepared = RandomData(rng, Weights::kOfQueries);
  const std::vector<double> scores = RandomScores(prepared.data.n_documents(), rng);
  const RowSample all = WholeSample(scores.size());
  const Pairs newton = Lambdas(prepared, "map", Settings(), all, scores);
  const Pairs mean =
      Lambdas(prepared, "map", Settings(std::nullopt, LambdaNorm::kNone, 1.0, LambdaLeaf::kMean),
              all, scores);
  for (std::size_t d = 0; d < mean.size(); ++d) {
    CHECK(mean[d].grad == newton[d].grad);
    CHECK(mean[d].hess == prepared.data.weights()[d]);
  }
}

TEST_CASE("a document that is not drawn neither gets a lambda nor takes a rank") {
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4, 5}, {0, 1, 3, 2, 0}));
  const std::vector<double> scores = {4, 3, 2, 1, 0};
  const RowSample sample{{0, 2, 3}, {}};
  const Pairs out = Lambdas(prepared, "ndcg", Settings(), sample, scores);
  CHECK(out[1].grad == -7.0);
  CHECK(out[4].hess == -7.0);
  const Pairs expected = NaiveLambdas(prepared.data, "ndcg", Settings(), sample, scores);
  for (const RowId d : sample.rows) CHECK(out[d].grad == doctest::Approx(expected[d].grad));
}

TEST_CASE("adding a constant to the scores of a query changes nothing") {
  Rng rng(446);
  const Prepared prepared = RandomData(rng);
  std::vector<double> scores = RandomScores(prepared.data.n_documents(), rng);
  const RowSample all = WholeSample(scores.size());
  const Pairs before = Lambdas(prepared, "err", Settings(3), all, scores);
  for (double& score : scores) score += 16.0;
  CheckEqual(Lambdas(prepared, "err", Settings(3), all, scores), before);
}

TEST_CASE("threads change no bit") {
  Rng rng(447);
  const Prepared prepared = RandomData(rng, Weights::kOfDocuments, 150);
  const std::vector<double> scores = RandomScores(prepared.data.n_documents(), rng);
  const RowSample all = WholeSample(scores.size());
  for (const std::string& metric : kMetrics) {
    const LambdaSettings settings = Settings(3, LambdaNorm::kGapLog);
    const Pairs one = Lambdas(prepared, metric, settings, all, scores);
    CheckEqual(Lambdas(prepared, metric, settings, all, scores, 2), one);
    CheckEqual(Lambdas(prepared, metric, settings, all, scores, 5), one);
  }
}

TEST_CASE("far scores stay numbers") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 2}));
  const Pairs out =
      Lambdas(prepared, "ndcg", Settings(), WholeSample(3), std::vector<double>{1e300, 0, -1e300});
  for (const GradientPair& pair : out) {
    CHECK(std::isfinite(pair.grad));
    CHECK(std::isfinite(pair.hess));
  }
}

TEST_CASE("a pair weighs the mean or the product of its documents, computed by hand") {
  RawData raw = testing::OneFeature({1, 2, 3}, {0, 1, 1});
  raw.weights = {1, 3, 0};
  const Prepared prepared(raw);
  std::vector<RowId> of_row(3);
  for (RowId d = 0; d < 3; ++d) of_row[prepared.data.order()[d]] = d;
  std::vector<double> scores(3);
  scores[of_row[0]] = 1.0;  // in front of both relevant ones, which are as good
  // Discounts 1, 0.63093, 0.5. Swaps with the one behind, and with the last.
  const double ideal = 1.0 + 0.6309297535714574;
  const double delta_near = (1.0 - 0.6309297535714574) / ideal;
  const double delta_far = 0.5 / ideal;
  const double rho = 1.0 / (1.0 + std::exp(-1.0));
  const bool is_1_near = ScaleFreeOrder(prepared.data, Threads{1})[0] == of_row[1] ||
                         (ScaleFreeOrder(prepared.data, Threads{1})[0] == of_row[0] &&
                          ScaleFreeOrder(prepared.data, Threads{1})[1] == of_row[1]);
  const double delta_1 = is_1_near ? delta_near : delta_far;
  const double delta_2 = is_1_near ? delta_far : delta_near;
  LambdaSettings settings = Settings();
  const Pairs mean = Lambdas(prepared, "ndcg", settings, WholeSample(3), scores);
  CHECK(mean[of_row[1]].grad == doctest::Approx(-2.0 * rho * delta_1));
  CHECK(mean[of_row[2]].grad == doctest::Approx(-0.5 * rho * delta_2));
  CHECK(mean[of_row[0]].grad == doctest::Approx(2.0 * rho * delta_1 + 0.5 * rho * delta_2));
  CHECK(mean[of_row[2]].hess == doctest::Approx(0.5 * rho * (1.0 - rho) * delta_2));
  settings.pair_weighting = PairWeighting::kProduct;
  const Pairs product = Lambdas(prepared, "ndcg", settings, WholeSample(3), scores);
  CHECK(product[of_row[1]].grad == doctest::Approx(-3.0 * rho * delta_1));
  CHECK(product[of_row[2]].grad == 0.0);
  CHECK(product[of_row[2]].hess == 0.0);
}

TEST_CASE("a pair of documents of weight 0 pulls at nothing") {
  RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 3});
  raw.weights = {0, 1, 0, 0};
  const Prepared prepared(raw);
  std::vector<double> scores(4);
  const Pairs out = Lambdas(prepared, "ndcg", Settings(), WholeSample(4), scores);
  double sum = 0.0;
  for (RowId d = 0; d < 4; ++d) {
    if (prepared.data.weights()[d] == 0.0) sum += std::abs(out[d].grad);
    CHECK(out[d].grad != 0.0);  // each has a pair with the one that weighs
  }
  raw.weights = {0, 0, 0, 0};
  for (const GradientPair& pair :
       Lambdas(Prepared(raw), "ndcg", Settings(), WholeSample(4), scores)) {
    CHECK(pair.grad == 0.0);
    CHECK(pair.hess == 0.0);
  }
  CHECK(sum > 0.0);
}

TEST_CASE("a function that finds every pair equal changes no bit") {
  Rng rng(448);
  const PairFunction one = [](GradedPairs& pairs) {
    pairs.weights.assign(pairs.rows_better.size(), 1.0);
  };
  for (const Weights weights : {Weights::kNone, Weights::kOfDocuments}) {
    const Prepared prepared = RandomData(rng, weights, 20);
    const std::vector<double> scores = RandomScores(prepared.data.n_documents(), rng);
    const RowSample all = WholeSample(scores.size());
    const LambdaSettings settings = Settings(3, LambdaNorm::kGapLog);
    CheckEqual(Lambdas(prepared, "ndcg", settings, all, scores, 1, one),
               Lambdas(prepared, "ndcg", settings, all, scores));
  }
}

TEST_CASE("a grade that the metric has no value for is refused before anything is computed") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 5, 2}));
  const std::vector<double> scores(3);
  CHECK_THROWS_WITH_AS(Lambdas(prepared, "err", Settings(), WholeSample(3), scores),
                       "grade 5 of row 1 (counted from 0) must be at most gmax=4 of err",
                       std::invalid_argument);
  CHECK_NOTHROW(Lambdas(prepared, "err(gmax=5)", Settings(), WholeSample(3), scores));
  const Prepared clicks(testing::OneFeature({1, 2}, {0, 2000}));
  CHECK_THROWS_AS(Lambdas(clicks, "ndcg", Settings(), WholeSample(2), std::vector<double>(2)),
                  std::invalid_argument);
  CHECK_NOTHROW(
      Lambdas(clicks, "ndcg(gain=linear)", Settings(), WholeSample(2), std::vector<double>(2)));
}

}  // namespace rankforest
