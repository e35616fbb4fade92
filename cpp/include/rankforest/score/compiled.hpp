#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/exits_ahead.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/lazy_run.hpp"
#include "rankforest/score/lazy_scratch.hpp"
#include "rankforest/score/limited.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/linear_part.hpp"
#include "rankforest/score/provider.hpp"
#include "rankforest/score/rank_scored.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/rounds.hpp"
#include "rankforest/score/score_scratch.hpp"
#include "rankforest/score/top.hpp"

namespace rankforest {

/// An ensemble made ready for scoring: many times as fast as reference.hpp, and the same bits on
/// every input.
///
/// Immutable, and independent of the ensemble that it was made from; any number of threads may
/// use one. See compiled_trees.hpp for how it works.
///
/// NaN is a missing value. A number that meant missing in the training data (`missing=-1` of the
/// Python package, which the model's data summary has) is a number like any other here: callers put
/// NaN in its place. What stood for missing values in training is in the trees: they send NaN
/// there.
///
/// Limits: trees of more than 256 leaves are walked, which costs a multiple of what smaller ones
/// do. Memory is 20 bytes per leaf of small trees (12 of oblivious ones), 16 per tree (48 at most),
/// 4 per distinct threshold and 120 per feature of theirs, and 16 bytes per leaf of large trees; 24
/// where these are of more than 2^20 leaves or the model looks at more than 1,023 features.
class CompiledScorer {
 public:
  /// Throws std::invalid_argument if the ensemble has no members or the processor lacks `isa`.
  explicit CompiledScorer(const Ensemble& ensemble, Isa isa = BestIsa())
      : combine_(ensemble),
        linear_of_queries_(OfQueries(ensemble)),
        n_features_(ensemble.n_features),
        trees_(ensemble, isa),
        rounds_(ensemble),
        exits_(ensemble.exits) {
    if (ensemble.members.empty()) throw std::invalid_argument("the model has no members");
  }

  /// Of a model file (LoadModel) without categorical features (RequireNumbers). Only where
  /// io/model_file.hpp is included, as rankforest.hpp does: scoring by itself knows no files, so
  /// the name is looked up where this is called.
  template <class Path>
  [[nodiscard]] static CompiledScorer Load(const Path& path, Isa isa = BestIsa()) {
    return CompiledScorer(LoadModelOfNumbers(path, Threads{}).ensemble, isa);
  }

  /// Whether scores depend on whole queries, as Ensemble::needs_queries says.
  [[nodiscard]] bool needs_queries() const { return !scores_in_part() || !exits_.empty(); }
  /// Whether documents can be scored in part, as Ensemble::scores_in_part says.
  [[nodiscard]] bool scores_in_part() const {
    return !combine_.needs_queries() && linear_of_queries_.empty();
  }
  /// When documents exit, unless limits say otherwise.
  [[nodiscard]] const ExitSchedule& exits() const { return exits_; }
  [[nodiscard]] std::uint32_t n_features() const { return n_features_; }
  [[nodiscard]] Isa isa() const { return trees_.isa(); }
  [[nodiscard]] std::size_t n_trees() const { return trees_.n_trees(); }
  [[nodiscard]] std::size_t n_rounds() const { return rounds_.size(); }
  /// What scoring so many documents takes one thread, in seconds, roughly.
  [[nodiscard]] double Seconds(std::size_t n_documents) const {
    return static_cast<double>(n_documents) * trees_.costs().SecondsPerDocument(n_documents);
  }
  /// The memory of the trees and linear parts.
  [[nodiscard]] std::size_t n_bytes() const { return trees_.n_bytes(); }

  /// One score per row, as `rankforest::Score(ensemble, features, query_of_row)` gives.
  [[nodiscard]] std::vector<double> Score(const FeatureMatrix& features,
                                          Span<const QueryId> query_of_row = {},
                                          Threads threads = {}) const {
    RequireScorable(needs_queries(), n_features_, features, query_of_row.size());
    if (!exits_.empty()) return ScoreWithin({}, features, query_of_row, threads).scores;
    std::vector<std::vector<double>> members(needs_queries() ? trees_.n_members() : 1);
    for (std::vector<double>& scores : members) scores.resize(features.n_rows);
    detail::PartsOfQueries parts;
    if (!linear_of_queries_.empty()) {
      parts = detail::PartsOfQueries(linear_of_queries_, features, query_of_row, threads);
    }
    const std::size_t chunk = trees_.costs().ChunkSize(features.n_rows, threads);
    threads = trees_.costs().ForScoring(threads, features.n_rows);
    ParallelChunks(threads, features.n_rows, chunk, [&](std::size_t begin, std::size_t end) {
      const FeatureMatrix rows{features.Row(begin), end - begin, features.n_features,
                               features.row_stride};
      ScoreScratch& scratch = ScoreScratch::OfThread();
      if (!needs_queries()) {
        Sum(rows, Span<double>(members[0]).subspan(begin, end - begin), scratch);
        return;
      }
      trees_.VisitMembers(
          rows, scratch,
          [&](std::size_t j, Span<const double> scores) {
            std::copy(scores.begin(), scores.end(), members[j].data() + begin);
          },
          parts, begin);
    });
    if (!needs_queries()) return std::move(members.front());
    return combine_(std::move(members), query_of_row, threads);
  }

