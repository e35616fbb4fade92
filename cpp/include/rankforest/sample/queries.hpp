#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest {

/// All documents of `fraction` of the queries, drawn without replacement (BL-MART 2011, 3.3).
struct SubsampleQueries {
  double fraction = 1.0;  ///< in (0, 1]

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] static constexpr SamplerNeeds needs() { return SamplerNeeds::kData; }
  [[nodiscard]] static constexpr bool redraws(std::size_t /*round*/) { return true; }
  [[nodiscard]] RowSample Draw(const SamplerView& view, const RowSample& from, Rng rng) const {
    const std::vector<QueryRange> queries = QueryRanges(view.data, from);
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
