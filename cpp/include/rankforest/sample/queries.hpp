#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/sample/row_sample.hpp"
#include "rankforest/sample/rows.hpp"

namespace rankforest {

/// A query's documents in a sample: positions [begin, end) of RowSample::rows.
struct QueryRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The queries that have documents in `sample`, in canonical order.
inline std::vector<QueryRange> QueryRanges(const Dataset& data, const RowSample& sample) {
  std::vector<QueryRange> ranges;
  const Span<const RowId> offsets = data.offsets();
  std::size_t begin = 0;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    std::size_t end = begin;
    while (end < sample.rows.size() && sample.rows[end] < offsets[q + 1]) ++end;
    if (end > begin) ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

/// All documents of `fraction` of the queries, drawn without replacement (BL-MART 2011, 3.3).
struct SubsampleQueries {
  double fraction = 1.0;  ///< in (0, 1]

  [[nodiscard]] RowSample Draw(const Dataset& data, const RowSample& from, Rng rng) const {
    const std::vector<QueryRange> queries = QueryRanges(data, from);
    const auto n = static_cast<std::uint32_t>(queries.size());
    RowSample sample;
    for (const std::uint32_t q : rng.Sample(n, FractionOf(fraction, n))) {
      for (std::size_t i = queries[q].begin; i < queries[q].end; ++i) {
        sample.rows.push_back(from.rows[i]);
      }
    }
    return sample;
  }
};

}  // namespace rankforest