  /// The same on this thread, for ensembles that need no queries. Allocates nothing once `scratch`
  /// has been used with this scorer.
  ///
  /// @param scores   one for each row
  /// @param scratch  memory that no other thread uses at the same time
  void Score(const FeatureMatrix& features, Span<double> scores, ScoreScratch& scratch) const {
    RequireScorable(needs_queries(), n_features_, features, 0);
    RequirePlaces("scores", scores.size(), features.n_rows);
    const std::size_t chunk = trees_.costs().ChunkSize(features.n_rows, Threads{1});
    for (std::size_t begin = 0; begin < scores.size(); begin += chunk) {
      const std::size_t n_rows = std::min(chunk, scores.size() - begin);
      Sum({features.Row(begin), n_rows, features.n_features, features.row_stride},
          scores.subspan(begin, n_rows), scratch);
    }
  }

  /// With the scratch memory of this thread.
  void Score(const FeatureMatrix& features, Span<double> scores) const {
    Score(features, scores, ScoreScratch::OfThread());
  }

  /// Scores under limits, for ensembles that sum: see limits.hpp for what they mean.
  /// Without any limit, the scores are those of Score, exits of the model included.
  ///
  /// @param query_of_row  a code per row; empty: all rows are of one query
  /// @param threads       each takes some queries; with ExitScope::kSet one takes all
  [[nodiscard]] LimitedScores ScoreWithin(const ScoreLimits& limits, const FeatureMatrix& features,
                                          Span<const QueryId> query_of_row = {},
                                          Threads threads = {}) const {
    RequireValid(limits, !scores_in_part(), n_features_);
    RequireScorable(false, n_features_, features, 0);
    const detail::ExitsAhead exits_ahead(limits, exits_);
    return detail::ScoreQueriesWithin({trees_, rounds_, limits, exits_ahead, features},
                                      Grouped(query_of_row, features.n_rows), threads);
  }

  /// The same for the documents of one query, on this thread. Allocates nothing once `scratch` has
  /// been used with this scorer and as many documents.
  ///
  /// @param scores  one for each row
  /// @param rounds  likewise: how many rounds it was scored with
  ScoreReport ScoreWithin(const ScoreLimits& limits, const FeatureMatrix& features,
                          Span<double> scores, Span<std::uint32_t> rounds,
                          ScoreScratch& scratch) const {
    RequireValid(limits, !scores_in_part(), n_features_);
    RequireScorable(false, n_features_, features, 0);
    RequirePlaces("scores", scores.size(), features.n_rows);
    RequirePlaces("rounds", rounds.size(), features.n_rows);
    const detail::ExitsAhead exits_ahead(limits, exits_);
    const detail::LimitedWork work{trees_, rounds_, limits, exits_ahead, features};
    return work.RunQuery(scores, rounds, scratch);
  }

  /// The documents of one query with the highest scores, best first and, where scores are equal,
  /// in the order of their rows: rows and scores are those that Score gives, to the bit. A
  /// document that can no longer be among them, by the largest and smallest values of the trees to
  /// come, is evaluated no further. For ensembles that sum; where they have exits, the documents
  /// are scored and sorted.
  ///
  /// Without exits, allocates nothing once `scratch` has been used with this scorer and as many
  /// documents.
  ///
  /// @param best  places for the k best
  TopReport Top(const FeatureMatrix& features, Span<RankedDocument> best,
                ScoreScratch& scratch) const {
    RequireSum();
    RequireScorable(false, n_features_, features, 0);
    if (!exits_.empty()) {
      return detail::RankScored(ScoreWithin({}, features), features.n_rows, best);
    }
    return detail::RankTop(trees_, rounds_, features, best, scratch);
  }

