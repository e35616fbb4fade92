#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest {

/// Documents that a tree or a round trains on, with how often each was drawn.
struct RowSample {
  std::vector<RowId> rows;            ///< distinct, ascending
  std::vector<std::uint32_t> counts;  ///< of each row, >= 1; empty: every row once

  [[nodiscard]] std::uint32_t Count(std::size_t i) const { return counts.empty() ? 1 : counts[i]; }

  /// The number of documents drawn, repeats included.
  [[nodiscard]] std::uint64_t size() const {
    return counts.empty() ? rows.size()
                          : std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
};

/// The sample that holds documents 0, 1, ..., n - 1 once each.
inline RowSample WholeSample(std::size_t n) {
  RowSample sample;
  sample.rows.resize(n);
  std::iota(sample.rows.begin(), sample.rows.end(), RowId{0});
  return sample;
}

}  // namespace rankforest
