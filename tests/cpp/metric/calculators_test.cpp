#include "rankforest/metric/calculators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/auc.hpp"
#include "rankforest/metric/average_precision.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/err.hpp"
#include "rankforest/metric/kendall_tau.hpp"
#include "rankforest/metric/mean_ndcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/names.hpp"
#include "rankforest/metric/pair_accuracy.hpp"
#include "rankforest/metric/precision.hpp"
#include "rankforest/metric/rank_biased_precision.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/reciprocal_rank.hpp"
#include "rankforest/metric/relevance.hpp"
#include "rankforest/metric/squared_error.hpp"
#include "support/metric_queries.hpp"
#include "support/naive_metrics.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::NaiveValues;
using testing::ValueOf;

TEST_CASE("metrics match hand-computed values") {
  // Ranking: grades 0, 2, 1. Gains 0, 3, 1; discounts 1, 1 / log2(3), 1 / 2.
  const std::vector<double> scores{0.3, 0.9, 0.5};
  const std::vector<double> grades{1, 0, 2};
  const double log2_3 = 1.584962500721156;
  const double dcg = 3.0 / log2_3 + 0.5;
  CHECK(ValueOf("dcg", scores, grades) == doctest::Approx(dcg));
  CHECK(ValueOf("dcg@2", scores, grades) == doctest::Approx(3.0 / log2_3));
  CHECK(ValueOf("ndcg", scores, grades) == doctest::Approx(dcg / (3.0 + 1.0 / log2_3)));
  CHECK(ValueOf("ndcg@1", scores, grades) == 0.0);
  CHECK(ValueOf("ndcg(gain=linear)", scores, grades) ==
        doctest::Approx((2.0 / log2_3 + 0.5) / (2.0 + 1.0 / log2_3)));
  CHECK(ValueOf("ndcg(gain=0;0;5)", scores, grades) == doctest::Approx(1.0 / log2_3));
  CHECK(ValueOf("map", scores, grades) == doctest::Approx((1.0 / 2 + 2.0 / 3) / 2));
  CHECK(ValueOf("map@2", scores, grades) == doctest::Approx(0.25));
  CHECK(ValueOf("map(threshold=2)", scores, grades) == doctest::Approx(0.5));
  CHECK(ValueOf("map@1(threshold=1,divisor=relevant)", grades, grades) == doctest::Approx(0.5));
  CHECK(ValueOf("map@1(threshold=1)", grades, grades) == 1.0);
  CHECK(ValueOf("p@1", scores, grades) == 0.0);
  CHECK(ValueOf("p@2", scores, grades) == 0.5);
  CHECK(ValueOf("p@4", scores, grades) == 0.5);
  CHECK(ValueOf("p@4(divisor=min)", scores, grades) == doctest::Approx(2.0 / 3));
  CHECK(ValueOf("mrr", scores, grades) == 0.5);
  CHECK(ValueOf("mrr@1", scores, grades) == 0.0);
  CHECK(ValueOf("mrr(threshold=>1)", {3, 2, 1}, {1, 1, 2}) == doctest::Approx(1.0 / 3));
  // Stops with 0, 3/16, 1/16.
  CHECK(ValueOf("err", scores, grades) ==
        doctest::Approx(3.0 / 16 / 2 + 13.0 / 16 * (1.0 / 16) / 3));
  CHECK(ValueOf("err(gmax=2)", scores, grades) ==
        doctest::Approx(3.0 / 4 / 2 + 1.0 / 4 * (1.0 / 4) / 3));
  CHECK(ValueOf("err(gmax=query)", scores, grades) == ValueOf("err(gmax=2)", scores, grades));
  CHECK(ValueOf("err(gmax=data)", scores, grades) == ValueOf("err(gmax=2)", scores, grades));
  CHECK(ValueOf("err(gain=linear)", scores, grades) ==
        doctest::Approx(2.0 / 4 / 2 + 2.0 / 4 * (1.0 / 4) / 3));
  CHECK(ValueOf("dcg(discount=reciprocal)", scores, grades) == doctest::Approx(3.0 / 2 + 1.0 / 3));
  CHECK(ValueOf("dcg(grade=trunc)", scores, {1.9, 0.9, 2.9}) == ValueOf("dcg", scores, grades));
  CHECK(ValueOf("map@2(divisor=found)", scores, grades) == 0.5);
  CHECK(ValueOf("map@1(divisor=found)", scores, grades) == 0.0);
  CHECK(ValueOf("recall@1", scores, grades) == 0.0);
  CHECK(ValueOf("recall@2", scores, grades) == 0.5);
  CHECK(ValueOf("rbp", scores, grades) == doctest::Approx(0.2 * (0.8 + 0.64)));
  CHECK(ValueOf("rbp@2(persistence=0.5,threshold=2)", scores, grades) == 0.25);
  CHECK(ValueOf("auc", scores, grades) == 0.0);
  CHECK(ValueOf("auc(threshold=2)", scores, grades) == 0.5);
  CHECK(ValueOf("pairaccuracy", scores, grades) == doctest::Approx(1.0 / 3));
  CHECK(ValueOf("kendalltau", scores, grades) == doctest::Approx(-1.0 / 3));
  CHECK(ValueOf("rmse", scores, grades) ==
        doctest::Approx(std::sqrt((0.7 * 0.7 + 0.9 * 0.9 + 1.5 * 1.5) / 3)));
}