  /// The same with the scratch memory of this thread.
  [[nodiscard]] std::vector<RankedDocument> Top(const FeatureMatrix& features,
                                                std::size_t k) const {
    std::vector<RankedDocument> best(std::min(k, features.n_rows));
    Top(features, best, ScoreScratch::OfThread());
    return best;
  }

  /// The same for each query, in ascending order of their codes.
  ///
  /// @param query_of_row  a code per row
  [[nodiscard]] RankedQueries Top(const FeatureMatrix& features, std::size_t k,
                                  Span<const QueryId> query_of_row, Threads threads = {}) const {
    RequireSum();
    RequireScorable(false, n_features_, features, 0);
    const RowsByQuery queries = Grouped(query_of_row, features.n_rows);
    if (!exits_.empty()) {
      return detail::RankScored(ScoreWithin({}, features, query_of_row, threads), queries, k);
    }
    return detail::RankTopOfQueries(trees_, rounds_, features, queries, k, threads);
  }

  /// Scores of the documents of one query, with features that `provider` computes where trees
  /// need them (provider.hpp), and under limits (limits.hpp); for ensembles that sum.
  /// Without limits the scores are those of Score on the provider's values, to the bit.
  ///
  /// The cost of a document is here that of the trees of its rounds and of the features that were
  /// asked for. A budget ends a query before the tree or the request that it cannot pay; then all
  /// documents in play have the scores of the last round that was finished.
  ///
  /// @param provider  see provider.hpp; what it throws is thrown here
  /// @param scores    one for each document
  /// @return what was done, until `scratch` is used again
  template <class Provider>
  const LazyReport& ScoreLazily(std::size_t n_documents, Provider&& provider,
                                const ScoreLimits& limits, Span<double> scores,
                                LazyScratch& scratch) const {
    static_assert(kIsProvider<Provider>,
                  "a provider takes (FeatureId, Span<const std::size_t>, Span<float>)");
    RequireValid(limits, !scores_in_part(), n_features_);
    RequirePlaces("scores", scores.size(), n_documents);
    const detail::ExitsAhead exits_ahead(limits, exits_);
    return detail::LazyRun<std::remove_reference_t<Provider>>(trees_, rounds_, n_features_,
                                                              n_documents, provider, limits,
                                                              exits_ahead, scores, scratch)
        .Run();
  }

  /// The same with the scratch memory of this thread.
  template <class Provider>
  LazyReport ScoreLazily(std::size_t n_documents, Provider&& provider, const ScoreLimits& limits,
                         Span<double> scores) const {
    return ScoreLazily(n_documents, provider, limits, scores, LazyScratch::OfThread());
  }

 private:
  void RequireSum() const {
    if (!scores_in_part()) throw std::invalid_argument(detail::kNoScoreBeforeTheLastTree);
  }

  /// The rows of each query; of one, if there are no codes.
  static RowsByQuery Grouped(Span<const QueryId> query_of_row, std::size_t n_rows) {
    if (query_of_row.empty()) return RowsByQuery(std::vector<QueryId>(n_rows));
    RequirePlaces("query_of_row", query_of_row.size(), n_rows);
    return RowsByQuery(query_of_row);
  }

  static void RequirePlaces(const char* name, std::size_t size, std::size_t n_rows) {
    if (size == n_rows) return;
    throw std::invalid_argument(std::string(name) + " must have one place for each of the " +
                                std::to_string(n_rows) + " rows; got " + std::to_string(size));
  }

  /// The linear parts of all members if any looks at whole queries, else none.
  static std::vector<Linear> OfQueries(const Ensemble& ensemble) {
    std::vector<Linear> linear = detail::LinearOf(ensemble);
    const auto looks = [](const Linear& part) { return part.needs_queries(); };
    if (std::none_of(linear.begin(), linear.end(), looks)) linear.clear();
    return linear;
  }

  /// The sum of the members' scores, in order.
  void Sum(const FeatureMatrix& rows, Span<double> total, ScoreScratch& scratch) const {
    trees_.VisitMembers(rows, scratch, [&](std::size_t j, Span<const double> scores) {
      if (j == 0) {
        std::copy(scores.begin(), scores.end(), total.begin());
      } else {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += scores[i];
      }
    });
  }

  Combination combine_;
  std::vector<Linear> linear_of_queries_;
  std::uint32_t n_features_;
  detail::CompiledTrees trees_;
  detail::Rounds rounds_;
  ExitSchedule exits_;
};

}  // namespace rankforest
