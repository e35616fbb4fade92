#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/score_scratch.hpp"

namespace rankforest {

/// An ensemble made ready for scoring: many times as fast as reference.hpp, and the same bits on
/// every input.
///
/// Immutable, and independent of the ensemble that it was made from; any number of threads may
/// use one. See compiled_trees.hpp for how it works.
///
/// Limits: trees of more than 256 leaves are walked, which costs a multiple of what smaller ones
/// do. Memory is about 28 bytes per leaf of small trees and 16 per leaf of large ones.
class CompiledScorer {
 public:
  /// Throws std::invalid_argument if the ensemble has no members or the processor lacks `isa`.
  explicit CompiledScorer(const Ensemble& ensemble, Isa isa = BestIsa())
      : combine_(ensemble.combine), n_features_(ensemble.n_features), trees_(ensemble, isa) {
    if (ensemble.members.empty()) throw std::invalid_argument("the model has no members");
  }

  [[nodiscard]] Combine combine() const { return combine_; }
  [[nodiscard]] std::uint32_t n_features() const { return n_features_; }
  [[nodiscard]] Isa isa() const { return trees_.isa(); }

  /// One score per row, as `rankforest::Score(ensemble, features, query_of_row)` gives.
  [[nodiscard]] std::vector<double> Score(const FeatureMatrix& features,
                                          Span<const QueryId> query_of_row = {},
                                          Threads threads = {}) const {
    RequireScorable(combine_, n_features_, features, query_of_row.size());
    std::vector<std::vector<double>> members(NeedsQueries(combine_) ? trees_.n_members() : 1);
    for (std::vector<double>& scores : members) scores.resize(features.n_rows);
    const std::size_t chunk = trees_.ChunkSize(features.n_rows, threads);
    ParallelChunks(threads, features.n_rows, chunk, [&](std::size_t begin, std::size_t end) {
      const FeatureMatrix rows{features.Row(begin), end - begin, features.n_features,
                               features.row_stride};
      ScoreScratch& scratch = ScoreScratch::OfThread();
      if (!NeedsQueries(combine_)) {
        Sum(rows, Span<double>(members[0]).subspan(begin, end - begin), scratch);
        return;
      }
      trees_.VisitMembers(rows, scratch, [&](std::size_t j, Span<const double> scores) {
        std::copy(scores.begin(), scores.end(), members[j].data() + begin);
      });
    });
    if (!NeedsQueries(combine_)) return std::move(members.front());
    return CombineMembers(combine_, std::move(members), query_of_row);
  }

  /// The same on this thread, for ensembles that combine by kSum. Allocates nothing once `scratch`
  /// has been used with this scorer.
  ///
  /// @param scores   one for each row
  /// @param scratch  memory that no other thread uses at the same time
  void Score(const FeatureMatrix& features, Span<double> scores, ScoreScratch& scratch) const {
    RequireScorable(combine_, n_features_, features, 0);
    if (scores.size() != features.n_rows) {
      throw std::invalid_argument("scores must have one place for each of the " +
                                  std::to_string(features.n_rows) + " rows; got " +
                                  std::to_string(scores.size()));
    }
    const std::size_t chunk = trees_.ChunkSize(features.n_rows, Threads{1});
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

 private:
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

  Combine combine_;
  std::uint32_t n_features_;
  detail::CompiledTrees trees_;
};

}  // namespace rankforest
