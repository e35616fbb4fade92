#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// When the state of a training is saved, and how.
struct Checkpoints {
  std::size_t every = 1;  ///< so many rounds; of a bag, each member
  /// Keeps a state; what it throws ends the training. Empty: nothing is saved.
  std::function<void(const TrainingState&)> save = {};
  /// Called between two rounds, before saving. Where it throws, the rounds so far are saved, and
  /// the exception ends the training. May be empty.
  std::function<void()> poll = {};
  /// Adds to a state what a part of the training knows, before it is saved. May be empty.
  std::function<void(TrainingState&)> complete = {};
};

/// Saves the states of a training as its settings say, each once.
class StateSaver {
 public:
  explicit StateSaver(Checkpoints checkpoints) : checkpoints_(std::move(checkpoints)) {}

  /// Goes on behind a state that was saved.
  void Restore(std::size_t round) { saved_ = round; }

  /// To be called between two rounds.
  ///
  /// @param round  so far
  /// @param state  () -> TrainingState
  template <class State>
  void BetweenRounds(std::size_t round, const State& state) {
    if (!checkpoints_.save) return;
    try {
      if (checkpoints_.poll) checkpoints_.poll();
    } catch (...) {
      Save(round, state);
      throw;
    }
    if (round >= saved_ + checkpoints_.every) Save(round, state);
  }

  /// Saves now, unless this round was.
  template <class State>
  void Save(std::size_t round, const State& state) {
    if (!checkpoints_.save || saved_ == round) return;
    saved_ = round;
    TrainingState whole = state();
    if (checkpoints_.complete) checkpoints_.complete(whole);
    checkpoints_.save(whole);
  }

 private:
  Checkpoints checkpoints_;
  std::size_t saved_ = 0;  // round
};

}  // namespace rankforest
