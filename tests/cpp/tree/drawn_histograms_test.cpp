#include "rankforest/tree/drawn_histograms.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/split/node_column.hpp"
#include "support/column_data.hpp"
#include "support/engine_trees.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::FromColumns;
using testing::kNaN;

namespace {

/// Some documents of a data set, some of them drawn more than once.
struct DrawnDocuments {
  RowSample sample;
  std::vector<Newton::Target> targets;

  DrawnDocuments(std::size_t n_documents, bool has_counts, bool has_unit_hessian, Rng& rng) {
    for (RowId d = 0; d < n_documents; ++d) {
      if (rng.Below(3) != 0) continue;
      sample.rows.push_back(d);
      if (has_counts) sample.counts.push_back(1 + rng.Below(4));
      const auto grad = static_cast<std::int32_t>(rng.Below(100000)) - 50000;
      const std::uint32_t hess = has_unit_hessian ? 100 : rng.Below(1000);
      targets.push_back({grad, static_cast<std::int32_t>(hess)});
    }
  }

  [[nodiscard]] NodeRows<Newton::Target> node() const {
    return {sample.rows, targets, sample.counts};
  }
};

}  // namespace

TEST_CASE("a small node's histogram has the bins that its documents are in, and NaN aside") {
  Rng rng(411);
  const Dataset data = FromColumns({{5, 1, kNaN, 3, 1, kNaN}}, rng).Make();
  const BinnedColumns columns(data, Threads{1});
  const CodeRows rows(columns, Threads{1});
  std::vector<RowId> documents;  // all but the one with a 3
  std::vector<Newton::Target> targets;
  for (RowId d = 0; d < 6; ++d) {
    if (data.order()[d] == 3) continue;
    documents.push_back(d);
    targets.push_back({static_cast<std::int32_t>(data.order()[d]) * 10 - 15, 1});
  }
  DrawnHistograms histograms;
  const detail::PackedSums sums(1);
  histograms.Sum(rows, {documents, targets, {}}, std::vector<FeatureId>{0}, sums);
  const auto column = histograms.Take(0, columns.column(0).bins, sums);
  REQUIRE(column.cells().size() == 2);
  CHECK(column.CodeOf(0) == 0);  // of 1: documents 1 and 4
  CHECK(Equal(column.cells()[0], {-5 + 25, 2, 2}));
  CHECK(column.CodeOf(1) == 2);  // of 5: document 0
  CHECK(Equal(column.cells()[1], {-15, 1, 1}));
  CHECK(Equal(column.missing(), {5 + 35, 2, 2}));
  CHECK(column.Lowest(2) == 5.0F);
  CHECK(column.Highest(0) == 1.0F);
  CHECK(column.Measure().first == 0);
  CHECK(column.Measure().last == 2);
  CHECK(Equal(column.SumUpTo(1), {20, 2, 2}));
}

TEST_CASE("a small node without values has no cell") {
  Rng rng(412);
  const Dataset data = FromColumns({{kNaN, kNaN, 2}}, rng).Make();
  const BinnedColumns columns(data, Threads{1});
  const CodeRows rows(columns, Threads{1});
  std::vector<RowId> documents;
  for (RowId d = 0; d < 3; ++d) {
    if (data.order()[d] != 2) documents.push_back(d);
  }
  DrawnHistograms histograms;
  const detail::PackedSums sums(1);
  const std::vector<Newton::Target> targets(2, {3, 1});
  histograms.Sum(rows, {documents, targets, {}}, std::vector<FeatureId>{0}, sums);
  const auto column = histograms.Take(0, columns.column(0).bins, sums);
  CHECK(column.cells().empty());
  CHECK(Equal(column.missing(), {6, 2, 2}));
  CHECK(column.Measure().first > column.Measure().last);
}

TEST_CASE("small nodes' histograms are what a column's documents sum to, one after the other") {
  Rng rng(413);
  const Dataset data = FromColumns(testing::AllKinds(500, rng), rng).Make();
  const BinnedColumns columns(data, Threads{1});
  const CodeRows rows(columns, Threads{1});
  DrawnHistograms histograms;  // one for all: taking leaves nothing behind
  ColumnScratch<Newton::Stats> scratch;
  for (int trial = 0; trial < 60; ++trial) {
    const bool has_unit_hessian = trial % 2 == 0;
    const DrawnDocuments documents(500, trial % 3 == 0, has_unit_hessian, rng);
    const detail::PackedSums sums(has_unit_hessian ? 100 : 0);
    REQUIRE(sums.Fits(documents.node()));
    std::vector<FeatureId> features(1 + rng.Below(DrawnHistograms::kMost));
    std::iota(features.begin(), features.end(), rng.Below(3));
    histograms.Sum(rows, documents.node(), features, sums);
    for (std::size_t k = 0; k < features.size(); ++k) {
      const BinnedColumn& column = columns.column(features[k]);
      NodeColumn<Newton, BinnedColumn> expected(column, documents.node(), scratch);
      const auto found = histograms.Take(k, column.bins, sums);
      const auto range = expected.Measure();
      CHECK(found.Measure().first == range.first);
      CHECK(found.Measure().last == range.last);
      if (range.first < range.last) {
        CHECK(Equal(found.SumUpTo(range.first), expected.SumUpTo(range.first)));
      }
      expected.Sort();
      INFO("trial ", trial, ", feature ", features[k]);
      CHECK(Equal(found.missing(), expected.missing()));
      REQUIRE(found.cells().size() == expected.cells().size());
      for (std::size_t i = 0; i < found.cells().size(); ++i) {
        CHECK(found.CodeOf(i) == expected.CodeOf(i));
        CHECK(Equal(found.cells()[i], expected.cells()[i]));
      }
    }
  }
}

}  // namespace rankforest
