#include "rankforest/tree/level_gains.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/fixed_point.hpp"

namespace rankforest {

namespace {

Newton::Stats CellOf(std::int64_t grad, std::uint64_t count) {
  return {grad, static_cast<std::int64_t>(count), count};
}

/// The sums of a level to which one node's gains were added.
std::vector<double> SumsWith(const Newton& newton, const SplitRules& rules,
                             const std::vector<Newton::Stats>& cells, const Newton::Stats& missing,
                             bool missing_left, double before = 0.0) {
  Newton::Stats node = missing;
  for (const Newton::Stats& cell : cells) node += cell;
  std::vector<double> sums(cells.size(), before);
  AddGains({newton, {}}, rules, node, missing_left ? missing : Newton::Stats{}, cells, sums.data());
  return sums;
}

}  // namespace

TEST_CASE("what a node gains behind each cell, by hand") {
  // Values 0, 0 | 3 | none | 3, 6: sums 0 of 2, 3 of 1, 9 of 2. Behind the first cell
  // (0 * 3 - 12 * 2)^2 / (2 * 3 * 5) = 19.2; behind the next two (3 * 2 - 9 * 3)^2 / 30 = 14.7.
  const std::vector<Newton::Stats> cells = {CellOf(0, 2), CellOf(3, 1), CellOf(0, 0), CellOf(9, 2)};
  CHECK(SumsWith({}, {}, cells, {}, true) == std::vector<double>{19.2, 14.7, 14.7, 0.0});
  CHECK(SumsWith({}, {}, cells, {}, true, 100.0) ==
        std::vector<double>{119.2, 114.7, 114.7, 100.0});
}

TEST_CASE("a side that is too small or weighs too little gains nothing") {
  const std::vector<Newton::Stats> cells = {CellOf(0, 2), CellOf(3, 1), CellOf(9, 2)};
  CHECK(SumsWith({}, {3, 0.0, {}}, cells, {}, true) == std::vector<double>(3, 0.0));
  CHECK(SumsWith({0.0, 2.5}, {}, cells, {}, true) == std::vector<double>(3, 0.0));
  CHECK(SumsWith({0.0, 2.0}, {}, cells, {}, true) == std::vector<double>{19.2, 14.7, 0.0});
}

TEST_CASE("documents without a value are on the side they are put on") {
  // One of 12 beside values 0 and 0: on the right alone it is (0 * 1 - 12 * 2)^2 / (2 * 1 * 3).
  const std::vector<Newton::Stats> cells = {CellOf(0, 2)};
  CHECK(SumsWith({}, {}, cells, CellOf(12, 1), false) == std::vector<double>{96.0});
  CHECK(SumsWith({}, {}, cells, CellOf(12, 1), true) == std::vector<double>{0.0});
}

TEST_CASE("gains are those of the criterion, cell by cell, however many there are") {
  Rng rng(9);
  for (std::uint32_t round = 0; round < 200; ++round) {
    const Newton newton = {rng.Below(2) * 0.75, rng.Below(3) * 4.0};
    const SplitRules rules = {1 + rng.Below(12), 0.0, {}};
    std::vector<Newton::Stats> cells(1 + rng.Below(255));
    Newton::Stats missing = CellOf(rng.Below(50), rng.Below(5));
    Newton::Stats node = missing;
    for (Newton::Stats& cell : cells) {
      if (rng.Below(3) != 0)
        cell = CellOf(static_cast<std::int64_t>(rng.Below(100)) - 50, rng.Below(4));
      node += cell;
    }
    const bool missing_left = rng.Below(2) == 0;
    const std::vector<double> sums = SumsWith(newton, rules, cells, missing, missing_left);
    const Newton::Scaled criterion(newton, {});
    Newton::Stats left = missing_left ? missing : Newton::Stats{};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      left += cells[c];
      const Newton::Stats right = node - left;
      const bool divides = MayDivide(criterion, rules, left, right);
      CHECK(sums[c] == (divides ? criterion.Gain(left, right) : 0.0));
    }
  }
}

}  // namespace rankforest
