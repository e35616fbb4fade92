#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/node_column.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// The documents of a tree, grouped by node: every node owns one range of positions, and within
/// it documents stay in the order of the sample.
///
/// There are two copies of the positions. A node's documents are in one of them by the parity of
/// its depth; a split writes them to the other, where its children find them.
template <class Target>
class Partition {
 public:
  /// Starts with one node that holds the whole sample; `to_target(row)` is its target.
  template <class ToTarget>
  void Reset(const RowSample& sample, const ToTarget& to_target, Threads threads = {}) {
    const std::size_t n = sample.rows.size();
    for (Documents& copy : copies_) copy.Resize(n, !sample.counts.empty());
    sides_.resize(n);
    Documents& root = copies_[0];
    root.rows = sample.rows;
    root.counts = sample.counts;
    ParallelChunks(threads, n, kChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) root.targets[i] = to_target(root.rows[i]);
    });
  }

  [[nodiscard]] std::size_t size() const { return copies_[0].rows.size(); }

  /// The documents [begin, end) of a node of that depth.
  [[nodiscard]] NodeRows<Target> Node(std::size_t begin, std::size_t end,
                                      std::uint32_t depth) const {
    const Documents& from = copies_[depth % 2];
    const std::size_t size = end - begin;
    return {Span<const RowId>(from.rows).subspan(begin, size),
            Span<const Target>(from.targets).subspan(begin, size),
            from.counts.empty() ? Span<const std::uint32_t>()
                                : Span<const std::uint32_t>(from.counts).subspan(begin, size)};
  }

  /// Divides [begin, end) of a node of that depth into the documents that go left, right and to
  /// the third child. Returns the end of the first and of the second part.
  ///
  /// @param side_of  row -> MissingTo: left, right or the third child; and Prefetch(row)
  template <class SideOf>
  std::array<std::size_t, 2> Divide(std::size_t begin, std::size_t end, std::uint32_t depth,
                                    const SideOf& side_of, Threads threads = {}) {
    const Documents& from = copies_[depth % 2];
    Documents& to = copies_[1 - depth % 2];
    const std::size_t n_chunks = (end - begin + kChunk - 1) / kChunk;
    counts_of_chunks_.assign(n_chunks, {});
    ParallelFor(threads, n_chunks, [&](std::size_t c) {
      const std::size_t first = begin + c * kChunk;
      counts_of_chunks_[c] =
          Look(from.rows, first, std::min(first + kChunk, end), side_of, sides_.data());
    });
    const std::array<std::size_t, 2> ends = ToBegins(begin);
    ParallelFor(threads, n_chunks, [&](std::size_t c) {
      const std::size_t first = begin + c * kChunk;
      to.Take(from, first, std::min(first + kChunk, end), sides_.data(), counts_of_chunks_[c]);
    });
    return ends;
  }

 private:
  static constexpr std::size_t kChunk = 2048;
  static constexpr std::size_t kAhead = 24;  // documents between prefetch and use

  struct Documents {
    std::vector<RowId> rows;
    std::vector<Target> targets;
    std::vector<std::uint32_t> counts;  // empty: all 1

    void Resize(std::size_t n, bool with_counts) {
      rows.resize(n);
      targets.resize(n);
      counts.resize(with_counts ? n : 0);
    }
    /// Copies documents to the next places of their sides.
    void Take(const Documents& from, std::size_t begin, std::size_t end, const std::uint8_t* sides,
              std::array<std::size_t, 3> next) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = next[sides[i]]++;
        rows[at] = from.rows[i];
        targets[at] = from.targets[i];
        if (!counts.empty()) counts[at] = from.counts[i];
      }
    }
  };

  /// Notes the sides of the documents [begin, end), and how many each has. Everything is handed
  /// over by value, for a compiler must think that writing `sides` changes what it finds in memory.
  template <class SideOf>
  static std::array<std::size_t, 3> Look(Span<const RowId> rows, std::size_t begin, std::size_t end,
                                         const SideOf side_of, std::uint8_t* sides) {
    std::size_t n_right = 0;
    std::size_t n_own = 0;
    for (std::size_t i = begin; i < end; ++i) {
      side_of.Prefetch(rows[std::min(i + kAhead, end - 1)]);
      const auto side = static_cast<std::uint8_t>(side_of(rows[i]));
      sides[i] = side;
      n_right += side == 1 ? 1U : 0U;
      n_own += side == 2 ? 1U : 0U;
    }
    return {end - begin - n_right - n_own, n_right, n_own};
  }

  /// Makes the chunks' counts into the places where their documents go; returns the ends of the
  /// first two sides.
  std::array<std::size_t, 2> ToBegins(std::size_t begin) {
    std::array<std::size_t, 3> ends = {};
    std::size_t next = begin;
    for (std::size_t side = 0; side < 3; ++side) {
      for (std::array<std::size_t, 3>& counts : counts_of_chunks_) {
        next += std::exchange(counts[side], next);
      }
      ends[side] = next;
    }
    return {ends[0], ends[1]};
  }

  std::array<Documents, 2> copies_;
  std::vector<std::uint8_t> sides_;
  std::vector<std::array<std::size_t, 3>> counts_of_chunks_;
};

}  // namespace rankforest
