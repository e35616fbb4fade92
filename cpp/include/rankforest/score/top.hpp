#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/documents_in_play.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/rounds.hpp"
#include "rankforest/score/score_scratch.hpp"

namespace rankforest {

/// A place of a ranking.
struct RankedDocument {
  std::size_t row = 0;
  double score = 0.0;
};

inline bool operator==(const RankedDocument& a, const RankedDocument& b) {
  return a.row == b.row && a.score == b.score;
}

/// What finding the best documents did.
struct TopReport {
  std::size_t n_documents = 0;    ///< that were found: those asked for, or all there are
  std::size_t n_evaluations = 0;  ///< pairs of a document in play and a tree evaluated
};

/// The best documents of several queries.
struct RankedQueries {
  std::vector<RankedDocument> documents;  ///< of one query after the other, best first
  std::vector<std::size_t> offsets;       ///< where each begins in `documents`, and their number
  std::size_t n_evaluations = 0;          ///< as in TopReport
};

namespace detail {

/// Leaves those documents in play that can still be among the k best: at least k others are ahead
/// of the rest by more than scores can approach each other.
///
/// @param scores  memory for the scores, by slot
/// @param ranked  memory to work in
inline void DropHopeless(DocumentsInPlay& documents, double spread, std::size_t k,
                         std::vector<double>& scores, std::vector<double>& ranked) {
  std::vector<std::size_t>& slots = documents.slots();
  if (k == 0 || slots.size() <= k) return;
  documents.WriteSums(scores);
  ranked.clear();
  for (const std::size_t slot : slots) ranked.push_back(scores[slot]);
  const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(ranked.begin(), last, ranked.end(), std::greater<>());
  const double lowest = *last - spread;
  const auto hopeless = [&](std::size_t slot) { return scores[slot] < lowest; };
  const auto end = std::remove_if(slots.begin(), slots.end(), hopeless);
  if (end == slots.end()) return;
  slots.erase(end, slots.end());
  documents.Close();
}

/// Finds the best documents of one query, as CompiledScorer::Top says.
///
/// @param rows  of `features`, ascending
inline TopReport RankTop(const CompiledTrees& trees, const Rounds& rounds,
                         const FeatureMatrix& features, Span<const std::size_t> rows,
                         Span<RankedDocument> best, ScoreScratch& scratch) {
  constexpr std::size_t kTreesBetweenChecks = 32;
  TopReport report;
  report.n_documents = std::min(best.size(), rows.size());
  if (report.n_documents == 0) return report;
  PlayMemory& memory = PlayMemory::Of(scratch);
  memory.scores.resize(rows.size());
  DocumentsInPlay documents(trees, rounds, features, rows, scratch);
  while (documents.round() < rounds.size()) {
    const std::size_t before = rounds.n_trees(documents.round());
    std::size_t round = documents.round() + 1;
    while (round < rounds.size() && rounds.n_trees(round) < before + kTreesBetweenChecks) ++round;
    documents.AdvanceTo(round);
    report.n_evaluations += documents.slots().size() * (rounds.n_trees(round) - before);
    DropHopeless(documents, documents.Spread(), best.size(), memory.scores, memory.ranked);
  }
  documents.WriteSums(memory.scores);
  std::vector<std::size_t>& slots = documents.slots();
  const auto last = slots.begin() + static_cast<std::ptrdiff_t>(report.n_documents);
  std::partial_sort(slots.begin(), last, slots.end(), [&](std::size_t a, std::size_t b) {
    const double score_a = memory.scores[a];
    const double score_b = memory.scores[b];
    return score_a != score_b ? score_a > score_b : a < b;  // slots are in the order of rows
  });
  for (std::size_t i = 0; i < report.n_documents; ++i) {
    best[i] = {documents.RowOf(slots[i]), memory.scores[slots[i]]};
  }
  return report;
}

/// Of all rows as one query.
inline TopReport RankTop(const CompiledTrees& trees, const Rounds& rounds,
                         const FeatureMatrix& features, Span<RankedDocument> best,
                         ScoreScratch& scratch) {
  const Span<const std::size_t> rows = PlayMemory::Of(scratch).AllRows(features.n_rows);
  return RankTop(trees, rounds, features, rows, best, scratch);
}

/// Of each query.
inline RankedQueries RankTopOfQueries(const CompiledTrees& trees, const Rounds& rounds,
                                      const FeatureMatrix& features, const RowsByQuery& queries,
                                      std::size_t k, Threads threads) {
  RankedQueries result;
  result.offsets.push_back(0);
  for (std::size_t q = 0; q < queries.n_queries(); ++q) {
    result.offsets.push_back(result.offsets.back() + std::min(k, queries.Query(q).size()));
  }
  result.documents.resize(result.offsets.back());
  std::vector<std::size_t> evaluations(queries.n_queries());
  threads = trees.costs().ForScoring(threads, features.n_rows);
  ParallelFor(threads, queries.n_queries(), [&](std::size_t q) {
    const std::size_t begin = result.offsets[q];
    const Span<RankedDocument> best =
        Span<RankedDocument>(result.documents).subspan(begin, result.offsets[q + 1] - begin);
    evaluations[q] =
        RankTop(trees, rounds, features, queries.Query(q), best, ScoreScratch::OfThread())
            .n_evaluations;
  });
  for (const std::size_t n : evaluations) result.n_evaluations += n;
  return result;
}

}  // namespace detail

}  // namespace rankforest
