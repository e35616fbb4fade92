#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/node_column.hpp"
#include "support/small_data.hpp"

namespace rankforest::testing {

/// The sorted column of some values, one document each.
inline PresortedColumn MakeColumn(const std::vector<float>& values) {
  PresortedColumn column;
  std::set<float> distinct;
  for (const float value : values) {
    if (std::isnan(value)) {
      column.has_missing = true;
    } else {
      distinct.insert(value);
    }
  }
  column.values.assign(distinct.begin(), distinct.end());
  for (const float value : values) {
    const auto place = distinct.find(value);
    const auto code = std::isnan(value) ? static_cast<std::ptrdiff_t>(distinct.size())
                                        : std::distance(distinct.begin(), place);
    column.codes.push_back(static_cast<Code>(code));
  }
  return column;
}

/// A node and one feature of it. Its documents are rows of the column; targets are whole numbers,
/// and the criterion takes them as they are.
struct SmallNode {
  PresortedColumn column;
  std::vector<RowId> rows;
  std::vector<Newton::Target> targets;
  std::vector<std::uint32_t> counts;

  /// All rows of a column, once each, with unit hessians.
  SmallNode(const std::vector<float>& values, const std::vector<int>& grades)
      : column(MakeColumn(values)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      rows.push_back(static_cast<RowId>(i));
      targets.push_back({-grades[i], 1});
      counts.push_back(1);
    }
  }

  /// Some rows of a column of up to `n_values` values and NaN, some drawn more than once.
  SmallNode(std::size_t n_rows, std::uint32_t n_values, bool with_missing, Rng& rng) {
    std::vector<float> values(n_rows);
    for (float& value : values) value = static_cast<float>(rng.Below(n_values)) * 0.5F - 1.0F;
    for (float& value : values) value = with_missing && rng.Below(4) == 0 ? kNaN : value;
    column = MakeColumn(values);
    for (RowId row = 0; row < n_rows; ++row) {
      if (rng.Below(5) == 0 && !rows.empty()) continue;
      rows.push_back(row);
      targets.push_back({static_cast<int>(rng.Below(9)) - 4, static_cast<int>(1 + rng.Below(3))});
      counts.push_back(1 + rng.Below(3));
    }
  }

  [[nodiscard]] NodeRows<Newton::Target> node() const { return {rows, targets, counts}; }
  [[nodiscard]] bool IsMissing(std::size_t i) const {
    return column.codes[rows[i]] == column.missing_code();
  }
  [[nodiscard]] float Value(std::size_t i) const { return column.values[column.codes[rows[i]]]; }

  /// Statistics of the documents i for which `holds(i)`.
  template <class Condition>
  [[nodiscard]] Newton::Stats Sum(const Condition& holds) const {
    Newton::Stats sum;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (holds(i)) sum.Add(targets[i], counts[i]);
    }
    return sum;
  }
  [[nodiscard]] Newton::Stats Total() const {
    return Sum([](std::size_t) { return true; });
  }
};

inline bool Equal(const Newton::Stats& a, const Newton::Stats& b) {
  return a.grad == b.grad && a.hess == b.hess && a.count == b.count;
}

}  // namespace rankforest::testing
