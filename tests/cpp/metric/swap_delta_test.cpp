#include "rankforest/metric/swap_delta.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/metric.hpp"
#include "support/naive_metrics.hpp"

namespace rankforest {

using testing::NaiveValue;

double Delta(const std::string& metric, const std::vector<double>& ranked, std::size_t i,
             std::size_t j) {
  return VisitSwapDelta(Metric::Parse(metric), [&](auto delta) {
    delta.Reset(ranked);
    return delta(i, j);
  });
}

bool IsFlat(const std::string& metric, const std::vector<double>& ranked) {
  return VisitSwapDelta(Metric::Parse(metric), [&](auto delta) {
    delta.Reset(ranked);
    return delta.is_flat();
  });
}

const std::vector<std::string> kSpellings = {"ndcg",
                                             "ndcg@1",
                                             "ndcg@3",
                                             "ndcg@3(gain=linear)",
                                             "ndcg(discount=letor)",
                                             "dcg@4",
                                             "ndcg@5(short=zero)",
                                             "map",
                                             "map@2",
                                             "map@3(divisor=relevant)",
                                             "map(threshold=2)",
                                             "err",
                                             "err@1",
                                             "err@3",
                                             "err(gmax=3)",
                                             "err@4(gmax=query)",
                                             "err(gain=linear)",
                                             "ndcg(discount=reciprocal,grade=trunc)",
                                             "p@1",
                                             "p@3",
                                             "p@3(divisor=min)",
                                             "p@2(threshold=>1)",
                                             "mrr",
                                             "mrr@2",
                                             "mrr(threshold=2)",
                                             "recall@1",
                                             "recall@3(threshold=2)",
                                             "rbp",
                                             "rbp@2(persistence=0.3,threshold=>1)",
                                             "auc",
                                             "auc(threshold=2)"};

TEST_CASE("swap deltas match hand-computed changes") {
  // Gains 0 3 1, ideal DCG 3 + 1 / log2(3) = 3.63093; ranks 1 and 2 swap.
  CHECK(Delta("ndcg", {0, 2, 1}, 0, 1) ==
        doctest::Approx(3.0 * (1.0 - 0.6309297535714575) / 3.6309297535714573));
  // AP goes from (1/2 + 2/3) / 2 to (1 + 2/3) / 2.
  CHECK(Delta("map", {0, 2, 1}, 0, 1) == doctest::Approx(0.25));
  CHECK(Delta("p@1", {0, 2, 1}, 0, 1) == 1.0);
  // The first relevant document moves from rank 2 to rank 1, or not at all.
  CHECK(Delta("mrr", {0, 2, 1}, 0, 1) == 0.5);
  CHECK(Delta("mrr", {0, 2, 1}, 1, 2) == 0.0);
  CHECK(Delta("recall@1", {0, 2, 1}, 0, 1) == 0.5);
  CHECK(Delta("rbp(persistence=0.5)", {0, 2, 1}, 0, 1) == 0.25);
  // Both pairs (relevant, other) are in the wrong order; one of them then stands right.
  CHECK(Delta("auc", {0, 2, 1}, 0, 1) == 0.5);
  // ERR with R = 0, 3/16, 1/16: from 3/32 + 13/16 / 48 to 3/16 + 13/16 / 48.
  CHECK(Delta("err", {0, 2, 1}, 0, 1) == doctest::Approx(3.0 / 32.0));
}

/// Checks every swap of two documents of `ranked` against the metric of the list before and after.
template <class Swap>
void CheckChanges(const Metric& metric, Swap delta, const std::vector<double>& ranked) {
  const double before = NaiveValue(metric, ranked);
  if (std::isnan(before)) return;  // empty: see the next test
  delta.Reset(ranked);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    for (std::size_t j = 0; j < ranked.size(); ++j) {
      if (i == j) continue;
      std::vector<double> swapped = ranked;
      std::swap(swapped[i], swapped[j]);
      INFO("ranks ", i, " ", j);
      const double change = std::abs(NaiveValue(metric, swapped) - before);
      CHECK(delta(i, j) == doctest::Approx(change).epsilon(1e-12));
      if (delta.is_flat()) CHECK(change < 1e-15);
    }
  }
}

TEST_CASE("swap deltas are the change of the recomputed metric") {
  Rng rng(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> ranked(1 + rng.Below(8));
    for (double& grade : ranked) grade = rng.Below(4);
    for (const std::string& spelling : kSpellings) {
      INFO(spelling, " trial ", trial);
      const Metric metric = Metric::Parse(spelling);
      VisitSwapDelta(metric, [&](auto delta) { CheckChanges(metric, delta, ranked); });
    }
  }
}

