#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/score/limits.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/rounds.hpp"

namespace rankforest::detail {

/// What the rounds of a model cost for each document that is in play: its trees, and the features
/// that no earlier round has asked for. Works in the memory of a run, and is copied for free.
class RoundCosts {
 public:
  RoundCosts(const Rounds& rounds, const ScoringCosts& costs, PlayMemory& memory)
      : rounds_(&rounds), tree_(costs.tree), charges_(&memory.charges) {
    memory.charges.clear();
    if (costs.features.empty()) return;
    memory.paid.assign(costs.groups.size(), 0);
    for (const auto& [round, feature] : rounds.first_uses()) {
      if (!costs.groups.empty()) {
        char& is_paid = memory.paid[costs.groups[feature]];
        if (is_paid != 0) continue;
        is_paid = 1;
      }
      memory.charges.emplace_back(round, costs.features[feature]);
    }
  }

  /// The cost of what comes before the first round: the features of linear parts.
  [[nodiscard]] double AtStart() const {
    double cost = 0.0;
    for (const auto& [round, of_feature] : *charges_) cost += round == 0 ? of_feature : 0.0;
    return cost;
  }

  /// The cost of the round behind `round`. Rounds must be asked for in ascending order.
  double After(std::size_t round) {
    double cost =
        tree_ * static_cast<double>(rounds_->n_trees(round + 1) - rounds_->n_trees(round));
    while (next_ < charges_->size() && (*charges_)[next_].first <= round) ++next_;
    for (std::size_t i = next_; i < charges_->size() && (*charges_)[i].first == round + 1; ++i) {
      cost += (*charges_)[i].second;
    }
    return cost;
  }

 private:
  const Rounds* rounds_;
  double tree_;
  const std::vector<std::pair<std::size_t, double>>* charges_;  // (round, cost), by round
  std::size_t next_ = 0;                                        // among them
};

}  // namespace rankforest::detail
