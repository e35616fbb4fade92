#include "rankforest/metric/metrics_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "support/metric_queries.hpp"
#include "support/naive_metrics.hpp"

namespace rankforest {

using testing::Queries;

std::vector<Metric> Parsed(const std::vector<std::string>& spellings) {
  std::vector<Metric> metrics;
  for (const std::string& spelling : spellings) metrics.push_back(Metric::Parse(spelling));
  return metrics;
}

/// Judged documents of each query, some of which are ranked.
struct Pool {
  std::vector<RowId> offsets{0};
  std::vector<double> grades;

  void Add(const std::vector<double>& judged) {
    grades.insert(grades.end(), judged.begin(), judged.end());
    offsets.push_back(static_cast<RowId>(grades.size()));
  }
};

std::vector<double> ValuesOf(const std::string& metric, const Queries& ranked, const Pool& pool) {
  JudgedQueries queries = ranked.View();
  queries.pool = {pool.offsets, pool.grades, {}};
  return MetricsRun(Parsed({metric}), queries, Threads{1}).Evaluate(ranked.scores)[0].values;
}

TEST_CASE("metrics that share a ranking have the same bits as alone") {
  const std::vector<std::string> spellings = {"ndcg@10",
                                              "map",
                                              "err",
                                              "ndcg@3",
                                              "ndcg",
                                              "p@5",
                                              "mrr@2",
                                              "map@4(divisor=found)",
                                              "meanndcg",
                                              "dcg@1",
                                              "rmse",
                                              "err@2",
                                              "mrr",
                                              "ndcg@5(ties=input)",
                                              "map(ties=input)",
                                              "map@2(ties=pessimistic,threshold=2)"};
  Rng rng(23);
  Queries queries;
  for (int q = 0; q < 120; ++q) {
    std::vector<double> scores(1 + rng.Below(60));
    std::vector<double> grades(scores.size());
    for (double& score : scores) score = q % 2 == 0 ? rng.Uniform() : rng.Below(10);
    for (double& grade : grades) grade = rng.Below(q % 5 == 0 ? 1 : 5);
    queries.Add(scores, grades, 1.0 + rng.Uniform());
  }
  MetricsRun run(Parsed(spellings), queries.View(), Threads{2});
  const std::vector<Evaluation>& together = run.Evaluate(queries.scores);
  REQUIRE(together.size() == spellings.size());
  for (std::size_t m = 0; m < spellings.size(); ++m) {
    const Evaluation alone = queries.Evaluate(spellings[m]);
    INFO(spellings[m]);
    CHECK(together[m].mean == alone.mean);
    CHECK(together[m].n_empty == alone.n_empty);
    for (std::size_t q = 0; q < alone.values.size(); ++q) {
      const bool both_skipped = std::isnan(alone.values[q]) && std::isnan(together[m].values[q]);
      CHECK((both_skipped || alone.values[q] == together[m].values[q]));
    }
  }
}

TEST_CASE("ideal rankings and relevant documents come from separate judgements") {
  // Ranked: grades 1, 0. Judged besides: grades 2, 1.
  Queries ranked;
  ranked.Add({2, 1}, {1, 0});
  Pool pool;
  pool.Add({0, 2, 1, 1});
  const auto value = [&](const std::string& metric) { return ValuesOf(metric, ranked, pool)[0]; };
  const double log2_3 = 1.584962500721156;
  CHECK(value("ndcg(gain=linear)") == doctest::Approx(1.0 / (2.0 + 1.0 / log2_3 + 0.5)));
  CHECK(value("ndcg@2(gain=linear)") == doctest::Approx(1.0 / (2.0 + 1.0 / log2_3)));
  CHECK(value("ndcg(ideal=list)") == 1.0);
  CHECK(value("map(divisor=relevant)") == doctest::Approx(1.0 / 3));
  CHECK(value("map@2") == doctest::Approx(1.0 / 2));
  CHECK(value("map(ideal=list)") == 1.0);
  // What is no share of the judged documents stays as it is.
  CHECK(value("dcg") == 1.0);
  CHECK(value("p@4(divisor=min)") == 0.5);
  CHECK(value("mrr") == 1.0);
  CHECK(value("err") == 1.0 / 16);
  CHECK(value("err(gmax=query)") == 1.0 / 4);
  CHECK(value("err(gmax=query,ideal=list)") == 1.0 / 2);
}

TEST_CASE("a query is empty if no judged document is relevant, and left out if none is judged") {
  Queries ranked;
  ranked.Add({2, 1}, {0, 0});  // a relevant document was not ranked
  ranked.Add({2, 1}, {0, 0});  // none is relevant
  ranked.Add({2, 1}, {0, 0});  // none was judged
  Pool pool;
  pool.Add({0, 1});
  pool.Add({0, 0, 0});
  pool.Add({});
  for (const std::string metric : {"ndcg", "map", "p@2", "mrr", "err", "dcg"}) {
    INFO(metric);
    const std::vector<double> values = ValuesOf(metric + "(empty=1)", ranked, pool);
    CHECK(values[0] == 0.0);
    CHECK(values[1] == 1.0);
    CHECK(std::isnan(values[2]));
    CHECK(ValuesOf(metric + "(empty=1,ideal=list)", ranked, pool) ==
          std::vector<double>{1.0, 1.0, 1.0});
  }
}

TEST_CASE("judgements that hold the ranked documents alone change no bit") {
  Rng rng(29);
  Queries ranked;
  Pool pool;
  for (int q = 0; q < 50; ++q) {
    std::vector<double> scores(1 + rng.Below(20));
    std::vector<double> grades(scores.size());
    for (double& score : scores) score = rng.Below(8);
    for (double& grade : grades) grade = rng.Below(4);
    ranked.Add(scores, grades);
    std::reverse(grades.begin(), grades.end());
    pool.Add(grades);
  }
  for (const std::string metric : {"ndcg@5(empty=0)", "map(empty=0)", "err(empty=0)",
                                   "p@3(empty=0)", "mrr(empty=0)", "meanndcg(empty=0)"}) {
    INFO(metric);
    CHECK(ValuesOf(metric, ranked, pool) == ranked.Evaluate(metric).values);
  }
}

TEST_CASE("NDCG and MAP under separate judgements match their definitions") {
  Rng rng(37);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> judged(1 + rng.Below(12));
    for (double& grade : judged) grade = rng.Below(4);
    judged[0] = 2;
    const auto n_found = rng.Below(static_cast<std::uint32_t>(judged.size()));
    std::vector<double> grades(judged.begin(), judged.begin() + n_found);
    grades.resize(grades.size() + 1 + rng.Below(4), 0.0);  // and some without a judgement
    std::vector<double> scores(grades.size());
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = -static_cast<double>(i);
    Queries ranked;
    ranked.Add(scores, grades);
    Pool pool;
    pool.Add(judged);
    std::vector<double> best = judged;
    std::sort(best.begin(), best.end(), std::greater<>());
    const MetricSettings ndcg = Metric::Parse("ndcg@3").settings();
    CHECK(ValuesOf("ndcg@3", ranked, pool)[0] ==
          doctest::Approx(testing::NaiveDcg(ndcg, grades, 3) / testing::NaiveDcg(ndcg, best, 3)));
    const MetricSettings map = Metric::Parse("map").settings();
    double precisions = 0.0;
    for (std::size_t r = 1; r <= grades.size(); ++r) {
      if (grades[r - 1] == 0.0) continue;
      precisions +=
          static_cast<double>(testing::NaiveRelevant(map, grades, r)) / static_cast<double>(r);
    }
    const auto relevant = static_cast<double>(testing::NaiveRelevant(map, best, best.size()));
    CHECK(ValuesOf("map(divisor=relevant)", ranked, pool)[0] ==
          doctest::Approx(precisions / relevant));
  }
}

