#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A query's documents in a sample: positions [begin, end) of RowSample::rows.
struct QueryRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t query = 0;  ///< in canonical order
};

/// The queries that have documents in `sample`, in canonical order.
inline std::vector<QueryRange> QueryRanges(const Dataset& data, const RowSample& sample) {
  std::vector<QueryRange> ranges;
  const Span<const RowId> offsets = data.offsets();
  std::size_t begin = 0;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    const std::size_t most = offsets[q + 1] - offsets[q];
    const auto first = sample.rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        first + static_cast<std::ptrdiff_t>(std::min(most, sample.rows.size() - begin));
    const auto end = static_cast<std::size_t>(std::lower_bound(first, last, offsets[q + 1]) -
                                              sample.rows.begin());
    if (end > begin) ranges.push_back({begin, end, q});
    begin = end;
  }
  return ranges;
}

}  // namespace rankforest
