#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/score/documents_in_play.hpp"
#include "rankforest/score/early_exit.hpp"
#include "rankforest/score/exits_ahead.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/round_costs.hpp"
#include "rankforest/score/rounds.hpp"

namespace rankforest::detail {

/// Scores the documents of some queries under limits.
class LimitedRun {
 public:
  /// @param offsets  those of query q are, less the first offset, from offsets[q] to
  ///                 offsets[q + 1] - 1 of those in play
  /// @param scores   by row
  /// @param exits    by row: the round after which it left
  LimitedRun(DocumentsInPlay documents, const Rounds& rounds, const ScoreLimits& limits,
             const ExitsAhead& exits_ahead, Span<const std::size_t> offsets, Span<double> scores,
             Span<std::uint32_t> exits, PlayMemory& memory)
      : documents_(documents),
        rounds_(rounds),
        limits_(limits),
        exits_ahead_(exits_ahead),
        costs_of_run_(rounds, limits.costs, memory),
        queries_(memory.queries),
        current_(memory.scores),
        ranked_(memory.ranked),
        scores_(scores),
        exits_(exits) {
    queries_.clear();
    for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
      const double at_start =
          costs_of_run_.AtStart() * static_cast<double>(offsets[q + 1] - offsets[q]);
      queries_.push_back({offsets[q] - offsets[0], offsets[q + 1] - offsets[0], 0, at_start, 0.0});
    }
    current_.resize(documents_.slots().size());
  }

  ScoreReport Run() {
    while (!documents_.slots().empty() && documents_.round() < rounds_.size()) {
      if (limits_.should_stop && limits_.should_stop()) break;
      const std::size_t end = EndOfStage();
      for (PlayedQuery& query : queries_) query.stop = Afford(query, end);
      for (;;) {
        LetGo([&](const PlayedQuery& query) { return query.stop == documents_.round(); }, end);
        if (documents_.slots().empty() || documents_.round() == end) break;
        documents_.AdvanceTo(NextStop(end));
      }
      if (IsExit(end)) Exit();
    }
    documents_.WriteScores(current_);
    for (PlayedQuery& query : queries_) Release(query);
    for (const PlayedQuery& query : queries_) report_.cost += query.spent;
    return report_;
  }

 private:
  static constexpr std::size_t kRoundsBetweenQuestions = 16;

  [[nodiscard]] bool IsExit(std::size_t round) const {
    return exits_ahead_.IsAt(round) && round < rounds_.size();
  }

  /// The round up to which nothing but budgets lets documents go.
  [[nodiscard]] std::size_t EndOfStage() const {
    const std::size_t round = documents_.round();
    const std::size_t end = std::min(rounds_.size(), exits_ahead_.Next(round));
    return limits_.should_stop ? std::min(end, round + kRoundsBetweenQuestions) : end;
  }

  /// The last round up to `end` that a query can pay for; it does.
  std::size_t Afford(PlayedQuery& query, std::size_t end) {
    RoundCosts costs = costs_of_run_;
    const auto n = static_cast<double>(query.end - query.begin);
    const double budget = limits_.budget.value_or(std::numeric_limits<double>::infinity());
    for (std::size_t round = documents_.round(); round < end; ++round) {
      const double spent = query.spent + n * costs.After(round);
      if (spent > budget) return round;
      query.spent = spent;
    }
    return end;
  }

  /// The first round, up to `end`, at which a query must stop.
  [[nodiscard]] std::size_t NextStop(std::size_t end) const {
    std::size_t next = end;
    for (const PlayedQuery& query : queries_) {
      if (query.begin < query.end) next = std::min(next, query.stop);
    }
    return next;
  }

  /// Lets go of the documents of each query for which stops(query), before round `end`.
  template <class Stops>
  void LetGo(const Stops& stops, std::size_t end) {
    if (documents_.round() == end) return;
    bool any = false;
    for (const PlayedQuery& query : queries_) any = any || stops(query);
    if (!any) return;
    documents_.WriteScores(current_);
    Keep([&](const PlayedQuery& query, std::size_t /*slot*/) { return !stops(query); });
  }

  /// Lets the lowest documents go.
  void Exit() {
    documents_.WriteScores(current_);
    std::vector<std::size_t>& slots = documents_.slots();
    if (exits_ahead_.scope() == ExitScope::kSet) {
      const double lowest = LowestToStay(0, slots.size());
      Keep([&](const PlayedQuery&, std::size_t slot) { return current_[slot] >= lowest; });
      return;
    }
    for (PlayedQuery& query : queries_) query.lowest = LowestToStay(query.begin, query.end);
    Keep(
        [&](const PlayedQuery& query, std::size_t slot) { return current_[slot] >= query.lowest; });
  }

  /// The lowest score that stays in play among the documents of some slots.
  double LowestToStay(std::size_t begin, std::size_t end) {
    ranked_.clear();
    for (std::size_t i = begin; i < end; ++i) ranked_.push_back(current_[documents_.slots()[i]]);
    return detail::LowestToStay(ranked_, exits_ahead_.At(documents_.round()), exits_ahead_.k());
  }

  /// Keeps the documents for which stays(query, slot) in play and notes what the others have.
  template <class Stays>
  void Keep(const Stays& stays) {
    std::vector<std::size_t>& slots = documents_.slots();
    std::size_t kept = 0;
    for (PlayedQuery& query : queries_) {
      const std::size_t begin = kept;
      for (std::size_t i = query.begin; i < query.end; ++i) {
        if (stays(query, slots[i])) {
          slots[kept++] = slots[i];
        } else {
          Note(slots[i]);
        }
      }
      query.begin = begin;
      query.end = kept;
    }
    slots.resize(kept);
    documents_.Close();
  }

  void Release(const PlayedQuery& query) {
    for (std::size_t i = query.begin; i < query.end; ++i) Note(documents_.slots()[i]);
  }

  void Note(std::size_t slot) {
    const std::size_t row = documents_.RowOf(slot);
    scores_[row] = current_[slot];
    exits_[row] = static_cast<std::uint32_t>(documents_.round());
    report_.n_evaluations += rounds_.n_trees(documents_.round());
  }

  DocumentsInPlay documents_;
  const Rounds& rounds_;
  const ScoreLimits& limits_;
  const ExitsAhead& exits_ahead_;
  RoundCosts costs_of_run_;
  std::vector<PlayedQuery>& queries_;
  std::vector<double>& current_;  // scores by slot
  std::vector<double>& ranked_;
  Span<double> scores_;
  Span<std::uint32_t> exits_;
  ScoreReport report_;
};

}  // namespace rankforest::detail
