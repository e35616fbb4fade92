#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/objective/place_effects.hpp"
#include "rankforest/train/best_round.hpp"

namespace rankforest {

/// What is known after a round.
struct RoundReport {
  std::size_t round = 0;                    ///< rounds trained so far
  std::size_t n_rounds = 0;                 ///< rounds that were asked for
  std::vector<std::vector<double>> values;  ///< by watch and metric; empty where not evaluated
};

/// How a member of a bag was trained.
struct BagMember {
  std::uint64_t seed = 0;              ///< training with it, on these queries alone, is the same
  std::vector<std::uint32_t> queries;  ///< by position in canonical order, ascending
  std::vector<RoundReport> history;    ///< of its rounds
  bool stopped_early = false;
};

/// What was grown so far.
struct GrownSoFar {
  /// With all rounds: one member; of an ordinal model one for each problem, as it is trained; of a
  /// bag those of its pool.
  std::vector<Member> members;
  /// The model of the rounds to keep, where it is not the first rounds of the member: with dropout,
  /// later rounds change what earlier ones weigh.
  std::optional<Member> kept = {};
};

/// How far a training has come. With the same data, settings and seed it goes on from there to the
/// very bits of one that was never interrupted: what a round draws depends on its number, scores
/// are sums in the order of the trees, and the rest is here.
struct TrainingState {
  std::size_t round = 0;  ///< rounds so far; of a bag: members
  GrownSoFar grown;
  std::vector<RoundReport> history;           ///< of the rounds that were evaluated
  std::optional<BestRound::Found> best = {};  ///< where training may stop early
  std::vector<BagMember> bag = {};            ///< of a bag: of the members that this training made
  std::optional<Ordinal> ordinal = {};        ///< of a bag of ordinal models: of its pool
  /// Where effects of positions are learned: from the first round that may be kept to this one.
  std::optional<PlaceEffects> place_effects = {};
};

/// Throws std::invalid_argument unless the histories of a state have a value for each metric.
///
/// @param n_metrics  of each watch
inline void RequireValues(const std::vector<RoundReport>& history,
                          const std::vector<std::size_t>& n_metrics) {
  for (const RoundReport& report : history) {
    bool fits = report.values.size() == n_metrics.size();
    for (std::size_t w = 0; fits && w < n_metrics.size(); ++w) {
      fits = report.values[w].size() == n_metrics[w];
    }
    if (fits) continue;
    throw std::invalid_argument(
        "the state of a training must have a value for each metric of each "
        "watched set after round " +
        std::to_string(report.round));
  }
}

}  // namespace rankforest
