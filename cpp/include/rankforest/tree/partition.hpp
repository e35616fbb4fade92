#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/presorted.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/node_column.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// The documents of a tree, grouped by node: every node owns one range of positions, and within
/// it documents stay in ascending order.
template <class Target>
class Partition {
 public:
  /// Starts with one node that holds the whole sample; `to_target(row)` is its target.
  template <class ToTarget>
  void Reset(const RowSample& sample, const ToTarget& to_target) {
    const std::size_t n = sample.rows.size();
    rows_ = sample.rows;
    counts_.resize(n);
    targets_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      counts_[i] = sample.Count(i);
      targets_[i] = to_target(rows_[i]);
    }
    for (auto& side : spare_) side.Resize(n);
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  [[nodiscard]] NodeRows<Target> Node(std::size_t begin, std::size_t end) const {
    return {Span<const RowId>(rows_).subspan(begin, end - begin),
            Span<const Target>(targets_).subspan(begin, end - begin),
            Span<const std::uint32_t>(counts_).subspan(begin, end - begin)};
  }

  /// Reorders [begin, end) into the documents that go left, right and to the third child.
  /// Returns the end of the first and of the second part.
  ///
  /// @param missing  where NaN goes
  std::array<std::size_t, 2> Divide(std::size_t begin, std::size_t end,
                                    const PresortedColumn& column, Code cut, MissingTo missing) {
    const Code missing_code = column.missing_code();
    std::size_t kept = begin;
    std::array<std::size_t, 2> moved = {};  // documents set aside for the right and third child
    for (std::size_t i = begin; i < end; ++i) {
      const Code code = column.codes[rows_[i]];
      const auto to =
          code == missing_code ? missing : (code <= cut ? MissingTo::kLeft : MissingTo::kRight);
      if (to == MissingTo::kLeft) {
        rows_[kept] = rows_[i];
        targets_[kept] = targets_[i];
        counts_[kept++] = counts_[i];
      } else {
        const auto side = static_cast<std::size_t>(to) - 1;
        spare_[side].Set(moved[side]++, rows_[i], targets_[i], counts_[i]);
      }
    }
    const std::size_t right_end = PutBack(spare_[0], moved[0], kept);
    PutBack(spare_[1], moved[1], right_end);
    return {kept, right_end};
  }

 private:
  struct Documents {
    std::vector<RowId> rows;
    std::vector<Target> targets;
    std::vector<std::uint32_t> counts;

    void Resize(std::size_t n) {
      rows.resize(n);
      targets.resize(n);
      counts.resize(n);
    }
    void Set(std::size_t i, RowId row, Target target, std::uint32_t count) {
      rows[i] = row;
      targets[i] = target;
      counts[i] = count;
    }
  };

  std::size_t PutBack(const Documents& from, std::size_t n, std::size_t to) {
    for (std::size_t i = 0; i < n; ++i, ++to) {
      rows_[to] = from.rows[i];
      targets_[to] = from.targets[i];
      counts_[to] = from.counts[i];
    }
    return to;
  }

  std::vector<RowId> rows_;
  std::vector<Target> targets_;
  std::vector<std::uint32_t> counts_;
  std::array<Documents, 2> spare_;
};

}  // namespace rankforest
