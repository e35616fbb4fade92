#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/watched_scores.hpp"

namespace rankforest {

/// Follows the problems of an ordinal model that grow together: keeps what each adds to the scores
/// of the watched data sets, with the bits that the finished model gives.
class OrdinalWatches {
 public:
  /// @param watches  must outlive this
  OrdinalWatches(const std::vector<Watch>& watches, OrdinalScore score, Threads threads)
      : watches_(watches), score_(std::move(score)), threads_(threads) {}

  /// Scores the watched sets with the problems so far.
  ///
  /// @param n_steps  that are expected of each problem
  void Begin(const std::vector<const Member*>& problems, std::size_t n_steps) {
    scores_.clear();
    for (const Watch& watch : watches_) {
      scores_.emplace_back();
      for (std::size_t c = 0; c < problems.size(); ++c) {
        const Member member = InScore(*problems[c], c);
        std::vector<double> scores(watch.data->n_documents(), member.base);
        AddGroups(member, *watch.data, threads_, scores);
        std::vector<WatchedScores>& of_watch = scores_.back();
        if (c == 0) {
          of_watch.emplace_back(*watch.data, threads_, std::move(scores), n_steps);
        } else {
          of_watch.emplace_back(of_watch.front(), std::move(scores));
        }
      }
    }
  }

  /// Adds the last tree of each problem.
  void AddLastTrees(const std::vector<const Member*>& problems) {
    if (watches_.empty()) return;
    for (std::size_t c = 0; c < problems.size(); ++c) {
      const Group& last = problems[c]->groups.back();
      assert(last.trees_per_round == 1);
      const Member step{
          0.0, {{last.weight * score_.weights[c], Reduction::kSum, 1, {last.trees.back()}}}};
      for (std::vector<WatchedScores>& of_watch : scores_) of_watch[c].Add(step);
    }
  }

  /// The scores of all problems together, by watch and document.
  [[nodiscard]] std::vector<std::vector<double>> Totals() const {
    std::vector<std::vector<double>> totals;
    for (const std::vector<WatchedScores>& of_watch : scores_) {
      const Span<const double> first = of_watch.front().values();
      totals.emplace_back(first.begin(), first.end());
      for (std::size_t c = 1; c < of_watch.size(); ++c) AddTo(totals.back(), of_watch[c].values());
    }
    return totals;
  }

  /// The scores of forests that each have the first n of these trees.
  ///
  /// @param trees  of each problem
  [[nodiscard]] std::vector<double> OfForests(const std::vector<Span<const Tree>>& trees,
                                              const Dataset& data, std::size_t n) const {
    std::vector<double> total;
    for (std::size_t c = 0; c < trees.size(); ++c) {
      std::vector<double> scores(data.n_documents(), c == 0 ? score_.base : 0.0);
      AddTrees(trees[c].subspan(0, n), score_.weights[c] / static_cast<double>(n), data, threads_,
               scores);
      if (c == 0) {
        total = std::move(scores);
      } else {
        AddTo(total, scores);
      }
    }
    return total;
  }

 private:
  static void AddTo(std::vector<double>& total, Span<const double> scores) {
    for (std::size_t d = 0; d < total.size(); ++d) total[d] += scores[d];
  }

  /// A problem as it is part of the score: see EnsembleOf().
  [[nodiscard]] Member InScore(const Member& problem, std::size_t c) const {
    Member member = Weighted(problem, score_.weights[c]);
    if (c == 0) member.base += score_.base;
    return member;
  }

  const std::vector<Watch>& watches_;
  OrdinalScore score_;
  Threads threads_;
  std::vector<std::vector<WatchedScores>> scores_;  // by watch and problem
};

}  // namespace rankforest
