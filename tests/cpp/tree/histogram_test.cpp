#include "rankforest/tree/histogram.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/binning.hpp"
#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"
#include "support/engine_trees.hpp"
#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::AllKinds;
using testing::Equal;
using testing::FewValues;
using testing::FromColumns;
using testing::kNaN;
using testing::ManyValues;
using testing::NodeDocuments;
using testing::Values;
using Stats = Newton::Stats;

namespace {

/// A data set and its rows.
struct Binned {
  Dataset data;
  BinnedColumns columns;
  BinnedRows rows;

  explicit Binned(const std::vector<Values>& values, Rng& rng)
      : data(FromColumns(values, rng).Make()),
        columns(data, Threads{1}),
        rows(columns, Threads{1}) {}
};

/// The histogram of a node, its parts put together. It is a plain one; where the node fits words,
/// or pairs of them, it is seen to be what the packed or the paired one holds.
Histogram Build(HistogramBuilder& builder, const BinnedRows& rows, const NodeDocuments& node) {
  const auto build = [&](CellKind kind) {
    NodeHistogram histogram;
    histogram.kind = kind;
    histogram.plain.assign(3, Stats{7, 7, 7});  // of some node before
    histogram.paired.assign(3, detail::PairedSums(Stats{7, 7, 7}));
    histogram.packed.assign(3, 7);
    std::vector<NodeHistogram> others(1);
    others[0].kind = kind == CellKind::kPlain ? CellKind::kPacked : CellKind::kPlain;
    CHECK(Equal(builder.Build(node.node(), histogram, others), node.Total()));
    for (FeatureId f = 0; f < rows.n_features(); ++f) {
      builder.FinishFeature(f, node.Total(), histogram, others);
    }
    return histogram;
  };
  Histogram plain = build(CellKind::kPlain).plain;
  if (node.Total().count <= detail::PairedSums::kMostDocuments) {
    const NodeHistogram paired = build(CellKind::kPaired);
    REQUIRE(paired.paired.size() == plain.size());
    for (std::size_t c = 0; c < plain.size(); ++c) {
      REQUIRE(Equal(paired.paired[c].Unpack(), plain[c]));
    }
  }
  if (!builder.sums().Fits(node.node())) return plain;
  const NodeHistogram packed = build(CellKind::kPacked);
  REQUIRE(packed.packed.size() == plain.size());
  for (std::size_t c = 0; c < plain.size(); ++c) {
    REQUIRE(Equal(builder.sums().Unpack(packed.packed[c]), plain[c]));
  }
  return plain;
}

/// Looks up the bin of every value.
Histogram NaiveHistogram(const Binned& binned, const NodeDocuments& node) {
  Histogram histogram(binned.rows.n_bins());
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    for (FeatureId f = 0; f < binned.rows.n_features(); ++f) {
      const Bin bin = binned.rows.bins(f).BinOf(binned.data.Features(node.rows[i])[f]);
      histogram[binned.rows.FirstBin(f) + bin].Add(node.targets[i], node.node().Count(i));
    }
  }
  return histogram;
}

void CheckSame(const Histogram& histogram, const Histogram& expected) {
  REQUIRE(histogram.size() == expected.size());
  for (std::size_t c = 0; c < expected.size(); ++c) {
    INFO("cell ", c);
    REQUIRE(Equal(histogram[c], expected[c]));
  }
}

std::vector<Values> MixedColumns(std::size_t n, Rng& rng) {
  Values mostly_missing = FewValues(n, 20, 80, rng);
  Values sparse(n, 0.0F);
  for (std::size_t i = 0; i < n; i += 5) sparse[i] = static_cast<float>(rng.Uniform());
  return {FewValues(n, 6, 10, rng), ManyValues(n, rng), std::move(mostly_missing),
          Values(n, 3.0F),          Values(n, kNaN),    std::move(sparse)};
}

}  // namespace

TEST_CASE("a histogram of four documents, computed by hand") {
  Rng rng(351);
  const Binned binned({{1, 1, 2, kNaN}, {5, 5, 5, 5}}, rng);
  NodeDocuments node;
  for (RowId d = 0; d < 4; ++d) {
    const auto row = static_cast<std::int32_t>(binned.data.order()[d]);
    node.Add({10 * row - 15, row + 1}, row == 2 ? 3 : 1);
  }
  HistogramBuilder builder(binned.rows, Threads{1});
  builder.Begin(false, 0);
  // Targets by the caller's rows: (-15, 1), (-5, 2), three times (5, 3), (15, 4).
  CheckSame(Build(builder, binned.rows, node), {{-20, 3, 2}, {15, 9, 3}, {15, 4, 1}, {10, 16, 6}});
}

TEST_CASE("before they are finished, common bins are empty") {
  Rng rng(352);
  const Binned binned({{1, 1, 2, 3}}, rng);
  NodeDocuments node;
  for (int d = 0; d < 4; ++d) node.Add({1, 1}, 1);
  HistogramBuilder builder(binned.rows, Threads{1});
  builder.Begin(false, 0);
  NodeHistogram histogram;
  std::vector<NodeHistogram> others;
  builder.Build(node.node(), histogram, others);
  CHECK(others.empty());
  CheckSame(histogram.plain, {{}, {1, 1, 1}, {1, 1, 1}});
}

