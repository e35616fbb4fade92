#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

struct RunOptions {
  std::uint64_t seed = 0;
  Threads threads;  ///< never changes the result
  MonitorSettings monitor;
  /// Training goes on from this model; its rounds come first in the result and count as rounds. Of
  /// the same recipe with fewer rounds on the same data, the result is that of training all rounds
  /// at once. Boosting also goes on from any other model of one member, on any data with the same
  /// features. No members: training starts afresh. A bag goes on from a smaller one.
  Ensemble trained;
  /// What boosting adds to, by document in canonical order (see InitialScores), and no part of the
  /// model. Empty: 0 everywhere. Sets that are watched have theirs in Watch.
  std::vector<double> initial_scores = {};
  /// What features cost, for settings with a cost_weight above 0. Features that `trained` uses are
  /// paid; each member of a bag pays for itself.
  std::optional<FeatureCosts> feature_costs = {};
  /// What models may make of the features. `trained` need not keep to it, each member of a bag does
  /// so by itself.
  std::optional<FeatureConstraints> constraints = {};
  /// Train so many models of the recipe instead of one: see BagTraining.
  std::optional<BagSettings> bag = {};
  /// Whether members of a bag may be trained at the same time: not where the recipe calls a
  /// function that only one thread at a time may. Never changes the result.
  bool members_at_once = true;
  /// What `trained` keeps of its problems, where it is an ordinal model.
  std::optional<Ordinal> trained_ordinal = {};
  /// Training goes on from this state of a run with these very options, on this data, to the result
  /// of that run; it replaces `trained`.
  std::optional<TrainingState> resumed = {};
};

/// As a TrainingSet has them, of the options' life.
inline const FeatureCosts* CostsOf(const RunOptions& options) {
  return options.feature_costs ? &*options.feature_costs : nullptr;
}

/// Likewise.
inline const FeatureConstraints* ConstraintsOf(const RunOptions& options) {
  return options.constraints ? &*options.constraints : nullptr;
}

/// What a run made.
struct Trained {
  Ensemble ensemble;                 ///< of a bag: a pool of its members, for BagOf
  std::vector<RoundReport> history;  ///< of the evaluated rounds; of a bag: of its first members
  bool stopped_early = false;
  std::size_t rounds_kept =
      0;  ///< whose model it is; a forest's trees count as rounds; of a bag: 0
  std::vector<BagMember> members = {};  ///< of a bag: of those that were trained now
  std::optional<Ordinal> ordinal = {};  ///< of an ordinal model
  /// What else is known of the model, by name, such as the value of an objective.
  std::map<std::string, double> figures = {};
  /// The same for what has a value for each iteration.
  std::map<std::string, std::vector<double>> series = {};
};

}  // namespace rankforest
