#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// The rows of each query. Rows are the caller's, and so are the codes that name the queries.
struct QueryGroups {
  std::vector<QueryId> codes;  ///< ascending; those that have rows
  std::vector<RowId> offsets;  ///< codes.size() + 1 positions in `rows`
  std::vector<RowId> rows;     ///< ascending within a query

  [[nodiscard]] std::size_t size() const { return codes.size(); }
  [[nodiscard]] Span<const RowId> RowsOf(std::size_t query) const {
    return Span<const RowId>(rows).subspan(offsets[query], offsets[query + 1] - offsets[query]);
  }
};

namespace detail {

/// The distinct codes, ascending.
inline std::vector<QueryId> DistinctCodes(Span<const QueryId> code_of_row) {
  std::vector<QueryId> distinct(code_of_row.begin(), code_of_row.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

/// GroupByQuery for codes that are small enough to count in an array.
inline QueryGroups GroupByCounting(Span<const QueryId> code_of_row, std::size_t n_codes) {
  std::vector<RowId> starts(n_codes + 1);
  for (const QueryId code : code_of_row) ++starts[code + 1];
  QueryGroups groups;
  groups.offsets.push_back(0);
  for (std::size_t code = 0; code < n_codes; ++code) {
    const RowId count = starts[code + 1];
    starts[code + 1] += starts[code];
    if (count == 0) continue;
    groups.codes.push_back(static_cast<QueryId>(code));
    groups.offsets.push_back(starts[code + 1]);
  }
  groups.rows.resize(code_of_row.size());
  for (std::size_t row = 0; row < code_of_row.size(); ++row) {
    groups.rows[starts[code_of_row[row]]++] = static_cast<RowId>(row);
  }
  return groups;
}

}  // namespace detail

/// Collects the rows of each query. Codes are any numbers; the rows of a query need not be
/// neighbours.
inline QueryGroups GroupByQuery(Span<const QueryId> code_of_row) {
  if (code_of_row.empty()) return detail::GroupByCounting(code_of_row, 0);
  const std::size_t largest = *std::max_element(code_of_row.begin(), code_of_row.end());
  if (largest / 4 < code_of_row.size()) return detail::GroupByCounting(code_of_row, largest + 1);

  std::vector<QueryId> distinct = detail::DistinctCodes(code_of_row);
  std::vector<QueryId> ranks(code_of_row.begin(), code_of_row.end());
  for (QueryId& code : ranks) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), code);
    code = static_cast<QueryId>(place - distinct.begin());
  }
  QueryGroups groups = detail::GroupByCounting(ranks, distinct.size());
  groups.codes = std::move(distinct);
  return groups;
}

}  // namespace rankforest
