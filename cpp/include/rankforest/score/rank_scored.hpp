#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/limited.hpp"
#include "rankforest/score/top.hpp"

namespace rankforest::detail {

// The best documents where all have been scored, as in a model with exits: a document that exited
// may be the best.

/// Puts the rows with the highest scores into `best`, best first and, where scores are equal, in
/// ascending order.
///
/// @param rows    at least as many as `best` has places; in another order afterwards
/// @param scores  by row
inline void RankByScore(std::vector<std::size_t>& rows, Span<const double> scores,
                        Span<RankedDocument> best) {
  const auto last = rows.begin() + static_cast<std::ptrdiff_t>(best.size());
  std::partial_sort(rows.begin(), last, rows.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  for (std::size_t i = 0; i < best.size(); ++i) best[i] = {rows[i], scores[rows[i]]};
}

/// Of one query.
inline TopReport RankScored(const LimitedScores& scored, std::size_t n_rows,
                            Span<RankedDocument> best) {
  std::vector<std::size_t> rows(n_rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::size_t n = std::min(best.size(), n_rows);
  RankByScore(rows, scored.scores, best.subspan(0, n));
  return {n, scored.report.n_evaluations};
}

/// Of each query.
inline RankedQueries RankScored(const LimitedScores& scored, const RowsByQuery& queries,
                                std::size_t k) {
  RankedQueries result;
  result.n_evaluations = scored.report.n_evaluations;
  result.offsets.push_back(0);
  for (std::size_t q = 0; q < queries.n_queries(); ++q) {
    const Span<const std::size_t> of_query = queries.Query(q);
    std::vector<std::size_t> rows(of_query.begin(), of_query.end());
    std::vector<RankedDocument> best(std::min(k, rows.size()));
    RankByScore(rows, scored.scores, best);
    result.documents.insert(result.documents.end(), best.begin(), best.end());
    result.offsets.push_back(result.documents.size());
  }
  return result;
}

}  // namespace rankforest::detail
