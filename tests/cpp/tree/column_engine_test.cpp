#include "rankforest/tree/column_engine.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/threshold.hpp"
#include "support/column_data.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::Values;
using Stats = Newton::Stats;

namespace {

/// A data set of columns of both kinds, and its documents divided into three nodes.
struct ThreeNodes {
  Dataset data;
  Presorted presorted;
  BinnedColumns binned;
  Partition<Newton::Target> partition;
  GrowingTree<Stats> tree;

  explicit ThreeNodes(Rng& rng)
      : data(testing::FromColumns(
                 {testing::ManyValues(900, rng), testing::FewValues(900, 7, 20, rng),
                  testing::ManyValues(900, rng), Values(900, 1.0F)},
                 rng)
                 .Make()),
        presorted(data, Threads{1}),
        binned(data, Threads{1}),
        tree(3) {
    partition.Reset(WholeSample(900), [&](RowId row) {
      return Newton::Target{static_cast<std::int32_t>(data.grades()[row]) - 2, 1};
    });
    const std::vector<std::size_t> bounds = {0, 200, 210, 900};
    for (std::uint32_t n = 0; n < 3; ++n) {
      tree[n].begin = bounds[n];
      tree[n].end = bounds[n + 1];
      tree[n].rng = Rng(n);
      const auto rows = Documents(n);
      for (std::size_t i = 0; i < rows.size(); ++i) tree[n].stats.Add(rows.targets[i], 1);
    }
  }

  [[nodiscard]] NodeRows<Newton::Target> Documents(std::uint32_t n) const {
    return partition.Node(tree[n].begin, tree[n].end, 0);
  }
};

/// Checks that an engine finds what SplitSearch does for the nodes that it is asked about, leaves
/// the other alone, and divides documents by the thresholds that it finds. Returns how many it
/// found.
template <class Threshold, class Columns>
int CheckEngine(const ThreeNodes& nodes, const Columns& columns, std::size_t features_per_node) {
  const SplitRules rules{3, 0.5, MissingRule::kThird};
  GrowingTree<Stats> tree = nodes.tree;
  ColumnEngine<Newton, Threshold, Columns> engine(columns, Threads{2}, {}, features_per_node);
  engine.Begin({}, rules);
  engine.Search(nodes.partition, tree, 0, std::vector<std::uint32_t>{0, 2});
  CHECK_FALSE(tree[1].split.exists());
  int n_found = 0;
  for (const std::uint32_t n : {0U, 2U}) {
    SplitSearch<Newton, Threshold, Columns> search(columns, Threads{1}, {}, features_per_node);
    const Split<Stats>& found = tree[n].split;
    const Split<Stats> expected =
        search.Best({}, nodes.Documents(n), tree[n].stats, rules, tree[n].rng);
    CHECK(found.gain == expected.gain);
    CHECK(found.feature == expected.feature);
    CHECK(found.threshold == expected.threshold);
    if (!found.exists()) continue;
    ++n_found;
    const auto side_of = engine.SideOf(found);
    Stats left;
    const auto rows = nodes.Documents(n);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float value = nodes.data.Features(rows.rows[i])[found.feature];
      const MissingTo by_value = value <= found.threshold ? MissingTo::kLeft : MissingTo::kRight;
      side_of.Prefetch(rows.rows[i]);
      const MissingTo side = side_of(rows.rows[i]);
      REQUIRE(side == (std::isnan(value) ? found.missing : by_value));
      if (side == MissingTo::kLeft) left.Add(rows.targets[i], 1);
    }
    CHECK(Equal(left, found.left));
  }
  return n_found;
}

}  // namespace

TEST_CASE("an engine answers for the nodes that it is asked about, on values and on bins") {
  Rng rng(381);
  int n_found = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const ThreeNodes nodes(rng);
    for (const std::size_t drawn : {1U, 3U, 4U}) {
      INFO("trial ", trial, ", ", drawn, " features");
      n_found += CheckEngine<BestThreshold>(nodes, nodes.presorted, drawn);
      n_found += CheckEngine<BestThreshold>(nodes, nodes.binned, drawn);
      n_found += CheckEngine<RandomThreshold>(nodes, nodes.presorted, drawn);
      n_found += CheckEngine<RandomThreshold>(nodes, nodes.binned, drawn);
    }
  }
  CHECK(n_found > 150);  // of 240; a node may draw the constant feature alone
}

}  // namespace rankforest
