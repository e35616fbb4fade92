#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"

namespace rankforest {

/// All features, normalised within queries: row by row, without gaps.
///
/// @param query_of_row  a code per row, any codes in any order
inline std::vector<float> NormalizedRows(QueryNormalization kind, const FeatureMatrix& features,
                                         Span<const QueryId> query_of_row, Threads threads) {
  const std::size_t m = features.n_features;
  const RowsByQuery queries(query_of_row);
  std::vector<float> normalized(features.n_rows * m);
  std::vector<std::vector<float>> memory(2 * WorkerCount(threads, queries.n_queries()));
  ParallelFor(threads, queries.n_queries(), [&](std::size_t q, std::size_t worker) {
    const Span<const std::size_t> rows = queries.Query(q);
    std::vector<float>& column = memory[2 * worker];
    for (std::size_t f = 0; f < m; ++f) {
      column.clear();
      for (const std::size_t row : rows) column.push_back(features.Row(row)[f]);
      NormalizeInQuery(kind, column, memory[2 * worker + 1]);
      for (std::size_t i = 0; i < rows.size(); ++i) normalized[rows[i] * m + f] = column[i];
    }
  });
  return normalized;
}

}  // namespace rankforest