TEST_CASE("histograms are the plain sums: of any kind, alone or by several threads") {
  Rng rng(353);
  constexpr std::uint32_t kDocuments = 6000;
  const Binned binned(MixedColumns(kDocuments, rng), rng);
  HistogramBuilder alone(binned.rows, Threads{1});
  HistogramBuilder two(binned.rows, Threads{2});
  HistogramBuilder three(binned.rows, Threads{3});
  HistogramBuilder four(binned.rows, Threads{4});
  int n_fit = 0;
  for (int trial = 0; trial < 40; ++trial) {
    // Small nodes fit words, large ones are summed in several parts.
    const std::uint32_t n = 1 + rng.Below(trial % 2 == 0 ? 700 : kDocuments);
    const std::int32_t unit = trial % 3 == 0 ? 1 + static_cast<std::int32_t>(rng.Below(65536)) : 0;
    const std::uint32_t most_times = trial % 4 == 0 ? 1U << rng.Below(14) : 1;
    const bool fits_words = trial % 5 != 0;
    const unsigned bits = fits_words ? 16 : 30;
    const NodeDocuments node =
        testing::RandomNode(kDocuments, n, bits, fits_words ? unit : 0, most_times, rng);
    const Histogram expected = NaiveHistogram(binned, node);
    INFO("trial ", trial, ", ", n, " documents");
    for (HistogramBuilder* const builder : {&alone, &two, &three, &four}) {
      builder->Begin(fits_words, fits_words ? unit : 0);
      CheckSame(Build(*builder, binned.rows, node), expected);
    }
    n_fit += alone.sums().Fits(node.node()) ? 1 : 0;
  }
  CHECK(n_fit > 5);
  CHECK(n_fit < 35);
}

TEST_CASE("documents that overflow a word alone are summed with the others") {
  Rng rng(354);
  constexpr std::uint32_t kDocuments = 2000;
  const Binned binned(MixedColumns(kDocuments, rng), rng);
  NodeDocuments node = testing::RandomNode(kDocuments, kDocuments, 16, 0, 2, rng);
  for (const std::size_t i : {0U, 1U, 700U, 1999U}) node.counts[i] = 100000;
  HistogramBuilder builder(binned.rows, Threads{1});
  builder.Begin(true, 0);
  CheckSame(Build(builder, binned.rows, node), NaiveHistogram(binned, node));
}

TEST_CASE("features in several groups have each its place") {
  Rng rng(355);
  constexpr std::uint32_t kDocuments = 1100;
  std::vector<Values> columns(262, ManyValues(kDocuments, rng));
  for (std::size_t f = 0; f < columns.size(); f += 3) columns[f] = ManyValues(kDocuments, rng);
  columns[7] = FewValues(kDocuments, 4, 50, rng);
  const Binned binned(columns, rng);
  REQUIRE(binned.rows.groups().size() == 2);
  HistogramBuilder builder(binned.rows, Threads{2});
  for (const bool fits_words : {true, false}) {
    const NodeDocuments node = testing::RandomNode(kDocuments, 1050, 16, 0, 1, rng);
    builder.Begin(fits_words, 0);
    CheckSame(Build(builder, binned.rows, node), NaiveHistogram(binned, node));
  }
}

TEST_CASE("inside a parallel loop a builder works alone, and as right") {
  Rng rng(356);
  constexpr std::uint32_t kDocuments = 3000;
  const Binned binned(MixedColumns(kDocuments, rng), rng);
  const NodeDocuments node = testing::RandomNode(kDocuments, kDocuments, 16, 0, 1, rng);
  const Histogram expected = NaiveHistogram(binned, node);
  std::vector<HistogramBuilder> builders(3, HistogramBuilder(binned.rows, Threads{3}));
  std::vector<NodeHistogram> histograms(3);
  std::vector<std::vector<NodeHistogram>> others(3);
  ParallelFor(Threads{3}, 3, [&](std::size_t i) {
    builders[i].Begin(true, 0);
    builders[i].Build(node.node(), histograms[i], others[i]);
  });
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(others[i].empty());
    for (FeatureId f = 0; f < binned.rows.n_features(); ++f) {
      builders[i].FinishFeature(f, node.Total(), histograms[i], others[i]);
    }
    CheckSame(histograms[i].plain, expected);
  }
}

TEST_CASE("documents on one side of a ratio alone are summed as if there were no others") {
  Rng rng(366);
  constexpr std::uint32_t kDocuments = 2000;
  int n_packed = 0;
  const Binned binned(AllKinds(kDocuments, rng), rng);
  for (int trial = 0; trial < 8; ++trial) {
    const NodeDocuments node =
        testing::RandomNode(kDocuments, 1500, 16, 0, trial % 4 == 0 ? 3 : 1, rng);
    const GradientSide side = {0.3, trial % 2 == 0};
    NodeDocuments chosen;
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      if (!side.Has(node.targets[i])) continue;
      chosen.rows.push_back(node.rows[i]);
      chosen.targets.push_back(node.targets[i]);
      chosen.counts.push_back(node.node().Count(i));
    }
    REQUIRE(chosen.rows.size() > 100);
    HistogramBuilder builder(binned.rows, Threads{1 + trial % 3});
    builder.Begin(trial != 5, 0);
    builder.Restrict(side);
    NodeHistogram histogram;
    const bool is_packed = trial > 0 && trial != 5 && builder.sums().Fits(node.node());
    if (is_packed) histogram.kind = CellKind::kPacked;
    n_packed += is_packed ? 1 : 0;
    std::vector<NodeHistogram> others;
    const Stats total = builder.Build(node.node(), histogram, others);
    CHECK(Equal(total, chosen.Total()));
    for (FeatureId f = 0; f < binned.rows.n_features(); ++f) {
      builder.FinishFeature(f, total, histogram, others);
    }
    Histogram unpacked;
    const Stats* const cells = histogram.Cells(builder.sums(), 0, binned.rows.n_bins(), unpacked);
    CheckSame({cells, cells + binned.rows.n_bins()}, NaiveHistogram(binned, chosen));
  }
  CHECK(n_packed >= 3);  // of which two threads share some by features
}

}  // namespace rankforest