TEST_CASE("AUC over a range of false-positive rates is an area of the ROC curve") {
  // Ranking: + - + - - with positives 2, negatives 3: the curve is 1/2, 1, 1 over thirds.
  const std::vector<double> scores{5, 4, 3, 2, 1};
  const std::vector<double> grades{1, 0, 2, 0, 0};
  CHECK(ValueOf("auc", scores, grades) == doctest::Approx((0.5 + 1.0 + 1.0) / 3));
  CHECK(ValueOf("auc(fpr=0;0.2)", scores, grades) == doctest::Approx(0.5 * 0.2));
  CHECK(ValueOf("auc(fpr=0;0.5)", scores, grades) ==
        doctest::Approx(0.5 / 3 + 1.0 * (0.5 - 1.0 / 3)));
  CHECK(ValueOf("auc(fpr=0.25;0.75)", scores, grades) ==
        doctest::Approx(0.5 * (1.0 / 3 - 0.25) + 1.0 * (0.75 - 1.0 / 3)));
  // The best there is, and what guessing gives on long lists: Mohan's 0.05 and 0.05^2 / 2.
  CHECK(ValueOf("auc(fpr=0;0.05)", grades, grades) == 0.05);
  std::vector<double> many(4000, 0.0);
  std::fill_n(many.begin(), 2000, 1.0);
  CHECK(ValueOf("auc(fpr=0;0.05)", std::vector<double>(4000, 7.0), many) ==
        doctest::Approx(0.00125).epsilon(0.02));
  CHECK(ValueOf("auc", std::vector<double>(4000, 7.0), many) == doctest::Approx(0.5));
}

TEST_CASE("Kendall's tau-b leaves tied pairs out of its denominator, tau-a does not") {
  // Pairs: 2 of 3 differ in grade, 2 of 3 in score; one is concordant, one tied in score.
  const std::vector<double> scores{2, 1, 1};
  const std::vector<double> grades{1, 1, 0};
  CHECK(ValueOf("kendalltau", scores, grades) == doctest::Approx(1.0 / 2));
  CHECK(ValueOf("kendalltau(variant=a)", scores, grades) == doctest::Approx(1.0 / 3));
  CHECK(ValueOf("pairaccuracy", scores, grades) == 0.75);
  CHECK(ValueOf("kendalltau", {1, 1, 1}, grades) == 0.0);
  CHECK(ValueOf("kendalltau", {3, 2, 1}, {3, 2, 1}) == doctest::Approx(1.0));
  CHECK(ValueOf("kendalltau", {1, 2, 3}, {3, 2, 1}) == doctest::Approx(-1.0));
}

