#include "rankforest/tree/level_division.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "rankforest/tree/level_engine.hpp"

namespace rankforest {

namespace {

/// Six documents with the hessian 1 in two nodes of three; even documents are on the left.
struct TwoNodes {
  Partition<Newton::Target> partition;
  GrowingTree<Newton::Stats> tree = GrowingTree<Newton::Stats>(2);

  TwoNodes() {
    partition.Reset(WholeSample(6),
                    [](RowId row) { return Newton::Target{static_cast<std::int32_t>(row), 1}; });
    for (std::size_t n = 0; n < 2; ++n) {
      tree[n].begin = 3 * n;
      tree[n].end = 3 * n + 3;
      const auto rows = partition.Node(tree[n].begin, tree[n].end, 0);
      for (std::size_t i = 0; i < 3; ++i) tree[n].stats.Add(rows.targets[i], 1);
    }
  }
};

MissingTo SideOfEven(RowId row) { return row % 2 == 0 ? MissingTo::kLeft : MissingTo::kRight; }

}  // namespace

TEST_CASE("a question divides the nodes whose sides keep to the rules") {
  TwoNodes level;
  const std::vector<std::uint32_t> nodes = {0, 1};
  Split<Newton::Stats> question;
  question.gain = 1.0;
  question.feature = 4;
  LevelDivision division({}, {1, 0.0, {}}, Threads{2});
  division.Look(level.partition, level.tree, nodes, &SideOfEven);
  // Documents 0, 2 | 1, then 4 | 3, 5.
  REQUIRE(division.Divides(0, question, level.tree[0]));
  CHECK(level.tree[0].split.feature == 4);
  CHECK(level.tree[0].split.left.grad == 2);
  CHECK(level.tree[0].split.left.count == 2);
  CHECK(level.tree[0].split.right.grad == 1);
  CHECK(level.tree[0].split.gain == 0.0);  // both sides have the mean 1
  REQUIRE(division.Divides(1, question, level.tree[1]));
  CHECK(level.tree[1].split.left.grad == 4);
  LevelDivision strict({}, {2, 0.0, {}}, Threads{1});
  strict.Look(level.partition, level.tree, nodes, &SideOfEven);
  CHECK_FALSE(strict.Divides(0, question, level.tree[0]));
  CHECK_FALSE(strict.Divides(1, question, level.tree[1]));
}

TEST_CASE("the heavier side is that of all nodes together, left if they weigh the same") {
  TwoNodes level;
  const std::vector<std::uint32_t> nodes = {0, 1};
  LevelDivision division({}, {}, Threads{1});
  division.Look(level.partition, level.tree, nodes, &SideOfEven);
  const auto heavier = [&](const std::vector<double>& weights) {
    return division.HeavierSide(level.partition, level.tree, nodes, &SideOfEven, weights,
                                FixedPointScale(8.0, 30));
  };
  CHECK(heavier({}) == MissingTo::kLeft);  // 3 documents each
  CHECK(heavier({1, 1, 1, 1, 1, 1}) == MissingTo::kLeft);
  CHECK(heavier({1, 1, 1, 1.25, 1, 1}) == MissingTo::kRight);
  CHECK(heavier({1, 1, 1.5, 1.25, 1, 1}) == MissingTo::kLeft);
}

TEST_CASE("an engine says itself that it searches levels") {
  CHECK(detail::SearchesLevels<LevelEngine>::value);
  CHECK_FALSE(detail::SearchesLevels<HistogramEngine>::value);
}

}  // namespace rankforest
