#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rankforest/core/span.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/direction.hpp"
#include "rankforest/split/missing.hpp"

namespace rankforest {

// All nodes of a *level* of an oblivious tree are asked one *question*: a feature, a threshold, and
// where NaN goes. A question *divides* a node if both sides keep to the rules (min_samples_leaf,
// min_hessian); a node that it does not divide stays as it is and may be divided by the next
// level's. What a question gains is the sum of what the nodes gain that it divides, added up in
// the order of the nodes from left to right: the same floating-point number wherever it is
// computed.

/// Whether a question may divide a node into these two.
///
/// @param direction  of the question's feature
inline bool MayDivide(const Newton::Scaled& criterion, const SplitRules& rules,
                      const Newton::Stats& left, const Newton::Stats& right, int direction = 0) {
  const auto allows = [&](const Newton::Stats& side) {
    return side.count >= rules.min_samples_leaf && criterion.Allows(side);
  };
  return allows(left) && allows(right) && KeepsDirection(criterion, direction, left, right);
}

/// Adds what one node gains by a threshold behind each cell of a feature to the level's sums.
///
/// @param left   of the node's documents that are left of the first cell: those without a value,
///               or none
/// @param cells  of the feature's values, ascending
/// @param sums   one for each cell
/// @param direction  of the feature
inline void AddGains(const Newton::Scaled& criterion, const SplitRules& rules,
                     const Newton::Stats& node, Newton::Stats left, Span<const Newton::Stats> cells,
                     double* sums, int direction = 0) {
  constexpr std::size_t kBlock = Newton::Scaled::kMostGains;
  const std::uint64_t most_left = node.count - std::min(node.count, rules.min_samples_leaf);
  Newton::Scaled::LeftSums left_sums;
  std::array<double, kBlock> gains;
  std::array<bool, kBlock> divides;
  std::size_t cell = 0;
  for (; cell < cells.size() && left.count + cells[cell].count < rules.min_samples_leaf; ++cell) {
    left += cells[cell];
  }
  while (cell < cells.size()) {
    const std::size_t first = cell;
    left_sums.size = 0;
    for (; cell < cells.size() && left_sums.size < kBlock; ++cell) {
      const Newton::Stats next = left + cells[cell];
      if (next.count > most_left) break;
      left = next;
      divides[left_sums.size] = criterion.Allows(left) && criterion.Allows(node - left) &&
                                KeepsDirection(criterion, direction, left, node - left);
      left_sums.Push(static_cast<double>(left.grad), static_cast<double>(left.hess));
    }
    if (left_sums.size == 0) return;
    (void)criterion.Gains(node, left_sums, gains);
    for (std::size_t i = 0; i < left_sums.size; ++i) sums[first + i] += divides[i] ? gains[i] : 0.0;
  }
}

}  // namespace rankforest