TEST_CASE("the LETOR presets match hand-computed values") {
  // Ranking in file order where scores tie: grades 1, 0, 2, 0, 2.
  const std::vector<double> scores{5, 4, 4, 4, 4};
  const std::vector<double> grades{1, 0, 2, 0, 2};
  const double log2_3 = 1.584962500721156;
  const double log2_5 = 2.321928094887362;
  const double dcg = 1.0 + 3.0 / log2_3 + 3.0 / log2_5;
  const double ideal = 3.0 + 3.0 + 1.0 / log2_3;
  for (const std::string preset : {"letor3", "letor4"}) {
    const std::string in_preset = "(preset=" + preset + ")";
    CHECK(ValueOf("ndcg@1" + in_preset, scores, grades) == doctest::Approx(1.0 / 3.0));
    CHECK(ValueOf("ndcg@2" + in_preset, scores, grades) == doctest::Approx(1.0 / 6.0));
    CHECK(ValueOf("ndcg@5" + in_preset, scores, grades) == doctest::Approx(dcg / ideal));
    CHECK(ValueOf("map" + in_preset, scores, grades) ==
          doctest::Approx((1.0 + 2.0 / 3 + 3.0 / 5) / 3));
    CHECK(ValueOf("p@4" + in_preset, scores, grades) == 0.5);
    CHECK(ValueOf("p@10" + in_preset, scores, grades) == doctest::Approx(0.3));
    CHECK(ValueOf("meanndcg" + in_preset, {2, 1}, {1, 2}) ==
          doctest::Approx((1.0 / 3.0 + 1.0) / 2.0));
    for (const std::string metric : {"ndcg@2", "map", "p@2", "meanndcg"}) {
      CHECK(ValueOf(metric + in_preset, {1, 2, 3}, {0, 0, 0}) == 0.0);
    }
  }
  // Fewer than k documents.
  CHECK(ValueOf("ndcg@6(preset=letor3)", scores, grades) == doctest::Approx(dcg / ideal));
  CHECK(ValueOf("ndcg@6(preset=letor4)", scores, grades) == 0.0);
  CHECK(ValueOf("ndcg@5(preset=letor4)", {5, 4, 3, 2, 1}, {2, 2, 1, 0, 0}) == 1.0);
}

const std::vector<std::string> kRankingMetrics = {"ndcg",
                                                  "ndcg@1",
                                                  "ndcg@3",
                                                  "ndcg@4(gain=linear,discount=letor)",
                                                  "dcg@3",
                                                  "meanndcg",
                                                  "map",
                                                  "map@1",
                                                  "map@3",
                                                  "map@3(divisor=relevant,threshold=2)",
                                                  "map@3(divisor=found)",
                                                  "map@2(divisor=found,threshold=2)",
                                                  "map(divisor=found)",
                                                  "err",
                                                  "err@1",
                                                  "err@3",
                                                  "err@5(gmax=3)",
                                                  "err(gmax=query)",
                                                  "err@3(gain=linear,gmax=query)",
                                                  "ndcg@3(discount=reciprocal)",
                                                  "p@1",
                                                  "p@3",
                                                  "p@5(divisor=min)",
                                                  "mrr",
                                                  "mrr@1",
                                                  "mrr@3(threshold=2)",
                                                  "recall@1",
                                                  "recall@3(threshold=2)",
                                                  "rbp",
                                                  "rbp@3(persistence=0.5)",
                                                  "auc",
                                                  "auc(threshold=2)",
                                                  "auc(fpr=0;0.3)",
                                                  "auc(fpr=0.25;0.6)",
                                                  "pairaccuracy",
                                                  "kendalltau(variant=a)"};

std::string WithTies(const std::string& metric, const std::string& ties) {
  if (metric.back() != ')') return metric + "(ties=" + ties + ")";
  return metric.substr(0, metric.size() - 1) + ",ties=" + ties + ")";
}

