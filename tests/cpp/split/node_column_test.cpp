#include "rankforest/split/node_column.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::kNaN;
using testing::SmallNode;
using Scratch = ColumnScratch<Newton::Stats>;

namespace {

void CheckSort(const SmallNode& node, Scratch& scratch) {
  NodeColumn<Newton> column(node.column, node.node(), scratch);
  column.Sort();
  std::set<Code> distinct;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (!node.IsMissing(i)) distinct.insert(node.column.codes[node.rows[i]]);
  }
  REQUIRE(column.codes() == std::vector<Code>(distinct.begin(), distinct.end()));
  REQUIRE(column.cells().size() == distinct.size());
  for (std::size_t c = 0; c < distinct.size(); ++c) {
    const Code code = column.codes()[c];
    CHECK(Equal(column.cells()[c],
                node.Sum([&](std::size_t i) { return node.column.codes[node.rows[i]] == code; })));
    CHECK(column.Highest(code) == node.column.values[code]);
  }
  CHECK(Equal(column.missing(), node.Sum([&](std::size_t i) { return node.IsMissing(i); })));
}

void CheckMeasure(const SmallNode& node, Scratch& scratch) {
  NodeColumn<Newton> column(node.column, node.node(), scratch);
  const auto range = column.Measure();
  CHECK(Equal(column.missing(), node.Sum([&](std::size_t i) { return node.IsMissing(i); })));
  std::set<Code> distinct;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (!node.IsMissing(i)) distinct.insert(node.column.codes[node.rows[i]]);
  }
  if (distinct.empty()) {
    CHECK(range.first > range.last);
    return;
  }
  CHECK(range.first == *distinct.begin());
  CHECK(range.last == *distinct.rbegin());
  for (const Code cut : distinct) {
    CHECK(Equal(column.SumUpTo(cut),
                node.Sum([&](std::size_t i) { return node.column.codes[node.rows[i]] <= cut; })));
  }
}

}  // namespace

TEST_CASE("a node's column has its distinct values, their sums, and the sum of its NaN") {
  SmallNode node({2.0F, 1.0F, kNaN, 2.0F, 3.0F, kNaN}, {1, 2, 3, 4, 5, 6});
  node.rows = {0, 1, 2, 3};  // the value 3 is not of this node
  node.targets.resize(4);
  node.counts = {1, 1, 5, 2};
  Scratch scratch;
  NodeColumn<Newton> column(node.column, node.node(), scratch);
  column.Sort();
  CHECK(column.codes() == std::vector<Code>{0, 1});
  CHECK(node.column.values == std::vector<float>{1.0F, 2.0F, 3.0F});
  CHECK(Equal(column.cells()[0], {-2, 1, 1}));
  CHECK(Equal(column.cells()[1], {-9, 3, 3}));
  CHECK(Equal(column.missing(), {-15, 5, 5}));
  const auto range = column.Measure();
  CHECK(range.first == 0);
  CHECK(range.last == 1);
  CHECK(Equal(column.SumUpTo(0), {-2, 1, 1}));
}

TEST_CASE("a node of NaN alone has no values") {
  SmallNode node({kNaN, 1.0F, kNaN}, {1, 2, 3});
  node.rows = {0, 2};
  node.targets.resize(2);
  node.counts.resize(2);
  Scratch scratch;
  NodeColumn<Newton> column(node.column, node.node(), scratch);
  column.Sort();
  CHECK(column.codes().empty());
  CHECK(column.cells().empty());
  CHECK(column.missing().count == 2);
  CheckMeasure(node, scratch);
}

TEST_CASE("counting and sorting find the same, and scratch memory serves node after node") {
  Rng rng(221);
  Scratch scratch;
  for (int trial = 0; trial < 200; ++trial) {
    // Few documents of a column of many values are sorted, many of few are counted.
    const bool few = trial % 2 == 0;
    SmallNode node(few ? 300 : 60, few ? 200 : 7, rng.Below(2) == 0, rng);
    if (few) {
      const std::size_t kept = 1 + rng.Below(6);
      node.rows.resize(kept);
      node.targets.resize(kept);
      node.counts.resize(kept);
    }
    INFO("trial ", trial);
    CheckSort(node, scratch);
    CheckMeasure(node, scratch);
    for (const Newton::Stats& cell : scratch.table) {
      REQUIRE(Equal(cell, {}));  // the next node counts from 0
    }
  }
}

TEST_CASE("a node's column of bins has the sums and ranges of its bins") {
  SmallNode node({2.0F, 1.0F, kNaN, 2.5F, 3.0F, 1.25F}, {1, 2, 3, 4, 5, 6});
  BinnedColumn column;
  column.bins = FeatureBins({1.5F, 2.75F}, 0);
  column.bins.Widen(0, 1.0F, 1.25F);
  column.bins.Widen(1, 2.0F, 2.5F);
  column.bins.Widen(2, 3.0F, 3.0F);
  column.codes = {1, 0, 3, 1, 2, 0};
  node.rows = {0, 2, 3, 5};  // no document of the last bin
  node.targets = {{-1, 1}, {-3, 1}, {-4, 1}, {-6, 1}};
  node.counts = {1, 2, 1, 3};
  Scratch scratch;
  NodeColumn<Newton, BinnedColumn> of_node(column, node.node(), scratch);
  of_node.Sort();
  CHECK(of_node.codes() == std::vector<Code>{0, 1});
  CHECK(Equal(of_node.cells()[0], {-18, 3, 3}));
  CHECK(Equal(of_node.cells()[1], {-5, 2, 2}));
  CHECK(Equal(of_node.missing(), {-6, 2, 2}));
  CHECK(of_node.Lowest(1) == 2.0F);
  CHECK(of_node.Highest(0) == 1.25F);
  const auto range = of_node.Measure();
  CHECK(range.first == 0);
  CHECK(range.last == 1);
  CHECK(Equal(of_node.SumUpTo(0), {-18, 3, 3}));
}

TEST_CASE("where each value has its bin, a column of bins is one of values") {
  Rng rng(222);
  Scratch scratch;
  Scratch scratch_of_bins;
  for (int trial = 0; trial < 200; ++trial) {
    const bool few = trial % 2 == 0;
    SmallNode node(few ? 300 : 60, few ? 200 : 7, rng.Below(2) == 0, rng);
    if (few) node.rows.resize(3);
    if (few) node.targets.resize(3);
    if (few) node.counts.resize(3);
    BinnedColumn binned;
    const std::vector<float>& values = node.column.values;
    binned.bins = FeatureBins({values.begin(), values.end() - 1}, 0);
    for (const Code code : node.column.codes) binned.codes.push_back(static_cast<Bin>(code));
    NodeColumn<Newton> column(node.column, node.node(), scratch);
    NodeColumn<Newton, BinnedColumn> of_bins(binned, node.node(), scratch_of_bins);
    column.Sort();
    of_bins.Sort();
    INFO("trial ", trial);
    CHECK(of_bins.codes() == column.codes());
    REQUIRE(of_bins.cells().size() == column.cells().size());
    for (std::size_t c = 0; c < column.cells().size(); ++c) {
      CHECK(Equal(of_bins.cells()[c], column.cells()[c]));
    }
    CHECK(Equal(of_bins.missing(), column.missing()));
    CHECK(of_bins.Measure().first == column.Measure().first);
    CHECK(of_bins.Measure().last == column.Measure().last);
  }
}

}  // namespace rankforest
