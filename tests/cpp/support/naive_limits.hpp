#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/limits.hpp"

namespace rankforest::testing {

/// Scoring under limits as limits.hpp defines it, one document and one round at a time. Oracle for
/// CompiledScorer::ScoreWithin, without should_stop and demote.
class NaiveLimits {
 public:
  std::vector<double> scores;
  std::vector<std::uint32_t> rounds;
  std::size_t n_evaluations = 0;
  double cost = 0.0;

  NaiveLimits(const Ensemble& model, const FeatureMatrix& features,
              const std::vector<QueryId>& codes, const ScoreLimits& limits)
      : scores(features.n_rows), rounds(features.n_rows), model_(model), features_(features) {
    std::map<QueryId, std::vector<std::size_t>> in_play;
    for (std::size_t row = 0; row < features.n_rows; ++row) in_play[codes[row]].push_back(row);
    std::map<QueryId, double> spent;
    for (const auto& [query, rows] : in_play) {
      spent[query] = static_cast<double>(rows.size()) * CostOfRound(0, limits.costs);
    }
    for (std::size_t round = 1; round <= model.n_rounds(); ++round) {
      for (auto& [query, rows] : in_play) {
        const double paid =
            spent[query] + static_cast<double>(rows.size()) * CostOfRound(round, limits.costs);
        if (limits.budget.has_value() && paid > *limits.budget) {
          rows.clear();
        } else {
          spent[query] = paid;
        }
        for (const std::size_t row : rows) rounds[row] = static_cast<std::uint32_t>(round);
      }
      const ExitSchedule exits = ExitsOf(limits);
      for (const ExitPoint& point : exits.points) {
        if (point.round != round) continue;
        std::vector<std::size_t> all;
        for (const auto& [query, rows] : in_play) all.insert(all.end(), rows.begin(), rows.end());
        for (auto& [query, rows] : in_play) {
          Leave(rows, exits.scope == ExitScope::kSet ? all : rows, point, exits.k);
        }
      }
    }
    for (std::size_t row = 0; row < features.n_rows; ++row) {
      scores[row] = ScoreAfter(row, rounds[row]);
      for (std::size_t r = 1; r <= rounds[row]; ++r) n_evaluations += TreesOf(r).size();
    }
    for (const auto& [query, paid] : spent) cost += paid;
  }

  /// The score of a document after the first rounds.
  [[nodiscard]] double ScoreAfter(std::size_t row, std::size_t round) const {
    double score = 0.0;
    for (std::size_t j = 0; j < model_.members.size(); ++j) {
      const double of_member = MemberAfter(model_.members[j], row, round);
      score = j == 0 ? of_member : score + of_member;
    }
    return score;
  }

 private:
  [[nodiscard]] double MemberAfter(const Member& member, std::size_t row, std::size_t left) const {
    double sum = member.base;
    if (!member.linear.empty()) {
      sum += LinearSum(member.linear, [&](std::size_t i) {
        return features_.Row(row)[member.linear.terms[i].feature];
      });
    }
    for (const Group& group : member.groups) {
      const double settled = sum;
      const std::size_t taken = std::min(left, group.n_rounds());
      for (std::size_t t = 0; t < taken * group.trees_per_round; ++t) {
        sum += Group::Contribution(group.TreeWeight(), group.trees[t].Value(features_.Row(row)));
      }
      if (group.reduction == Reduction::kMean && taken > 0 && taken < group.n_rounds()) {
        const double share = static_cast<double>(taken) / static_cast<double>(group.n_rounds());
        sum = settled + (sum - settled) / share;
      }
      left -= taken;
      if (left == 0) break;
    }
    return sum;
  }

  /// The trees of a round of all members.
  [[nodiscard]] std::vector<const Tree*> TreesOf(std::size_t round) const {
    std::vector<const Tree*> trees;
    for (const Member& member : model_.members) {
      std::size_t first = 1;
      for (const Group& group : member.groups) {
        for (std::size_t t = 0; t < group.trees.size(); ++t) {
          if (first + t / group.trees_per_round == round) trees.push_back(&group.trees[t]);
        }
        first += group.n_rounds();
      }
    }
    return trees;
  }

  /// What the trees of a round look at; of round 0, what linear parts do.
  [[nodiscard]] std::set<FeatureId> FeaturesOf(std::size_t round) const {
    std::set<FeatureId> features;
    for (const Member& member : model_.members) {
      if (round > 0) break;
      for (const Linear::Term& term : member.linear.terms) features.insert(term.feature);
    }
    for (const Tree* tree : TreesOf(round)) {
      for (const Tree::Node& node : tree->nodes) features.insert(node.feature);
    }
    return features;
  }

  [[nodiscard]] double CostOfRound(std::size_t round, const ScoringCosts& costs) const {
    double of_round = costs.tree * static_cast<double>(TreesOf(round).size());
    if (costs.features.empty()) return of_round;
    const auto unit_of = [&](FeatureId f) { return costs.groups.empty() ? f : costs.groups[f]; };
    std::set<FeatureId> paid;
    for (std::size_t r = 0; r < round; ++r) {
      for (const FeatureId f : FeaturesOf(r)) paid.insert(unit_of(f));
    }
    for (const FeatureId f : FeaturesOf(round)) {
      if (paid.insert(unit_of(f)).second) of_round += costs.features[f];
    }
    return of_round;
  }

  /// The exits that hold, one by one.
  [[nodiscard]] ExitSchedule ExitsOf(const ScoreLimits& limits) const {
    if (limits.exits.has_value()) return *limits.exits;
    if (!limits.early_exit.has_value()) return model_.exits;
    ExitSchedule exits;
    exits.scope = limits.early_exit->scope;
    for (std::size_t round = limits.early_exit->every; round < model_.n_rounds();
         round += limits.early_exit->every) {
      ExitPoint point;
      point.round = static_cast<std::uint32_t>(round);
      point.fraction = limits.early_exit->fraction;
      exits.points.push_back(point);
    }
    return exits;
  }

  /// Drops those of `rows` that a rule sends off among `all`.
  void Leave(std::vector<std::size_t>& rows, const std::vector<std::size_t>& all,
             const ExitPoint& point, std::size_t k) const {
    std::vector<double> sorted;
    for (const std::size_t row : all) sorted.push_back(ScoreAfter(row, point.round));
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    const auto leave =
        static_cast<std::size_t>(std::floor(point.fraction * static_cast<double>(n)));
    std::vector<std::size_t> stay;
    for (const std::size_t row : rows) {
      const double score = ScoreAfter(row, point.round);
      if (score < sorted[leave]) continue;
      if (point.keep > 0 && n > point.keep && score < sorted[n - point.keep]) continue;
      if (n >= k && score < sorted[n - k] - point.margin) continue;
      stay.push_back(row);
    }
    rows = stay;
  }

  const Ensemble& model_;
  FeatureMatrix features_;
};

}  // namespace rankforest::testing
