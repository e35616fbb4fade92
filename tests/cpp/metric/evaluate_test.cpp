#include "rankforest/metric/evaluate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/evaluation.hpp"
#include "rankforest/metric/metric.hpp"

namespace rankforest {

/// Rows of a few queries in random order.
struct Rows {
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<double> scores;
  std::vector<double> weights;
  std::vector<QueryId> codes;

  void Add(float feature, double grade, double score, QueryId code) {
    features.push_back(feature);
    grades.push_back(grade);
    scores.push_back(score);
    weights.push_back(0.1 * (1.0 + static_cast<double>(code)));
    codes.push_back(code);
  }

  [[nodiscard]] Dataset Data() const {
    return Dataset({features.data(), grades.size(), 1, 1}, grades, codes, weights, {});
  }
  [[nodiscard]] JudgedRows Judged() const { return {grades, codes, weights, {}, {}, nullptr}; }
};

Rows RandomRows(std::uint64_t seed) {
  Rng rng(seed);
  Rows rows;
  for (int i = 0; i < 200; ++i) {
    rows.Add(static_cast<float>(rng.Uniform()), rng.Below(3), rng.Below(8), rng.Below(20));
  }
  return rows;
}

TEST_CASE("values come in the order of the codes, from rows in any order") {
  Rows rows;
  rows.Add(0.1F, 1, 1, 7);
  rows.Add(0.2F, 1, 2, 3);
  rows.Add(0.3F, 0, 2, 7);
  rows.Add(0.4F, 0, 1, 3);
  const Metric metric = Metric::Parse("mrr");
  const std::vector<double> expected{1.0, 0.5};
  CHECK(Evaluate(metric, rows.Judged(), rows.scores, {}).values == expected);
  CHECK(Evaluate(metric, rows.Data(), rows.scores, {}).values == expected);
  CHECK(Evaluate(metric, rows.Data(), rows.scores, {}).mean ==
        doctest::Approx((0.4 * 1.0 + 0.8 * 0.5) / 1.2));
}

TEST_CASE("a data set and its bare rows have the same values to the last bit") {
  for (const std::string spelling :
       {"ndcg@5", "map", "err", "p@3", "mrr", "ndcg(ties=input)", "rmse"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Rows rows = RandomRows(seed);
      const Metric metric = Metric::Parse(spelling);
      const Evaluation bare = Evaluate(metric, rows.Judged(), rows.scores, Threads{2});
      const Evaluation data = Evaluate(metric, rows.Data(), rows.scores, Threads{1});
      INFO(spelling, " seed ", seed);
      CHECK(bare.mean == data.mean);
      CHECK(bare.n_empty == data.n_empty);
      REQUIRE(bare.values.size() == data.values.size());
      for (std::size_t q = 0; q < bare.values.size(); ++q) {
        const bool same = bare.values[q] == data.values[q] ||
                          (std::isnan(bare.values[q]) && std::isnan(data.values[q]));
        CHECK(same);
      }
    }
  }
}

TEST_CASE("canonical ties do not depend on the order of rows, input ties do") {
  Rows rows;
  rows.Add(0.1F, 1, 0, 0);
  rows.Add(0.2F, 0, 0, 0);
  Rows turned;
  turned.Add(0.2F, 0, 0, 0);
  turned.Add(0.1F, 1, 0, 0);
  const auto mean = [](const std::string& spelling, const Rows& of) {
    return Evaluate(Metric::Parse(spelling), of.Data(), of.scores, {}).mean;
  };
  CHECK(mean("mrr(ties=canonical)", rows) == mean("mrr(ties=canonical)", turned));
  CHECK(mean("mrr(ties=input)", rows) == 1.0);
  CHECK(mean("mrr(ties=input)", turned) == 0.5);
}

TEST_CASE("rows that are grouped and rows that are mixed have the same values") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Rows mixed = RandomRows(seed);
    std::vector<std::size_t> order(mixed.grades.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return mixed.codes[a] < mixed.codes[b]; });
    Rows grouped;
    for (const std::size_t i : order) {
      grouped.Add(mixed.features[i], mixed.grades[i], mixed.scores[i], mixed.codes[i]);
    }
    for (const std::string spelling : {"map(ties=input,empty=0)", "ndcg@5(empty=0)", "rmse"}) {
      const Metric metric = Metric::Parse(spelling);
      const Evaluation a = Evaluate(metric, mixed.Judged(), mixed.scores, Threads{1});
      const Evaluation b = Evaluate(metric, grouped.Judged(), grouped.scores, Threads{2});
      INFO(spelling);
      CHECK(a.values == b.values);
      CHECK(a.mean == b.mean);
    }
  }
}

