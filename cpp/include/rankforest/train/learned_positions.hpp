#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/place_effects.hpp"
#include "rankforest/objective/position_bias.hpp"
#include "rankforest/train/state_saver.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// What one training learns of positions: its effects begin at 0, at those of the model that it
/// goes on from, or where a saved state left them, and are part of the states that it saves.
class LearnedPositions {
 public:
  /// @param settings  whose learning rate does not matter
  /// @param n_places  above each of settings.places
  LearnedPositions(PositionSettings settings, std::size_t n_places)
      : settings_(std::move(settings)),
        effects_(std::make_shared<PlaceEffects>(PlaceEffects::None(n_places))) {}

  /// Goes on from a model.
  ///
  /// @param n_rounds  that it has
  /// @param effects   of places after them, of any number; others have 0
  void GoOnFrom(std::size_t n_rounds, std::vector<double> effects) {
    effects.resize(std::max(effects.size(), effects_->after.front().size()), 0.0);
    *effects_ = {n_rounds, {std::move(effects)}};
  }

  /// Goes on from a state.
  ///
  /// @throws std::invalid_argument  unless it has an effect of each place after its last round
  void GoOnFrom(const TrainingState& state) {
    const PlaceEffects* const saved = state.place_effects ? &*state.place_effects : nullptr;
    const std::size_t n_places = effects_->after.front().size();
    const bool fits =
        saved != nullptr && !saved->after.empty() && saved->last_round() == state.round &&
        std::all_of(saved->after.begin(), saved->after.end(),
                    [&](const std::vector<double>& each) { return each.size() >= n_places; });
    if (!fits) {
      throw std::invalid_argument(
          "the state of a training that learns effects of positions must have one for each of "
          "the " +
          std::to_string(n_places) + " positions after round " + std::to_string(state.round));
    }
    *effects_ = *saved;
  }

  /// An objective that learns them; for one run.
  [[nodiscard]] AnyObjective Wrapped(AnyObjective objective, double learning_rate) const {
    PositionSettings settings = settings_;
    settings.learning_rate = learning_rate;
    return AnyObjective(PositionBias(std::move(objective), std::move(settings), effects_));
  }

  /// Makes them part of the states that a training saves: those after its last round, and after all
  /// rounds that early stopping may still keep.
  void AddTo(Checkpoints& checkpoints) const {
    checkpoints.complete = [effects = effects_](TrainingState& state) {
      const bool may_keep_fewer = state.best.has_value() && state.best->best > 0;
      state.place_effects =
          effects->Between(may_keep_fewer ? state.best->best : state.round, state.round);
    };
  }

  /// The effect of each place after round `round`.
  [[nodiscard]] const std::vector<double>& After(std::size_t round) const {
    return effects_->After(round);
  }

 private:
  PositionSettings settings_;
  std::shared_ptr<PlaceEffects> effects_;
};

}  // namespace rankforest