TEST_CASE("a query without a relevant document, or with nothing else, is flat") {
  for (const std::string& spelling : kSpellings) {
    INFO(spelling);
    CHECK(IsFlat(spelling, {0, 0, 0, 0, 0, 0}));
    CHECK(Delta(spelling, {0, 0, 0, 0, 0, 0}, 0, 5) == 0.0);
    CHECK(IsFlat(spelling, {2, 2, 2, 2, 2, 2}));
    CHECK_FALSE(IsFlat(spelling, {0, 1, 0, 2, 0, 0}));
  }
}

TEST_CASE("a list that is too short to count is flat") {
  CHECK(IsFlat("ndcg@10(preset=letor4)", {0, 1, 2}));
  CHECK_FALSE(IsFlat("ndcg@10(preset=letor3)", {0, 1, 2}));
}

TEST_CASE("the ERR delta survives users who all but surely stop") {
  // R = 1 - 2^-52 at the top, and a long list on which the probability of reaching underflows.
  std::vector<double> ranked(400, 52.0);
  for (std::size_t r = 1; r < ranked.size(); r += 3) ranked[r] = 3.0;
  const Metric metric = Metric::Parse("err(gmax=52)");
  for (const auto& [i, j] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 1}, {1, 2}, {1, 399}, {4, 5}, {20, 22}, {12, 13}, {13, 399}, {397, 398}}) {
    std::vector<double> swapped = ranked;
    std::swap(swapped[i], swapped[j]);
    INFO(i, " ", j);
    const double change = std::abs(NaiveValue(metric, swapped) - NaiveValue(metric, ranked));
    CHECK(std::abs(Delta("err(gmax=52)", ranked, i, j) - change) < 1e-15);
  }
}

TEST_CASE("beyond its depth a delta is 0, and the order there changes no other") {
  Rng rng(12);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> ranked(2 + rng.Below(7));
    for (double& grade : ranked) grade = rng.Below(4);
    for (const std::string& spelling : kSpellings) {
      VisitSwapDelta(Metric::Parse(spelling), [&](auto delta) {
        const std::size_t n = ranked.size();
        const std::size_t depth = std::min(delta.depth(), n);
        std::vector<double> other = ranked;
        rng.Shuffle(Span<double>(other.data() + depth, n - depth));
        auto shuffled = delta;
        delta.Reset(ranked);
        shuffled.Reset(other);
        if (delta.is_flat()) return;
        INFO(spelling, " trial ", trial);
        REQUIRE_FALSE(shuffled.is_flat());
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i + 1; j < n; ++j) {
            if (i >= depth) CHECK(delta(i, j) == 0.0);
            if (ranked[i] == ranked[j]) CHECK(delta(i, j) == 0.0);
            if (j < depth) CHECK(shuffled(i, j) == delta(i, j));
            // A document beyond the depth is worth the same wherever it is.
            for (std::size_t k = depth; i < depth && j >= depth && k < n; ++k) {
              if (other[k] == ranked[j]) CHECK(shuffled(i, k) == delta(i, j));
            }
          }
        }
      });
    }
  }
}

TEST_CASE("a row of deltas is the deltas of its pairs") {
  DcgSwap delta(Metric::Parse("ndcg@3"));
  delta.Reset(std::vector<double>{0, 2, 1, 0, 3, 1});
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<double> row(5 - i);
    delta.Row(i, row);
    for (std::size_t k = 0; k < row.size(); ++k) CHECK(row[k] == delta(i, i + 1 + k));
  }
}

TEST_CASE("one delta serves list after list") {
  DcgSwap delta(Metric::Parse("ndcg@2"));
  delta.Reset(std::vector<double>{0, 1, 2, 0});
  delta.Reset(std::vector<double>{0, 1});
  CHECK(delta(0, 1) == doctest::Approx(1.0 - 0.6309297535714575));
  delta.Reset(std::vector<double>{0, 0, 3});
  CHECK(delta(1, 2) == doctest::Approx(0.6309297535714575));
}

TEST_CASE("a key that a swap delta does not know is refused") {
  CHECK_THROWS_WITH_AS(VisitSwapDelta(Metric::Parse("map@3(divisor=found)"), [](auto) {}),
                       "metric=map@3(divisor=found) has no change that a swap of two documents "
                       "decides; use divisor=min or divisor=relevant",
                       std::invalid_argument);
  for (const char* metric : {"err(gmax=data)", "auc(fpr=0;0.1)", "pairaccuracy", "kendalltau"}) {
    INFO(metric);
    CHECK_THROWS_AS(VisitSwapDelta(Metric::Parse(metric), [](auto) {}), std::invalid_argument);
  }
}

TEST_CASE("a metric without a swap delta says so") {
  CHECK_THROWS_WITH_AS(VisitSwapDelta(Metric::Parse("rmse"), [](auto) {}),
                       "metric=rmse has no change under a swap of two documents; use one of ndcg "
                       "dcg map err p recall mrr rbp auc",
                       std::invalid_argument);
}

}  // namespace rankforest