TEST_CASE("document ids break ties in descending order, and are asked for") {
  const std::vector<RowId> offsets{0, 3};
  const std::vector<double> grades{1, 0, 2};
  const std::vector<RowId> docno_ranks{2, 0, 1};
  JudgedQueries queries{offsets, grades, {}, {}, {}, {}, {}};
  const auto metrics = Parsed({"dcg@1(ties=docno)", "dcg@2(ties=docno,gain=linear)"});
  CHECK_THROWS_WITH_AS(MetricsRun(metrics, queries, Threads{1}),
                       "dcg@1(ties=docno): ties=docno needs the ids of the documents",
                       std::invalid_argument);
  queries.docno_ranks = docno_ranks;
  MetricsRun run(metrics, queries, Threads{1});
  const std::vector<Evaluation>& found = run.Evaluate(std::vector<double>{1, 1, 1});
  CHECK(found[0].values[0] == 0.0);
  CHECK(found[1].values[0] == doctest::Approx(2.0 / 1.584962500721156));
}

TEST_CASE("judgements that lack a ranked document, or are no grades, are refused") {
  Queries ranked;
  ranked.Add({2, 1}, {1, 2});
  Pool pool;
  pool.Add({1, 0});
  CHECK_THROWS_WITH_AS((void)ValuesOf("map", ranked, pool),
                       "the judgements of the query of row 0 (counted from 0) have fewer documents "
                       "of grade 2 or more than the ranked documents, which must be among them",
                       std::invalid_argument);
  Pool negative;
  negative.Add({2, 1, -1});
  CHECK_THROWS_WITH_AS((void)ValuesOf("map", ranked, negative),
                       "grade of judgements -1 of row 2 (counted from 0) must be a finite number "
                       ">= 0",
                       std::invalid_argument);
  Pool high;
  high.Add({2, 1, 3});
  CHECK_THROWS_WITH_AS((void)ValuesOf("ndcg(gain=0;1;3)", ranked, high),
                       "grade of judgements 3 of row 2 (counted from 0) must be a whole number "
                       "from 0 to 2, the grades that the table of gains holds",
                       std::invalid_argument);
}

}  // namespace rankforest
