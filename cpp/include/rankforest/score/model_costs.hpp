#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/round_costs.hpp"
#include "rankforest/score/rounds.hpp"

namespace rankforest {

/// What a document costs that is scored with the first 0, 1, ... rounds of an ensemble: its trees,
/// and all features that they and linear parts look at, each group once (Mohan 2010, section 6.1).
inline std::vector<double> CostsOfRounds(const Ensemble& ensemble, const ScoringCosts& costs) {
  detail::RequireCosts(costs, ensemble.n_features);
  const detail::Rounds rounds(ensemble);
  detail::PlayMemory memory;
  detail::RoundCosts of_round(rounds, costs, memory);
  std::vector<double> total{of_round.AtStart()};
  for (std::size_t r = 0; r < rounds.size(); ++r) total.push_back(total.back() + of_round.After(r));
  return total;
}

namespace detail {

/// The cost of the documents of a query where features are computed once a path asks for them, and
/// those of linear parts at the start.
class PathCosts {
 public:
  PathCosts(const Ensemble& ensemble, const Rounds& rounds, const ScoringCosts& costs,
            const FeatureMatrix& features, Span<const std::size_t> rows)
      : rounds_(rounds),
        costs_(costs),
        features_(features),
        rows_(rows),
        n_members_(ensemble.members.size()) {
    for (const Member& member : ensemble.members) {
      for (const Group& group : member.groups) {
        for (const Tree& tree : group.trees) trees_.push_back(&tree);
      }
    }
    n_features_ = ensemble.n_features;
    if (costs.features.empty()) return;
    is_paid_.assign(rows.size() * n_features_, 0);
    n_paid_.assign(n_features_, 0);
    for (const Member& member : ensemble.members) {
      for (const Linear::Term& term : member.linear.terms) {
        for (std::size_t i = 0; i < rows.size(); ++i) Pay(term.feature, i);
      }
    }
  }

  /// Adds the round behind `round` for the documents that were scored with more than these.
  ///
  /// @param scored_with  rounds of each document, by row; empty: all rounds
  void Add(std::size_t round, Span<const std::uint32_t> scored_with) {
    for (std::size_t j = 0; j < n_members_; ++j) {
      const std::size_t last = rounds_.Of(j, round + 1).tree;
      for (std::size_t t = rounds_.Of(j, round).tree; t < last; ++t) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          if (!scored_with.empty() && scored_with[rows_[i]] <= round) continue;
          ++n_evaluations_;
          if (!is_paid_.empty()) Pay(*trees_[t], i);
        }
      }
    }
  }

  /// What all of it costs. The order of the documents changes no bit.
  [[nodiscard]] double Total() const {
    double cost = costs_.tree * static_cast<double>(n_evaluations_);
    for (std::size_t f = 0; f < n_paid_.size(); ++f) {
      cost += costs_.features[f] * static_cast<double>(n_paid_[f]);
    }
    return cost;
  }

 private:
  /// Pays for a feature of a document.
  void Pay(FeatureId feature, std::size_t i) {
    const std::size_t unit = costs_.groups.empty() ? feature : std::size_t{costs_.groups[feature]};
    char& is_paid = is_paid_[i * n_features_ + unit];
    if (is_paid == 0) ++n_paid_[feature];
    is_paid = 1;
  }

  /// Pays for what the path of a document through a tree asks for.
  void Pay(const Tree& tree, std::size_t i) {
    const float* const row = features_.Row(rows_[i]);
    std::int32_t child = tree.nodes.empty() ? ~0 : 0;
    while (child >= 0) {
      const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
      Pay(node.feature, i);
      child = node.Next(row[node.feature]);
    }
  }

  const Rounds& rounds_;
  const ScoringCosts& costs_;
  const FeatureMatrix& features_;
  Span<const std::size_t> rows_;
  std::size_t n_members_;
  std::size_t n_features_ = 0;
  std::vector<const Tree*> trees_;   // of all members
  std::vector<char> is_paid_;        // by document and group
  std::vector<std::size_t> n_paid_;  // by feature: documents that paid for it
  std::size_t n_evaluations_ = 0;
};

}  // namespace detail

/// What queries cost whose documents are scored with the first rounds of an ensemble, where a
/// feature is computed once a path of a document asks for it.
///
/// @param queries      rows of each query
/// @param scored_with  by row: documents are scored with no more rounds than these; empty: with all
/// @param stages       numbers of rounds, ascending, at most those of the ensemble
/// @returns by stage, and within it by query
inline std::vector<std::vector<double>> LazyCostsOfQueries(
    const Ensemble& ensemble, const ScoringCosts& costs, const FeatureMatrix& features,
    const RowsByQuery& queries, Span<const std::uint32_t> scored_with,
    Span<const std::size_t> stages, Threads threads = {}) {
  detail::RequireCosts(costs, ensemble.n_features);
  const detail::Rounds rounds(ensemble);
  assert(std::is_sorted(stages.begin(), stages.end()));
  assert(stages.empty() || stages[stages.size() - 1] <= rounds.size());
  std::vector<std::vector<double>> result(stages.size(), std::vector<double>(queries.n_queries()));
  ParallelFor(threads, queries.n_queries(), [&](std::size_t q) {
    detail::PathCosts paths(ensemble, rounds, costs, features, queries.Query(q));
    std::size_t round = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      for (; round < stages[s]; ++round) paths.Add(round, scored_with);
      result[s][q] = paths.Total();
    }
  });
  return result;
}

}  // namespace rankforest
