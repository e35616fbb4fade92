#pragma once

#include <cstddef>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// All judged documents of some queries, ranked or not, borrowed: those of query q stand at the
/// positions [offsets[q], offsets[q + 1]). TREC calls them qrels.
struct JudgedPool {
  Span<const RowId> offsets{};  ///< n_queries + 1, from 0 to the number of documents
  Span<const double> grades{};  ///< of each document
  Span<const RowId> rows{};     ///< the caller's row of each document; empty: its position

  [[nodiscard]] bool empty() const { return offsets.empty(); }
  [[nodiscard]] Span<const double> OfQuery(std::size_t query) const {
    return grades.subspan(offsets[query], offsets[query + 1] - offsets[query]);
  }
  [[nodiscard]] RowId Row(std::size_t position) const {
    return rows.empty() ? static_cast<RowId>(position) : rows[position];
  }
};

/// The judgements that a metric is evaluated on, borrowed: the documents of query q, those that
/// are ranked, stand at the positions [offsets[q], offsets[q + 1]).
struct JudgedQueries {
  Span<const RowId> offsets{};   ///< n_queries + 1, from 0 to n_documents
  Span<const double> grades{};   ///< of each document
  Span<const double> weights{};  ///< of each document; empty: 1 each
  Span<const RowId> rows{};      ///< the caller's row of each document; empty: its position
  /// The place of each document in canonical order; empty: its position.
  Span<const RowId> canonical_ranks{};
  /// The place of each document when document ids descend; empty: unknown.
  Span<const RowId> docno_ranks{};
  JudgedPool pool{};  ///< empty: no document was judged but those that are ranked

  [[nodiscard]] std::size_t n_queries() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  [[nodiscard]] std::size_t n_documents() const { return grades.size(); }
  [[nodiscard]] std::size_t Size(std::size_t query) const {
    return offsets[query + 1] - offsets[query];
  }
  [[nodiscard]] RowId Row(std::size_t position) const {
    return rows.empty() ? static_cast<RowId>(position) : rows[position];
  }
};

/// The judgements of a data set, which must outlive the result, in canonical order.
inline JudgedQueries JudgementsOf(const Dataset& data) {
  return {data.offsets(), data.grades(), data.weights(), data.order(), {}, {}, {}};
}

/// The part of per-document values that belongs to one query; nothing of nothing.
template <class T>
Span<const T> OfQuery(Span<const T> values, const JudgedQueries& queries, std::size_t query) {
  if (values.empty()) return {};
  return values.subspan(queries.offsets[query], queries.Size(query));
}

}  // namespace rankforest
