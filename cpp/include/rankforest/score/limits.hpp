#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/score/combine.hpp"

namespace rankforest {

// Scoring that ends before the last tree. All of it goes by *rounds* (Ensemble, Prefix): a
// document that *exits* after r rounds keeps the score of the first r. The score of a round in the
// middle of a mean group has the mean of the trees so far, taken as their sum in the whole group
// times (all trees / trees so far): equal to that of Prefix up to rounding. Elsewhere it is that
// of Prefix to the bit. Until its documents exit, a query is *in play*. A linear part
// belongs to the start of a score, as the base does: no document goes without it, and its features
// are paid for whatever the budget.

/// After every `every` rounds, the floor(fraction x documents in play) documents with the lowest
/// scores exit. Those that tie with the lowest of the others stay.
///
/// Mohan, "An empirical analysis on point-wise machine learning techniques using regression trees
/// for web-search ranking", 2010, section 6.1 (there of the whole set);
/// Cambazoglu et al., "Early exit optimizations for additive machine learned ranking systems",
/// WSDM 2010.
struct EarlyExit {
  std::uint32_t every = 100;  ///< >= 1
  double fraction = 0.2;      ///< in [0, 1)
  ExitScope scope = ExitScope::kQuery;
  /// Whether documents that exit rank below those of the query that do not, the latest to exit
  /// first, and in the order of their scores among those of the same round: each gets the next
  /// score above it, less 1. Otherwise they keep their scores, which may lie above.
  bool demote = false;
};

/// What scoring a document costs: `tree` for each tree evaluated for it, and for each feature of
/// these trees, once, its own cost (Mohan 2010, equation 6.3; features are paid once).
struct ScoringCosts {
  double tree = 1.0;             ///< finite, >= 0
  std::vector<double> features;  ///< by column, finite, >= 0; empty: 0
  /// By column: those of the same number, below that of columns, are paid together and have the
  /// same cost. Empty: each is paid by itself.
  std::vector<std::uint32_t> groups{};
};

/// When scoring ends. Without any of these, after the last tree.
struct ScoreLimits {
  std::optional<EarlyExit> early_exit;
  /// Exits at any rounds, in place of `early_exit`. Where neither is there, those of the model
  /// (Ensemble::exits) hold; a schedule without rounds makes documents exit nowhere.
  std::optional<ExitSchedule> exits;
  /// Of each query: a round that would bring the cost of its documents in play above it does not
  /// begin, and these exit. >= 0.
  std::optional<double> budget;
  ScoringCosts costs;
  /// Asked between rounds, on the thread that scores, and by several at once where several do;
  /// true makes every document exit. Made for a clock, which this library never reads: what it
  /// ends, no two runs need end alike.
  std::function<bool()> should_stop;
};

/// What limited scoring did.
struct ScoreReport {
  std::size_t n_evaluations = 0;  ///< pairs of a document and a tree that was evaluated for it
  double cost = 0.0;              ///< of all documents, by ScoringCosts
};

namespace detail {

inline constexpr const char* kNoScoreBeforeTheLastTree =
    "a model that combines scores or normalizes features within queries has no score of a document "
    "before its last tree: it cannot be scored in part";

inline void RequireCost(const char* name, double cost) {
  if (std::isfinite(cost) && cost >= 0.0) return;
  throw std::invalid_argument(std::string(name) + " must be finite and >= 0, got " + Shown(cost));
}

/// Features that are paid together must have one cost.
inline void RequireGroups(const ScoringCosts& costs) {
  if (costs.groups.empty()) return;
  if (costs.groups.size() != costs.features.size()) {
    throw std::invalid_argument(
        "there must be a group for each of the " + std::to_string(costs.features.size()) +
        " costs of features, or none; got " + std::to_string(costs.groups.size()));
  }
  std::vector<const double*> cost_of(costs.groups.size(), nullptr);
  for (std::size_t f = 0; f < costs.groups.size(); ++f) {
    const std::uint32_t group = costs.groups[f];
    if (group >= cost_of.size()) {
      throw std::invalid_argument("the group of feature " + std::to_string(f) + " is " +
                                  std::to_string(group) + ", expected a number below " +
                                  std::to_string(cost_of.size()));
    }
    const double* const first = cost_of[group];
    if (first == nullptr) {
      cost_of[group] = &costs.features[f];
    } else if (*first != costs.features[f]) {
      throw std::invalid_argument("the features of group " + std::to_string(group) +
                                  " must have one cost, got " + Shown(*first) + " and " +
                                  Shown(costs.features[f]));
    }
  }
}

inline void RequireCosts(const ScoringCosts& costs, std::size_t n_features) {
  RequireCost("the cost of a tree", costs.tree);
  if (!costs.features.empty() && costs.features.size() != n_features) {
    throw std::invalid_argument("there must be a cost for each of the model's " +
                                std::to_string(n_features) + " features, or none; got " +
                                std::to_string(costs.features.size()));
  }
  for (std::size_t f = 0; f < costs.features.size(); ++f) {
    RequireCost(("the cost of feature " + std::to_string(f)).c_str(), costs.features[f]);
  }
  RequireGroups(costs);
}

}  // namespace detail

/// Throws std::invalid_argument unless `limits` make sense for a model.
inline void RequireValid(const ScoreLimits& limits, bool needs_queries, std::size_t n_features) {
  if (needs_queries) throw std::invalid_argument(detail::kNoScoreBeforeTheLastTree);
  if (limits.early_exit.has_value()) {
    const EarlyExit& exit = *limits.early_exit;
    if (exit.every == 0) throw std::invalid_argument("every must be >= 1, got 0");
    if (!(exit.fraction >= 0.0 && exit.fraction < 1.0)) {
      throw std::invalid_argument("fraction must be in [0, 1), got " +
                                  detail::Shown(exit.fraction));
    }
  }
  if (limits.exits.has_value()) {
    if (limits.early_exit.has_value()) {
      throw std::invalid_argument("of early_exit and exits only one can be given");
    }
    Validate(*limits.exits);
  }
  if (limits.budget.has_value() && !(*limits.budget >= 0.0)) {
    throw std::invalid_argument("budget must be >= 0, got " + detail::Shown(*limits.budget));
  }
  detail::RequireCosts(limits.costs, n_features);
}

}  // namespace rankforest
