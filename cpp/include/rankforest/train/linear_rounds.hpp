#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest {

/// The linear models that a training goes through, one after each round. Lets the monitor measure
/// each, and gives the one to keep.
class LinearRounds {
 public:
  LinearRounds(Monitor& monitor, Threads threads) : monitor_(monitor), threads_(threads) {
    monitor.BeginAnew();
  }

  /// Takes in the model after a round. Returns whether to go on.
  bool Add(Linear linear) {
    std::vector<std::vector<double>> scores;
    for (const Watch& watch : monitor_.watches()) {
      scores.emplace_back(watch.data->n_documents(), 0.0);
      AddLinear(linear, *watch.data, threads_, scores.back());
    }
    models_.push_back(std::move(linear));
    return monitor_.AfterScores(std::move(scores));
  }

  [[nodiscard]] std::size_t size() const { return models_.size(); }

  /// The model of the round that early stopping keeps; without it that of round `otherwise`,
  /// from 1.
  [[nodiscard]] Member Kept(std::size_t otherwise) const {
    monitor_.Keep(otherwise);
    const std::size_t kept = monitor_.RoundsToKeep();
    return kept == 0 ? Member{} : Member{0.0, {}, models_[kept - 1]};
  }

 private:
  Monitor& monitor_;
  Threads threads_;
  std::vector<Linear> models_;
};

}  // namespace rankforest
