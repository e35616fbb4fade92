#include "rankforest/metric/metric_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "support/metric_queries.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kNaN;
using testing::Queries;
using testing::ValueOf;

const std::vector<std::string> kMetrics = {"ndcg",
                                           "ndcg@3",
                                           "dcg@3",
                                           "meanndcg",
                                           "map@3",
                                           "map",
                                           "err",
                                           "err@3",
                                           "p@3",
                                           "mrr",
                                           "ndcg(gain=linear)",
                                           "rmse",
                                           "recall@3",
                                           "rbp",
                                           "auc(threshold=1.5)",
                                           "auc(threshold=2,fpr=0.1;0.4)",
                                           "pairaccuracy",
                                           "kendalltau"};

TEST_CASE("input ties follow the caller's rows, canonical ties the order of the judgements") {
  const std::vector<RowId> offsets{0, 3};
  const std::vector<RowId> rows{2, 0, 1};
  const std::vector<double> grades{1, 0, 2};
  const std::vector<double> scores{7, 7, 7};
  const auto value = [&](const std::string& metric) {
    MetricRun run(Metric::Parse(metric), JudgedQueries{offsets, grades, {}, rows}, Threads{});
    return run.Evaluate(scores).values[0];
  };
  CHECK(value("dcg@1(ties=canonical)") == 1.0);
  CHECK(value("dcg@1(ties=input)") == 0.0);
  CHECK(value("dcg@1(ties=optimistic)") == 3.0);
  CHECK(value("dcg@1(ties=pessimistic)") == 0.0);
  CHECK(value("dcg@1") == doctest::Approx(4.0 / 3.0));
}

TEST_CASE("a perfect ranking is worth exactly 1 and no ranking more") {
  Rng rng(5);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> grades(1 + rng.Below(30));
    std::vector<double> scores(grades.size());
    for (double& grade : grades) grade = rng.Uniform() * 4.0;
    for (double& score : scores) score = rng.Below(5);
    for (const std::string metric :
         {"ndcg", "ndcg@5", "ndcg(gain=linear)", "meanndcg", "map@3", "map", "mrr"}) {
      INFO(metric, " trial ", trial);
      CHECK(ValueOf(metric, grades, grades) == 1.0);
      CHECK(ValueOf(metric, scores, grades) <= 1.0);
      CHECK(ValueOf(metric, scores, grades) >= 0.0);
    }
  }
}

TEST_CASE("empty queries count as told, and are counted") {
  Queries queries;
  queries.Add({2, 1}, {1, 0});
  queries.Add({1, 2, 3}, {0, 0, 0});
  queries.Add({1, 2}, {1, 0});
  const std::vector<std::pair<std::string, double>> expected = {
      {"p@1", 0.5}, {"p@1(empty=0)", 1.0 / 3}, {"p@1(empty=0.5)", 0.5}, {"p@1(empty=1)", 2.0 / 3}};
  for (const auto& [metric, mean] : expected) {
    INFO(metric);
    const Evaluation evaluation = queries.Evaluate(metric);
    CHECK(evaluation.mean == doctest::Approx(mean));
    CHECK(evaluation.n_empty == 1);
    CHECK(std::isnan(evaluation.values[1]) == (metric == "p@1"));
  }
}

TEST_CASE("what is relevant decides what is empty") {
  Queries queries;
  queries.Add({2, 1}, {1, 0});
  CHECK(queries.Evaluate("map").n_empty == 0);
  CHECK(queries.Evaluate("map(threshold=2)").n_empty == 1);
  CHECK(queries.Evaluate("ndcg(gain=0;0;1)").n_empty == 1);
  CHECK(queries.Evaluate("rmse").n_empty == 0);
}

TEST_CASE("the mean of no query is NaN") {
  Queries none;
  CHECK(std::isnan(none.Evaluate("ndcg").mean));
  Queries empty;
  empty.Add({1, 2}, {0, 0});
  CHECK(std::isnan(empty.Evaluate("ndcg").mean));
  CHECK(std::isnan(none.Evaluate("rmse").mean));
}

TEST_CASE("weights multiply numerator and denominator, for empty queries too") {
  Queries queries;
  queries.Add({2, 1}, {1, 0}, 3.0);
  queries.Add({1, 2}, {0, 0}, 2.0);
  queries.Add({1, 2}, {1, 0}, 1.0);
  CHECK(queries.Evaluate("p@1").mean == doctest::Approx(3.0 / 4.0));
  CHECK(queries.Evaluate("p@1(empty=1)").mean == doctest::Approx(5.0 / 6.0));
  CHECK(queries.Evaluate("p@1(empty=0)").mean == doctest::Approx(3.0 / 6.0));
}

TEST_CASE("a query weighs as much as its documents on average") {
  Queries queries;
  queries.Add({2, 1}, {1, 0});
  queries.Add({1, 2}, {1, 0});
  queries.weights = {2.0, 4.0, 1.0, 0.0};
  CHECK(queries.Evaluate("p@1").mean == doctest::Approx(3.0 / 3.5));
}

