#include "rankforest/tree/node_histogram.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using detail::PackedSums;
using testing::Equal;
using Stats = Newton::Stats;

namespace {

NodeHistogram Plain(const Histogram& cells) {
  NodeHistogram histogram;
  histogram.plain = cells;
  return histogram;
}

NodeHistogram Packed(const Histogram& cells, const PackedSums& sums) {
  NodeHistogram histogram;
  histogram.kind = CellKind::kPacked;
  for (const Stats& cell : cells) histogram.packed.push_back(sums.Pack(cell));
  return histogram;
}

NodeHistogram Paired(const Histogram& cells) {
  NodeHistogram histogram;
  histogram.kind = CellKind::kPaired;
  for (const Stats& cell : cells) histogram.paired.emplace_back(cell);
  return histogram;
}

/// All cells, whatever the kind.
Histogram CellsOf(const NodeHistogram& histogram, const PackedSums& sums, std::size_t n) {
  Histogram unpacked;
  const Stats* const cells = histogram.Cells(sums, 0, n, unpacked);
  return {cells, cells + n};
}

bool Same(const Histogram& a, const Histogram& b) {
  bool same = a.size() == b.size();
  for (std::size_t c = 0; same && c < a.size(); ++c) same = Equal(a[c], b[c]);
  return same;
}

Histogram RandomCells(std::size_t n, Rng& rng) {
  Histogram cells(n);
  for (Stats& cell : cells) {
    cell = {static_cast<std::int64_t>(rng.Below(2000)) - 1000, rng.Below(5000), 1 + rng.Below(9)};
  }
  return cells;
}

}  // namespace

TEST_CASE("a part is taken away from a histogram of any kind, by hand") {
  const PackedSums sums;
  const Histogram whole = {{-5, 10, 4}, {3, 6, 2}, {8, 8, 8}};
  const Histogram part = {{-7, 4, 1}, {3, 6, 2}, {1, 1, 1}};
  const Histogram rest = {{2, 6, 3}, {}, {8, 8, 8}};  // the third cell stays
  NodeHistogram plain = Plain(whole);
  plain.Subtract(Plain(part), sums, 0, 2);
  CHECK(Same(plain.plain, rest));
  plain = Plain(whole);
  plain.Subtract(Packed(part, sums), sums, 0, 2);
  CHECK(Same(plain.plain, rest));
  for (const NodeHistogram& taken : {Paired(part), Packed(part, sums)}) {
    NodeHistogram paired = Paired(whole);
    paired.Subtract(taken, sums, 0, 2);
    CHECK(Same(CellsOf(paired, sums, 3), rest));
  }
  NodeHistogram packed = Packed(whole, sums);
  packed.Subtract(Packed(part, sums), sums, 0, 2);
  CHECK(Same(CellsOf(packed, sums, 3), rest));
}

TEST_CASE("a histogram of nothing has the cells of its kind") {
  NodeHistogram histogram = Plain({{1, 2, 3}});
  histogram.Clear(2);
  CHECK(Same(histogram.plain, {{}, {}}));
  histogram.kind = CellKind::kPacked;
  histogram.packed = {9};
  histogram.Clear(3);
  CHECK(histogram.packed == PackedHistogram{0, 0, 0});
  histogram = Paired({{1, 2, 3}});
  histogram.Clear(2);
  CHECK(Same(CellsOf(histogram, PackedSums(), 2), {{}, {}}));
}

TEST_CASE("what is left of random histograms is the same in any kind, also once it is packed") {
  Rng rng(711);
  constexpr std::size_t kCells = 50;
  for (const std::int32_t unit : {0, 7}) {
    const PackedSums sums(unit);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Histogram> parts = {RandomCells(kCells, rng), RandomCells(kCells, rng),
                                      RandomCells(kCells, rng)};
      Histogram whole(kCells);
      for (Histogram& part : parts) {
        for (std::size_t c = 0; c < kCells; ++c) {
          if (unit != 0) part[c].hess = unit * static_cast<std::int64_t>(part[c].count);
          whole[c] += part[c];
        }
      }
      NodeHistogram plain = Plain(whole);
      plain.Subtract(Packed(parts[0], sums), sums, 0, kCells);
      plain.Subtract(Plain(parts[1]), sums, 0, kCells);
      CHECK(Same(plain.plain, parts[2]));
      plain.packed.resize(kCells);
      plain.Pack(sums, 0, 20);
      plain.Pack(sums, 20, kCells);
      plain.kind = CellKind::kPacked;
      CHECK(Same(CellsOf(plain, sums, kCells), parts[2]));
      NodeHistogram paired = Paired(whole);
      paired.Subtract(Packed(parts[0], sums), sums, 0, kCells);
      paired.Subtract(Paired(parts[1]), sums, 0, kCells);
      CHECK(Same(CellsOf(paired, sums, kCells), parts[2]));
      paired.packed.resize(kCells);
      paired.Pack(sums, 0, kCells);
      CHECK(paired.packed == plain.packed);
      NodeHistogram packed = Packed(whole, sums);
      for (int p : {0, 1}) {
        packed.Subtract(Packed(parts[static_cast<std::size_t>(p)], sums), sums, 0, kCells);
      }
      CHECK(packed.packed == plain.packed);
    }
  }
}

TEST_CASE("cells of a part of the features are read where they are") {
  const PackedSums sums;
  const Histogram cells = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
  Histogram unpacked;
  const NodeHistogram plain = Plain(cells);
  CHECK(plain.Cells(sums, 1, 3, unpacked) == plain.plain.data() + 1);
  CHECK(unpacked.empty());
  const Stats* const read = Packed(cells, sums).Cells(sums, 1, 3, unpacked);
  CHECK(Equal(read[0], cells[1]));
  CHECK(Equal(read[1], cells[2]));
}

}  // namespace rankforest
