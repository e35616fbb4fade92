#include "rankforest/criterion/expected_dcg.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

/// The mean over all orders of the tied documents of what they add to DCG@k from a rank on.
double MeanOverOrders(std::vector<double> gains, std::size_t rank, std::size_t cutoff) {
  std::sort(gains.begin(), gains.end());
  double sum = 0.0;
  int n_orders = 0;
  do {
    for (std::size_t i = 0; i < gains.size() && rank + i < cutoff; ++i) {
      sum += gains[i] / std::log2(static_cast<double>(rank + i) + 2.0);
    }
    ++n_orders;
  } while (std::next_permutation(gains.begin(), gains.end()));
  return sum / n_orders;
}

}  // namespace

TEST_CASE("tied documents contribute their mean over all orders") {
  // Ten documents, grades 0-4; the tied ones have the grades 0, 1, 3, 4, 4.
  const std::vector<double> grades = {0, 1, 3, 4, 4, 2, 2, 0, 0, 1};
  const Dataset data = testing::OneFeature({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, grades).Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const testing::GradedRows rows(documents, WholeSample(10));
  for (const std::uint32_t cutoff : {3U, 7U, 10U, 50U}) {
    ExpectedDcg lists(documents, cutoff);
    lists.Begin(rows.node());
    REQUIRE(lists.depth() == std::min(cutoff, 10U));
    double ideal = 0.0;
    std::vector<double> best = grades;
    std::sort(best.rbegin(), best.rend());
    for (std::size_t r = 0; r < lists.depth(); ++r) {
      ideal += (std::pow(2.0, best[r]) - 1.0) / std::log2(static_cast<double>(r) + 2.0);
    }
    std::int64_t gain = 0;
    std::vector<GradedTarget> tied;
    for (const double grade : {0.0, 1.0, 3.0, 4.0, 4.0}) {
      const auto* const place =
          std::find(documents.grades().begin(), documents.grades().end(), grade);
      GradedTarget target;
      target.grade = static_cast<std::uint32_t>(place - documents.grades().begin());
      gain += lists.GainOf(target);
    }
    for (std::uint32_t rank = 0; rank < lists.depth(); ++rank) {
      const double mean = MeanOverOrders({0, 1, 7, 15, 15}, rank, lists.depth());
      CHECK(lists.ToReal(lists.ShareOf(lists.WorthOf(0, gain, 5), 5, rank)) ==
            doctest::Approx(mean / ideal).epsilon(1e-12));
    }
  }
}

TEST_CASE("queries are lists of the documents that were drawn, as often as they were") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4, 5}, {0, 2, 1, 0, 0});
  raw.queries = {0, 0, 0, 1, 1};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  RowSample sample = WholeSample(5);
  sample.counts = {1, 2, 1, 3, 1};
  ExpectedDcg lists(documents, std::nullopt);
  lists.Begin(testing::GradedRows(documents, sample).node());
  CHECK(lists.ListOf(0) != lists.ListOf(4));
  std::size_t n = 0;
  for (std::size_t p = 0; p < 5; ++p) {
    const auto [begin, end] = lists.Positions(lists.ListOf(p));
    CHECK(begin <= p);
    CHECK(p < end);
    CHECK(lists.CountAt(p) == sample.counts[p]);
    n += lists.CountAt(p);
  }
  CHECK(n == 8);
  CHECK(lists.depth() <= 5);
  // The query without a relevant document is worth nothing wherever its documents are.
  const std::size_t empty = data.grades()[0] + data.grades()[1] == 0.0 ? 0 : 4;
  CHECK(lists.ShareOf(lists.WorthOf(lists.ListOf(empty), lists.GainAt(1), 1), 1, 0) == 0);
}

}  // namespace rankforest
