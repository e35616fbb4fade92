#include "rankforest/tree/level_histograms.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("the gains of a level are those of its nodes, added up") {
  // Two features, the second by which the level is reached: x1 = 0 has grades 0, 6 by x0, and
  // x1 = 1 has 3, 5. Both nodes together gain 6^2 / 2 + 2^2 / 2 = 20 by x0.
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {0, 0, 1, 0, 0, 1, 1, 1};
  raw.grades = {0, 6, 3, 5};
  raw.queries.assign(4, 0);
  const testing::Prepared prepared(raw);
  const TrainingSet training = prepared.training();
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(4), [&](RowId row) {
    return Newton::Target{-static_cast<std::int32_t>(prepared.data.grades()[row]), 1};
  });
  GrowingTree<Newton::Stats> tree(1);
  tree[0].end = 4;
  const auto rows = partition.Node(0, 4, 0);
  for (std::size_t i = 0; i < 4; ++i) tree[0].stats.Add(rows.targets[i], 1);
  LevelHistograms histograms(training.binned_rows(), Threads{1}, 0);
  histograms.Begin({}, {});
  const std::vector<FeatureId> both = {0, 1};
  const std::vector<std::uint32_t> root = {0};
  histograms.Sum(partition, tree, root, both, false);
  CHECK(histograms.Best(0).gain == 16.0);  // 3 against 11 of two each: (3 * 2 - 11 * 2)^2 / 16
  CHECK(histograms.Best(0).threshold == 0.5F);
  CHECK(histograms.Best(1).gain == 1.0);

  const auto side = [&](RowId row) {
    return prepared.data.Features(row)[1] == 0.0F ? MissingTo::kLeft : MissingTo::kRight;
  };
  struct Side {
    const decltype(side)& of;
    void Prefetch(RowId) const {}
    MissingTo operator()(RowId row) const { return of(row); }
  };
  partition.Divide(0, 4, 0, Side{side});
  tree.resize(3);
  tree[0].children = {1, 2, 1};
  for (std::uint32_t n : {1U, 2U}) {
    tree[n].begin = 2 * (n - 1);
    tree[n].end = 2 * n;
    tree[n].depth = 1;
    const auto of_node = partition.Node(tree[n].begin, tree[n].end, 1);
    for (std::size_t i = 0; i < 2; ++i) tree[n].stats.Add(of_node.targets[i], 1);
  }
  const std::vector<std::uint32_t> children = {1, 2};
  histograms.Sum(partition, tree, children, both, true);
  CHECK(histograms.Best(0).gain == 20.0);
  CHECK_FALSE(histograms.Best(1).exists());  // by which both were divided already
}

}  // namespace rankforest
