#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/documents_in_play.hpp"
#include "rankforest/score/early_exit.hpp"
#include "rankforest/score/exits_ahead.hpp"
#include "rankforest/score/limited_run.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/rounds.hpp"
#include "rankforest/score/score_scratch.hpp"

namespace rankforest {

/// Scores under limits, by row.
struct LimitedScores {
  std::vector<double> scores;
  std::vector<std::uint32_t> rounds;  ///< that each document was scored with
  ScoreReport report;
};

namespace detail {

/// What several queries share while they are scored under limits.
struct LimitedWork {
  const CompiledTrees& trees;
  const Rounds& rounds;
  const ScoreLimits& limits;
  const ExitsAhead& exits_ahead;
  const FeatureMatrix& features;

  /// Scores some queries.
  ///
  /// @param rows     of these queries, one after the other; a query's are rows[offsets[q] - o] to
  ///                 rows[offsets[q + 1] - o - 1], with o the first offset
  /// @param scores   by row of all queries
  /// @param exits    likewise: the rounds that each was scored with
  ScoreReport Run(Span<const std::size_t> rows, Span<const std::size_t> offsets,
                  Span<double> scores, Span<std::uint32_t> exits, ScoreScratch& scratch) const {
    PlayMemory& memory = PlayMemory::Of(scratch);
    const DocumentsInPlay documents(trees, rounds, features, rows, scratch);
    const ScoreReport report =
        LimitedRun(documents, rounds, limits, exits_ahead, offsets, scores, exits, memory).Run();
    if (exits_ahead.demote()) {
      for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
        const std::size_t begin = offsets[q] - offsets[0];
        Demote(rows.subspan(begin, offsets[q + 1] - offsets[q]), exits, scores, memory.order);
      }
    }
    return report;
  }

  /// Scores the documents of one query.
  ScoreReport RunQuery(Span<double> scores, Span<std::uint32_t> exits,
                       ScoreScratch& scratch) const {
    const std::array<std::size_t, 2> offsets{0, features.n_rows};
    return Run(PlayMemory::Of(scratch).AllRows(features.n_rows), {offsets.data(), offsets.size()},
               scores, exits, scratch);
  }
};

/// Divides queries into consecutive ranges of about `size` documents. Returns where each begins,
/// and their number.
inline std::vector<std::size_t> QueryBatches(Span<const std::size_t> offsets, std::size_t size) {
  std::vector<std::size_t> begins{0};
  for (std::size_t q = 1; q + 1 < offsets.size(); ++q) {
    if (offsets[q + 1] - offsets[begins.back()] > size) begins.push_back(q);
  }
  if (offsets.size() > 1) begins.push_back(offsets.size() - 1);
  return begins;
}

/// Scores queries, those of a thread some hundred documents at a time.
inline LimitedScores ScoreQueriesWithin(const LimitedWork& work, const RowsByQuery& queries,
                                        Threads threads) {
  constexpr std::size_t kDocuments = 512;
  LimitedScores result;
  result.scores.resize(queries.rows.size());
  result.rounds.resize(queries.rows.size());
  const Span<const std::size_t> offsets = queries.offsets;
  const bool all_at_once = work.exits_ahead.scope() == ExitScope::kSet;
  const std::vector<std::size_t> begins =
      QueryBatches(offsets, all_at_once ? queries.rows.size() : kDocuments);
  std::vector<ScoreReport> reports(begins.size() - 1);
  threads = work.trees.costs().ForScoring(threads, queries.rows.size());
  ParallelFor(threads, reports.size(), [&](std::size_t b) {
    const Span<const std::size_t> of_batch =
        offsets.subspan(begins[b], begins[b + 1] - begins[b] + 1);
    const Span<const std::size_t> rows =
        Span<const std::size_t>(queries.rows)
            .subspan(of_batch[0], of_batch[of_batch.size() - 1] - of_batch[0]);
    reports[b] = work.Run(rows, of_batch, result.scores, result.rounds, ScoreScratch::OfThread());
  });
  for (const ScoreReport& report : reports) {
    result.report.n_evaluations += report.n_evaluations;
    result.report.cost += report.cost;
  }
  return result;
}

}  // namespace detail

}  // namespace rankforest
