#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/criterion/newton.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/paired_sums.hpp"

namespace rankforest {

/// Statistics of a node's documents by feature and code: code c of feature f is cell
/// BinnedRows::FirstBin(f) + c.
using Histogram = std::vector<Newton::Stats>;

/// The same in the words of detail::PackedSums.
using PackedHistogram = std::vector<std::uint64_t>;

/// The same in pairs of words.
using PairedHistogram = std::vector<detail::PairedSums>;

/// What the cells of a histogram are.
enum class CellKind : std::uint8_t { kPlain = 0, kPaired = 1, kPacked = 2 };

/// A histogram of one of these kinds. That of a small node is packed: to look at all of its cells
/// takes more time than to add its documents, and they are a third of the memory. Where a tree has
/// few documents, those that cannot be packed are paired.
struct NodeHistogram {
  using Stats = Newton::Stats;

  CellKind kind = CellKind::kPlain;
  Histogram plain;  ///< each is in use where the histogram is of this kind
  PairedHistogram paired;
  PackedHistogram packed;

  [[nodiscard]] bool is_packed() const { return kind == CellKind::kPacked; }

  /// Makes a histogram of nothing.
  void Clear(std::size_t n_cells) {
    switch (kind) {
      case CellKind::kPlain:
        return plain.assign(n_cells, Stats{});
      case CellKind::kPaired:
        return paired.assign(n_cells, {});
      case CellKind::kPacked:
        return packed.assign(n_cells, 0);
    }
  }

  /// Takes the cells [begin, end) of some of the documents away. A packed histogram's parts are
  /// packed, too; all that are not packed are of one kind.
  void Subtract(const NodeHistogram& part, const detail::PackedSums& sums, std::size_t begin,
                std::size_t end) {
    assert(part.kind == kind || part.is_packed());
    if (is_packed()) {
      for (std::size_t c = begin; c < end; ++c) packed[c] -= part.packed[c];
    } else if (kind == CellKind::kPaired) {
      SubtractPaired(part, sums, begin, end);
    } else if (part.is_packed()) {
      for (std::size_t c = begin; c < end; ++c) plain[c] = plain[c] - sums.Unpack(part.packed[c]);
    } else {
      for (std::size_t c = begin; c < end; ++c) plain[c] = plain[c] - part.plain[c];
    }
  }

  /// Sets the packed cells [begin, end) to those that there are.
  void Pack(const detail::PackedSums& sums, std::size_t begin, std::size_t end) {
    if (kind == CellKind::kPaired) {
      for (std::size_t c = begin; c < end; ++c) packed[c] = sums.Pack(paired[c].Unpack());
    } else {
      for (std::size_t c = begin; c < end; ++c) packed[c] = sums.Pack(plain[c]);
    }
  }

  /// The cells [begin, end), written to `unpacked` where they are not plain.
  [[nodiscard]] const Stats* Cells(const detail::PackedSums& sums, std::size_t begin,
                                   std::size_t end, Histogram& unpacked) const {
    if (kind == CellKind::kPlain) return plain.data() + begin;
    unpacked.resize(end - begin);
    if (kind == CellKind::kPaired) {
      for (std::size_t c = begin; c < end; ++c) unpacked[c - begin] = paired[c].Unpack();
    } else {
      for (std::size_t c = begin; c < end; ++c) unpacked[c - begin] = sums.Unpack(packed[c]);
    }
    return unpacked.data();
  }

 private:
  void SubtractPaired(const NodeHistogram& part, const detail::PackedSums& sums, std::size_t begin,
                      std::size_t end) {
    if (part.is_packed()) {
      for (std::size_t c = begin; c < end; ++c) {
        paired[c] -= detail::PairedSums(sums.Unpack(part.packed[c]));
      }
    } else {
      for (std::size_t c = begin; c < end; ++c) paired[c] -= part.paired[c];
    }
  }
};

}  // namespace rankforest
