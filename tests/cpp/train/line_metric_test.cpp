#include "rankforest/train/line_metric.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/line_search.hpp"
#include "support/trials.hpp"

namespace rankforest {

namespace {

/// Queries of up to 30 documents with columns of few different values, so that scores tie.
struct LineData {
  explicit LineData(Rng& rng, std::size_t n_columns = 3, std::size_t n_queries = 12) {
    offsets.push_back(0);
    for (std::size_t q = 0; q < n_queries; ++q) {
      const std::size_t size = 1 + rng.Below(30);
      for (std::size_t i = 0; i < size; ++i) {
        grades.push_back(rng.Below(4) == 0 ? 1 + rng.Below(4) : 0);
        weights.push_back(1.0 + static_cast<double>(q % 3));
      }
      offsets.push_back(static_cast<RowId>(grades.size()));
    }
    columns.values.resize(n_columns);
    for (std::vector<double>& column : columns.values) {
      for (std::size_t d = 0; d < grades.size(); ++d) {
        column.push_back(rng.Below(6) - 2.0 + (rng.Below(3) == 0 ? rng.Below(64) / 64.0 : 0.0));
      }
    }
  }

  [[nodiscard]] JudgedQueries queries() const { return {offsets, grades, weights, {}, {}, {}, {}}; }

  /// The metric of a weighted sum, from scratch.
  [[nodiscard]] double Naive(const Metric& metric, const std::vector<double>& factors) const {
    std::vector<double> scores(grades.size(), 0.0);
    for (std::size_t j = 0; j < factors.size(); ++j) {
      for (std::size_t d = 0; d < scores.size(); ++d) {
        scores[d] += factors[j] * columns.values[j][d];
      }
    }
    return MetricsRun({metric}, queries(), Threads{1}).Evaluate(scores).front().mean;
  }

  std::vector<RowId> offsets;
  std::vector<double> grades;
  std::vector<double> weights;
  DenseColumns columns;
};

}  // namespace

TEST_CASE("a metric along a line is that of the scores made from scratch") {
  Rng rng(301);
  for (const char* spelling :
       {"ndcg@10", "ndcg@1", "ndcg", "map", "map@5", "mrr", "err@10", "p@5", "auc",
        "ndcg@5(ties=pessimistic)", "ndcg@5(ties=optimistic)", "ndcg@5(ties=input)",
        "ndcg@3(empty=0)", "ndcg@10(ties=canonical)"}) {
    const Metric metric = Metric::Parse(spelling);
    for (int trial = 0; trial < testing::Trials(12); ++trial) {
      const LineData data(rng);
      LineMetric<DenseColumns> line(metric, data.queries(), data.columns, Threads{1 + trial % 3});
      CHECK(line.value() == data.Naive(metric, {1.0, 1.0, 1.0}));
      for (int step = 0; step < 6; ++step) {
        const std::size_t j = rng.Below(3);
        // Sixteenths of sixty-fourths: sums are exact, so that ties stay ties.
        std::vector<double> candidates;
        for (int p = 0; p < 7; ++p) candidates.push_back(rng.Below(64) / 16.0);
        const std::vector<double> means = line.Try(j, candidates);
        for (std::size_t p = 0; p < candidates.size(); ++p) {
          std::vector<double> factors = line.weights();
          factors[j] = candidates[p];
          INFO(spelling, " ", j, " ", candidates[p]);
          CHECK(means[p] == doctest::Approx(data.Naive(metric, factors)).epsilon(1e-12));
        }
        const std::size_t taken = rng.Below(7);
        line.Take(taken);
        CHECK(line.value() == means[taken]);
        CHECK(line.weights()[j] == candidates[taken]);
      }
    }
  }
}

TEST_CASE("the number of threads changes no bit of a metric along a line") {
  Rng rng(302);
  const LineData data(rng, 4, 100);
  const Metric metric = Metric::Parse("ndcg@5(empty=0)");  // NaN is not equal to itself
  LineMetric<DenseColumns> one(metric, data.queries(), data.columns, Threads{1});
  LineMetric<DenseColumns> four(metric, data.queries(), data.columns, Threads{4});
  const std::vector<double> candidates{0.0, 0.3, 0.9, 1.1, 2.5};
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(one.Try(j, candidates) == four.Try(j, candidates));
    one.Take(3);
    four.Take(3);
  }
  CHECK(one.value() == four.value());
  CHECK(one.values() == four.values());
}

TEST_CASE("queries that are not used do not count") {
  Rng rng(303);
  const LineData data(rng, 2, 40);
  const Metric metric = Metric::Parse("ndcg@10");
  LineMetric<DenseColumns> line(metric, data.queries(), data.columns, Threads{1});
  std::vector<bool> used(40, false);
  LineData half = data;  // the weights of the other queries are 0
  for (std::size_t q = 0; q < 40; ++q) {
    used[q] = q % 2 == 0;
    for (std::size_t d = data.offsets[q]; !used[q] && d < data.offsets[q + 1]; ++d) {
      half.weights[d] = 0.0;
    }
  }
  line.UseQueries(used);
  CHECK(line.value() == doctest::Approx(half.Naive(metric, {1.0, 1.0})));
  const std::vector<double> candidates{0.5};
  CHECK(line.Try(1, candidates)[0] == doctest::Approx(half.Naive(metric, {1.0, 0.5})));
}

TEST_CASE("a metric of which less is better has no line to climb") {
  Rng rng(304);
  const LineData data(rng);
  CHECK_THROWS_AS(
      LineMetric<DenseColumns>(Metric::Parse("rmse"), data.queries(), data.columns, Threads{1}),
      std::invalid_argument);
}

}  // namespace rankforest
