#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/train/best_round.hpp"
#include "rankforest/train/state_saver.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// A figure that a run reports about a data set; called once per round.
struct WatchedMetric {
  std::string name;
  bool maximize = true;
  std::function<double(Span<const double> scores)> evaluate;  ///< scores in canonical order
  /// Makes `evaluate` with memory of its own, for a run at the same time as others. Empty: there
  /// can be no two, and the members of a bag are trained one after the other.
  std::function<std::function<double(Span<const double> scores)>()> renew = {};
};

/// A data set that a run is evaluated on.
struct Watch {
  std::string name;
  const Dataset* data = nullptr;
  std::vector<WatchedMetric> metrics;
  /// What boosting adds to, by document in canonical order. Empty: 0 everywhere.
  std::vector<double> initial_scores = {};
};

struct MonitorSettings {
  std::vector<Watch> watches;
  /// Stop boosting after so many rounds without a better value of the first metric of the stopping
  /// watch. A forest does not overfit with more trees: it is never stopped.
  std::optional<std::uint32_t> early_stopping_rounds;
  /// A value is better if it betters the best so far by more than this, >= 0.
  double min_delta = 0.0;
  OverfitSettings overfit;  ///< rounds behind the best one to keep; of early stopping alone
  /// The position in `watches` of the one that decides.
  std::size_t stopping_watch = 0;
  std::function<bool(const RoundReport&)> on_round;  ///< returns false to stop; may be empty
  Checkpoints checkpoints;  ///< of training on all documents; members of a bag have none
};

}  // namespace rankforest