TEST_CASE("RMSE is that of all documents together, weighted") {
  Queries queries;
  queries.Add({1, 1, 1, 1}, {0, 0, 0, 0});
  queries.Add({3}, {0});
  CHECK(queries.Evaluate("rmse").mean == doctest::Approx(std::sqrt(13.0 / 5.0)));
  queries.weights = {1, 0, 0, 1, 4};
  CHECK(queries.Evaluate("rmse").values[1] == doctest::Approx(3.0));
  CHECK(queries.Evaluate("rmse").mean == doctest::Approx(std::sqrt(38.0 / 6.0)));
}

TEST_CASE("neither threads nor the order of queries and documents change a bit") {
  Rng rng(17);
  std::vector<std::vector<std::pair<double, double>>> lists(200);
  for (auto& list : lists) {
    list.resize(1 + rng.Below(20));
    for (auto& [score, grade] : list) {
      score = rng.Below(6);
      grade = 3.0 * rng.Uniform();
    }
  }
  const auto build = [&] {
    Queries queries;
    for (const auto& list : lists) {
      std::vector<double> scores;
      std::vector<double> grades;
      for (const auto& [score, grade] : list) {
        scores.push_back(score);
        grades.push_back(grade);
      }
      queries.Add(scores, grades, 0.1 * static_cast<double>(list.size()));
    }
    return queries;
  };
  const Queries first = build();
  for (auto& list : lists) rng.Shuffle(Span<std::pair<double, double>>(list));
  for (std::size_t i = lists.size(); i > 1; --i) {
    std::swap(lists[i - 1], lists[rng.Below(static_cast<std::uint32_t>(i))]);
  }
  const Queries second = build();
  for (const std::string& metric : kMetrics) {
    INFO(metric);
    const double mean = first.Evaluate(metric).mean;
    CHECK(first.Evaluate(metric, 2).mean == mean);
    CHECK(first.Evaluate(metric, 5).mean == mean);
    CHECK(second.Evaluate(metric, 3).mean == mean);
  }
}

TEST_CASE("one run evaluates score after score") {
  Queries queries;
  queries.Add({}, {});
  queries.offsets = {0, 2};
  queries.grades = {1, 0};
  MetricRun run(Metric::Parse("mrr"), JudgedQueries{queries.offsets, queries.grades, {}, {}},
                Threads{2});
  CHECK(run.Evaluate(std::vector<double>{2, 1}).mean == 1.0);
  CHECK(run.Evaluate(std::vector<double>{1, 2}).mean == 0.5);
  CHECK(run.Evaluate(std::vector<double>{2, 1}).mean == 1.0);
}

TEST_CASE("infinite scores rank, and equal infinities tie") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(ValueOf("mrr", {-infinity, infinity, 0}, {0, 0, 1}) == 0.5);
  CHECK(ValueOf("mrr", {-infinity, -infinity, 0}, {0, 1, 0}) ==
        doctest::Approx((1.0 / 2 + 1.0 / 3) / 2));
}

TEST_CASE("large grades are worth what float64 holds") {
  CHECK(ValueOf("ndcg", {1, 2}, {1000, 999}) ==
        doctest::Approx((0.5 + 1.0 / 1.584962500721156) / (1.0 + 0.5 / 1.584962500721156)));
  CHECK(ValueOf("ndcg", {1, 2}, {31, 32}) == 1.0);
  CHECK(ValueOf("ndcg@1(gain=linear)", {1, 2}, {1e300, 1e299}) == doctest::Approx(0.1));
}

TEST_CASE("bad judgements and scores are named") {
  CHECK_THROWS_WITH_AS(
      ValueOf("ndcg", {1, 2}, {0, 1024}),
      "grade 1024 of row 1 (counted from 0) must be at most 1023 under gain=exp2 (2^1024 is "
      "beyond float64); use gain=linear or a table of gains",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      ValueOf("ndcg", {1, 2, 3}, {1023, 1023, 1023}),
      "the gains of the query of row 0 (counted from 0) add up to more than float64 holds; use "
      "gain=linear or a table of gains",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      ValueOf("ndcg(preset=letor4)", {1, 2}, {3, 1}),
      "grade 3 of row 0 (counted from 0) must be a whole number from 0 to 2, the grades that the "
      "table of gains holds",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      ValueOf("ndcg(preset=letor4)", {1, 2}, {0.5, 1}),
      "grade 0.5 of row 0 (counted from 0) must be a whole number from 0 to 2, the grades that "
      "the table of gains holds",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(ValueOf("err", {1, 2}, {0, 4.5}),
                       "grade 4.5 of row 1 (counted from 0) must be at most gmax=4 of err",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ValueOf("map", {1, 2}, {0, -1}),
                       "grade -1 of row 1 (counted from 0) must be a finite number >= 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ValueOf("map", {1, 2}, {0, kNaN}),
                       "grade nan of row 1 (counted from 0) must be a finite number >= 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ValueOf("map", {1, kNaN}, {0, 1}),
                       "the score of row 1 (counted from 0) is NaN, expected a number",
                       std::invalid_argument);
  Queries weighted;
  weighted.Add({1, 2}, {0, 1}, -0.5);
  CHECK_THROWS_WITH_AS((void)weighted.Evaluate("map"),
                       "weight -0.5 of row 0 (counted from 0) must be from 0 to 1e30",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ValueOf("map", {1}, {0, 1}),
                       "scores has 1 values, expected one for each of the 2 documents",
                       std::invalid_argument);
}

}  // namespace rankforest
