#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/linear_part.hpp"
#include "rankforest/score/reference.hpp"

namespace rankforest {

namespace detail {

/// The scores of one member's prefixes, each from the one before.
///
/// A sum group only grows its sum. In a mean group every tree's weight changes with every round,
/// and each contribution is rounded with its weight, so the sum starts anew; the leaf values that
/// the trees gave are kept (4 bytes per document and tree of the group), so no tree runs twice.
class StagedMember {
 public:
  /// @param of_queries  as StartScores takes it
  StagedMember(const Member& member, const FeatureMatrix& features, const double* of_queries)
      : member_(&member),
        features_(features),
        settled_(StartScores(member, features, of_queries)) {}

  /// Adds the next `rounds` rounds, or what is left of them.
  void Advance(std::size_t rounds, Threads threads) {
    while (rounds > 0 && group_ < member_->groups.size()) {
      const Group& group = member_->groups[group_];
      const std::size_t taken = std::min(rounds, group.n_rounds() - round_);
      const Span<const Tree> trees =
          Span<const Tree>(group.trees)
              .subspan(round_ * group.trees_per_round, taken * group.trees_per_round);
      if (group.reduction == Reduction::kSum) {
        const auto row_of = [this](std::size_t row) { return features_.Row(row); };
        AddContributions(trees, group.TreeWeight(), row_of, settled_, threads);
      } else {
        KeepLeaves(trees, threads);
      }
      rounds -= taken;
      round_ += taken;
      if (round_ == group.n_rounds()) FinishGroup(threads);
    }
  }

  /// The scores of the rounds so far.
  [[nodiscard]] std::vector<double> Scores(Threads threads) const {
    std::vector<double> scores = settled_;
    if (!leaves_.empty()) AddMean(scores, threads);
    return scores;
  }

 private:
  void KeepLeaves(Span<const Tree> trees, Threads threads) {
    const std::size_t first = leaves_.size();
    leaves_.resize(first + trees.size());
    ParallelFor(threads, trees.size(), [&](std::size_t t) {
      std::vector<float>& values = leaves_[first + t];
      values.resize(settled_.size());
      for (std::size_t row = 0; row < values.size(); ++row) {
        values[row] = trees[t].Value(features_.Row(row));
      }
    });
  }

  /// Adds the mean of the trees of the current group so far.
  void AddMean(Span<double> scores, Threads threads) const {
    const double tree_weight = member_->groups[group_].TreeWeight(leaves_.size());
    ParallelChunks(threads, scores.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (const std::vector<float>& values : leaves_) {
        for (std::size_t row = begin; row < end; ++row) {
          scores[row] += Group::Contribution(tree_weight, values[row]);
        }
      }
    });
  }

  void FinishGroup(Threads threads) {
    if (!leaves_.empty()) AddMean(settled_, threads);
    leaves_.clear();
    ++group_;
    round_ = 0;
  }

  const Member* member_;
  FeatureMatrix features_;
  std::vector<double> settled_;             // base and all that needs no second look
  std::vector<std::vector<float>> leaves_;  // [tree][row] of an unfinished mean group
  std::size_t group_ = 0;                   // the group at work
  std::size_t round_ = 0;                   // its rounds so far
};

}  // namespace detail

/// Scores after the first rounds of a model: `Scores` after `Advance(a)` and `Advance(b)` are, bit
/// for bit, Score(Prefix(ensemble, a + b), ...), without starting again at the first tree.
///
/// All documents are scored by all trees of these rounds, also where the ensemble has exits.
///
/// Borrows the ensemble, the features and the queries. Keeps 8 bytes per document and member, and
/// 4 per document and tree of a mean group that it is in the middle of.
class StagedScorer {
 public:
  StagedScorer(const Ensemble& ensemble, const FeatureMatrix& features,
               Span<const QueryId> query_of_row = {}, Threads threads = {})
      : combine_(ensemble),
        n_rounds_(ensemble.n_rounds()),
        query_of_row_(query_of_row),
        threads_(threads) {
    if (ensemble.members.empty()) throw std::invalid_argument("the model has no members");
    const bool looks_at_queries = !ensemble.scores_in_part();
    RequireScorable(looks_at_queries, ensemble.n_features, features, query_of_row.size());
    const detail::PartsOfQueries parts(detail::LinearOf(ensemble), features,
                                       looks_at_queries ? query_of_row : Span<const QueryId>(),
                                       threads);
    for (const Member& member : ensemble.members) {
      members_.emplace_back(member, features, parts.Of(members_.size(), 0));
    }
  }

  [[nodiscard]] std::size_t n_rounds() const { return n_rounds_; }  ///< of the whole model
  [[nodiscard]] std::size_t round() const { return round_; }        ///< rounds in the scores

  /// Goes on by `rounds` rounds, to the end at most.
  void Advance(std::size_t rounds) {
    rounds = std::min(rounds, n_rounds_ - round_);
    for (detail::StagedMember& member : members_) member.Advance(rounds, threads_);
    round_ += rounds;
  }

  [[nodiscard]] std::vector<double> Scores() const {
    std::vector<std::vector<double>> scores;
    scores.reserve(members_.size());
    for (const detail::StagedMember& member : members_) scores.push_back(member.Scores(threads_));
    return combine_(std::move(scores), query_of_row_, threads_);
  }

 private:
  Combination combine_;
  std::size_t n_rounds_;
  std::size_t round_ = 0;
  Span<const QueryId> query_of_row_;
  Threads threads_;
  std::vector<detail::StagedMember> members_;
};

}  // namespace rankforest
