#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/criterion/newton.hpp"
#include "rankforest/tree/packed_sums.hpp"

namespace rankforest {

/// Statistics of a node's documents by feature and code: code c of feature f is cell
/// BinnedRows::FirstBin(f) + c.
using Histogram = std::vector<Newton::Stats>;

/// The same in the words of detail::PackedSums.
using PackedHistogram = std::vector<std::uint64_t>;

/// A histogram of either kind. That of a small node is packed: to look at all of its cells takes
/// more time than to add its documents, and they are a third of the memory.
struct NodeHistogram {
  using Stats = Newton::Stats;

  bool is_packed = false;
  Histogram plain;         ///< in use where it is not packed
  PackedHistogram packed;  ///< in use where it is

  /// Makes a histogram of nothing.
  void Clear(std::size_t n_cells) {
    if (is_packed) {
      packed.assign(n_cells, 0);
    } else {
      plain.assign(n_cells, Stats{});
    }
  }

  /// Takes the cells [begin, end) of some of the documents away. A packed histogram's parts are
  /// packed, too.
  void Subtract(const NodeHistogram& part, const detail::PackedSums& sums, std::size_t begin,
                std::size_t end) {
    assert(part.is_packed || !is_packed);
    if (is_packed) {
      for (std::size_t c = begin; c < end; ++c) packed[c] -= part.packed[c];
    } else if (part.is_packed) {
      for (std::size_t c = begin; c < end; ++c) plain[c] = plain[c] - sums.Unpack(part.packed[c]);
    } else {
      for (std::size_t c = begin; c < end; ++c) plain[c] = plain[c] - part.plain[c];
    }
  }

  /// Sets the packed cells [begin, end) to the plain ones.
  void Pack(const detail::PackedSums& sums, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) packed[c] = sums.Pack(plain[c]);
  }

  /// The cells [begin, end), written to `unpacked` where they are packed.
  [[nodiscard]] const Stats* Cells(const detail::PackedSums& sums, std::size_t begin,
                                   std::size_t end, Histogram& unpacked) const {
    if (!is_packed) return plain.data() + begin;
    unpacked.resize(end - begin);
    for (std::size_t c = begin; c < end; ++c) unpacked[c - begin] = sums.Unpack(packed[c]);
    return unpacked.data();
  }
};

}  // namespace rankforest