TEST_CASE("ranks that decide ties and judgements follow their rows") {
  Rows rows;
  rows.Add(0.1F, 1, 5, 7);
  rows.Add(0.2F, 1, 5, 3);
  rows.Add(0.3F, 0, 5, 7);
  rows.Add(0.4F, 0, 5, 3);
  const std::vector<RowId> forth{0, 1, 2, 3};
  const std::vector<RowId> back{3, 2, 1, 0};
  const std::vector<double> pool_grades{1, 1, 1, 1};
  const std::vector<QueryId> pool_codes{3, 7, 5, 3};
  const PoolRows pool{pool_grades, pool_codes};
  const JudgedRows judged{rows.grades, rows.codes, {}, forth, back, &pool};
  const auto values = [&](const std::string& metric) {
    return Evaluate(Metric::Parse(metric), judged, rows.scores, {}).values;
  };
  CHECK(values("mrr(ties=canonical)") == std::vector<double>{1.0, 1.0});
  CHECK(values("mrr(ties=docno)") == std::vector<double>{0.5, 0.5});
  CHECK(values("map(ties=canonical)") == std::vector<double>{0.5, 1.0});
  CHECK_THROWS_WITH_AS(
      (void)Evaluate(Metric::Parse("mrr(ties=docno)"), rows.Judged(), rows.scores, {}),
      "mrr(ties=docno): ties=docno needs the ids of the documents", std::invalid_argument);
}

TEST_CASE("what does not fit is named") {
  Rows rows;
  rows.Add(0.1F, 1, 0, 0);
  rows.Add(0.2F, 0, 0, 0);
  CHECK_THROWS_WITH_AS(
      (void)Evaluate(Metric::Parse("map(ties=canonical)"), rows.Judged(), rows.scores, {}),
      "map(ties=canonical): ties=canonical needs a data set; without features documents have no "
      "canonical order",
      std::invalid_argument);
  const std::vector<double> one{1.0};
  CHECK_THROWS_WITH_AS((void)Evaluate(Metric::Parse("map"), rows.Data(), one, {}),
                       "scores must have one value for each of the 2 documents; it has 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)Evaluate(Metric::Parse("map"), rows.Judged(), one, {}),
                       "scores must have one value for each of the 2 documents; it has 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      (void)Evaluate(Metric::Parse("map"),
                     JudgedRows{rows.grades, rows.codes, one, {}, {}, nullptr}, rows.scores, {}),
      "weights must have one value for each of the 2 documents; it has 1", std::invalid_argument);
  const std::vector<QueryId> code{1};
  CHECK_THROWS_WITH_AS(
      (void)Evaluate(Metric::Parse("map"), JudgedRows{rows.grades, code, {}, {}, {}, nullptr},
                     rows.scores, {}),
      "query_codes must have one value for each of the 2 documents; it has 1",
      std::invalid_argument);
}

TEST_CASE("a bad value is named by the caller's row") {
  Rows rows = RandomRows(1);
  rows.scores[150] = std::nan("");
  const char* message = "the score of row 150 (counted from 0) is NaN, expected a number";
  CHECK_THROWS_WITH((void)Evaluate(Metric::Parse("map(empty=0)"), rows.Data(), rows.scores, {}),
                    message);
  CHECK_THROWS_WITH((void)Evaluate(Metric::Parse("map(empty=0)"), rows.Judged(), rows.scores, {}),
                    message);
}

}  // namespace rankforest
