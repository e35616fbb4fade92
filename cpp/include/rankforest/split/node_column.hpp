#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest {

/// Memory that the columns of one worker share.
template <class Stats>
struct ColumnScratch {
  std::vector<Stats> table;  ///< by code; all zero between uses
  std::vector<std::uint64_t> keys;
  std::vector<Code> codes;   ///< the distinct codes of the node, ascending
  std::vector<Stats> cells;  ///< their statistics
};

/// One feature of one node, as a threshold search may ask about it.
///
/// Distinct values are found by counting into a table of all codes where that is cheaper (large
/// nodes, few distinct values), else by sorting the node's codes: a node pays only for the
/// features that it looks at.
///
/// @tparam Column  PresortedColumn or BinnedColumn
template <class Criterion, class Column = PresortedColumn>
class NodeColumn {
 public:
  using Stats = typename Criterion::Stats;
  using Target = typename Criterion::Target;

  NodeColumn(const Column& column, const NodeRows<Target>& node, ColumnScratch<Stats>& scratch)
      : column_(column), node_(node), scratch_(scratch) {}

  /// The smallest and the largest value of the data set with a code.
  [[nodiscard]] float Lowest(Code code) const { return column_.Lowest(code); }
  [[nodiscard]] float Highest(Code code) const { return column_.Highest(code); }
  [[nodiscard]] float Largest() const { return column_.Largest(); }

  /// Statistics of the node's NaN; valid after Sort() or Measure().
  [[nodiscard]] const Stats& missing() const { return missing_; }

  /// Fills codes() and cells() with the node's distinct values, ascending.
  void Sort() {
    if (CountingIsCheaper()) {
      Count();
    } else {
      SortCodes();
    }
    missing_ = {};
    if (!scratch_.codes.empty() && scratch_.codes.back() == column_.missing_code()) {
      missing_ = scratch_.cells.back();
      scratch_.codes.pop_back();
      scratch_.cells.pop_back();
    }
  }
  [[nodiscard]] const std::vector<Code>& codes() const { return scratch_.codes; }
  [[nodiscard]] Span<const Stats> cells() const { return scratch_.cells; }
  [[nodiscard]] Code CodeOf(std::size_t cell) const { return scratch_.codes[cell]; }

  /// The codes of the smallest and largest value of the node; first > last if all are NaN.
  struct Range {
    Code first = 0;
    Code last = 0;
  };

  /// The range of the node's values, and missing().
  Range Measure() {
    Range range{column_.missing_code(), 0};
    missing_ = {};
    for (std::size_t i = 0; i < node_.size(); ++i) {
      const Code code = column_.codes[node_.rows[i]];
      if (code == column_.missing_code()) {
        missing_.Add(node_.targets[i], node_.Count(i));
      } else {
        range.first = std::min(range.first, code);
        range.last = std::max(range.last, code);
      }
    }
    return range;
  }

  /// Statistics of the node's documents with codes up to `cut`, which is not the missing code.
  [[nodiscard]] Stats SumUpTo(Code cut) const {
    assert(cut < column_.missing_code());
    Stats sum;
    for (std::size_t i = 0; i < node_.size(); ++i) {
      if (column_.codes[node_.rows[i]] <= cut) sum.Add(node_.targets[i], node_.Count(i));
    }
    return sum;
  }

 private:
  /// A sort of n codes costs about as much as sweeping 2 n log2(n) cells of the table.
  [[nodiscard]] bool CountingIsCheaper() const {
    std::size_t log2 = 1;
    while ((node_.size() >> log2) != 0) ++log2;
    return column_.n_values() < 2 * node_.size() * log2;
  }

  void Count() {
    std::vector<Stats>& table = scratch_.table;
    const std::size_t n_codes = column_.n_values() + 1;
    if (table.size() < n_codes) table.resize(n_codes);
    for (std::size_t i = 0; i < node_.size(); ++i) {
      table[column_.codes[node_.rows[i]]].Add(node_.targets[i], node_.Count(i));
    }
    // Every cell is written to the next free place, and kept there if it is not empty: cheaper
    // than a branch that is taken at random.
    Resize(std::min(node_.size(), n_codes) + 1);
    std::size_t n_cells = 0;
    for (std::size_t code = 0; code < n_codes; ++code) {
      scratch_.codes[n_cells] = static_cast<Code>(code);
      scratch_.cells[n_cells] = table[code];
      n_cells += table[code].count != 0 ? 1U : 0U;
      table[code] = {};
    }
    Resize(n_cells);
  }

  void SortCodes() {
    std::vector<std::uint64_t>& keys = scratch_.keys;
    keys.resize(node_.size());
    for (std::size_t i = 0; i < node_.size(); ++i) {
      keys[i] = std::uint64_t{column_.codes[node_.rows[i]]} << 32 | i;
    }
    std::sort(keys.begin(), keys.end());
    Resize(keys.size());
    std::size_t n_cells = 0;
    for (const std::uint64_t key : keys) {
      const auto code = static_cast<Code>(key >> 32);
      const auto i = static_cast<std::uint32_t>(key);
      if (n_cells == 0 || scratch_.codes[n_cells - 1] != code) {
        scratch_.codes[n_cells] = code;
        scratch_.cells[n_cells++] = {};
      }
      scratch_.cells[n_cells - 1].Add(node_.targets[i], node_.Count(i));
    }
    Resize(n_cells);
  }

  void Resize(std::size_t n_cells) {
    scratch_.codes.resize(n_cells);
    scratch_.cells.resize(n_cells);
  }

  const Column& column_;
  NodeRows<Target> node_;
  ColumnScratch<Stats>& scratch_;
  Stats missing_;
};

}  // namespace rankforest
