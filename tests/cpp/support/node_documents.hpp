#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/node_column.hpp"

namespace rankforest::testing {

/// The documents of a node, for what sums targets.
struct NodeDocuments {
  std::vector<RowId> rows;
  std::vector<Newton::Target> targets;
  std::vector<std::uint32_t> counts;  // empty: all 1

  [[nodiscard]] NodeRows<Newton::Target> node() const { return {rows, targets, counts}; }

  /// Adds document 0, 1, 2, ...
  void Add(Newton::Target target, std::uint32_t times) {
    rows.push_back(static_cast<RowId>(rows.size()));
    targets.push_back(target);
    counts.push_back(times);
  }

  /// Statistics of the documents i for which `holds(i)`.
  template <class Condition>
  [[nodiscard]] Newton::Stats Sum(const Condition& holds) const {
    Newton::Stats sum;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (holds(i)) sum.Add(targets[i], node().Count(i));
    }
    return sum;
  }
  [[nodiscard]] Newton::Stats Total() const {
    return Sum([](std::size_t) { return true; });
  }
};

/// A target of up to `bits` bits, mostly far smaller, of either sign.
inline Newton::Target RandomTarget(unsigned bits, Rng& rng) {
  const auto number = [&] {
    return static_cast<std::int32_t>(rng.Below((1U << rng.Below(bits + 1)) + 1));
  };
  const std::int32_t grad = number();
  return {rng.Below(2) == 0 ? grad : -grad, number()};
}

/// `n` of the documents below `n_documents`, ascending, with random targets.
///
/// @param unit_hessian  what each hessian is, or 0: random ones
/// @param most_times    1: without counts
inline NodeDocuments RandomNode(std::uint32_t n_documents, std::uint32_t n, unsigned bits,
                                std::int32_t unit_hessian, std::uint32_t most_times, Rng& rng) {
  NodeDocuments node;
  node.rows = rng.Sample(n_documents, n);
  for (std::uint32_t i = 0; i < n; ++i) {
    node.targets.push_back(RandomTarget(bits, rng));
    if (unit_hessian != 0) node.targets.back().hess = unit_hessian;
    if (most_times > 1) node.counts.push_back(1 + rng.Below(most_times));
  }
  return node;
}

}  // namespace rankforest::testing