TEST_CASE("averaged ties are the mean over every order of the tied documents") {
  Rng rng(3);
  for (int trial = 0; trial < testing::Trials(60); ++trial) {
    const std::size_t n = 1 + rng.Below(7);
    std::vector<double> scores(n);
    std::vector<double> grades(n);
    for (double& score : scores) score = rng.Below(trial % 3 == 0 ? 1 : 4);
    for (double& grade : grades) grade = rng.Below(4);
    grades[0] = 3;
    for (const std::string& spelling : kRankingMetrics) {
      const std::vector<double> values = NaiveValues(Metric::Parse(spelling), scores, grades);
      const double mean =
          std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
      INFO(spelling, " trial ", trial);
      if (std::isnan(mean)) {  // no pair
        CHECK(std::isnan(ValueOf(spelling, scores, grades)));
        continue;
      }
      CHECK(ValueOf(spelling, scores, grades) == doctest::Approx(mean).epsilon(1e-12));
      if (Metric::Parse(spelling).settings().divisor == Divisor::kFound) continue;  // not monotone
      CHECK(ValueOf(WithTies(spelling, "pessimistic"), scores, grades) ==
            doctest::Approx(*std::min_element(values.begin(), values.end())).epsilon(1e-12));
      CHECK(ValueOf(WithTies(spelling, "optimistic"), scores, grades) ==
            doctest::Approx(*std::max_element(values.begin(), values.end())).epsilon(1e-12));
    }
  }
}

TEST_CASE("the mean over what is found survives blocks of thousands of tied documents") {
  const std::vector<double> scores(20000, 1.0);
  std::vector<double> grades(20000, 0.0);
  std::fill_n(grades.begin(), 10000, 1.0);
  // Half of every prefix is relevant, give or take: AP over what is found is near a half.
  const double value = ValueOf("map@5000(divisor=found)", scores, grades);
  CHECK(value > 0.5);
  CHECK(value < 0.51);
}

TEST_CASE("gmax=data is the highest grade of all queries, gmax=query that of each") {
  testing::Queries queries;
  queries.Add({2, 1}, {1, 0});
  queries.Add({2, 1}, {3, 0});
  CHECK(queries.Evaluate("err(gmax=data)").values == std::vector<double>{1.0 / 8, 7.0 / 8});
  CHECK(queries.Evaluate("err(gmax=query)").values == std::vector<double>{1.0 / 2, 7.0 / 8});
}

TEST_CASE("every kind of metric has a calculator") {
  for (const detail::MetricRow& row : detail::kMetrics) {
    MetricSettings settings;
    settings.kind = row.kind;
    settings.cutoff = 3;
    CHECK_NOTHROW((void)detail::MakeCalculator(settings, {5, 4.0}));
  }
}

TEST_CASE("a normaliser is 0 for an empty query alone") {
  const std::vector<double> empty{0, 0};
  const std::vector<double> relevant{2, 0};
  for (const std::string spelling : {"ndcg", "dcg", "meanndcg", "map", "err", "p@3", "mrr",
                                     "recall@2", "rbp", "auc", "pairaccuracy", "kendalltau"}) {
    INFO(spelling);
    const MetricSettings settings = Metric::Parse(spelling).settings();
    std::visit(
        [&](const auto& calculator) {
          using Calculator = std::decay_t<decltype(calculator)>;
          if constexpr (!std::is_same_v<Calculator, detail::SquaredError>) {
            CHECK(calculator.Normaliser(empty) == 0.0);
            CHECK(calculator.Normaliser(relevant) > 0.0);
          }
        },
        detail::MakeCalculator(settings, {2, 2.0}));
  }
}

TEST_CASE("relevant documents are counted by threshold") {
  const std::vector<double> grades{0, 0.5, 1, 2};
  CHECK(detail::CountRelevant({0.0, false}, grades) == 3);
  CHECK(detail::CountRelevant({0.5, false}, grades) == 2);
  CHECK(detail::CountRelevant({0.5, true}, grades) == 3);
}

}  // namespace rankforest
