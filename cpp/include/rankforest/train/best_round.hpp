#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace rankforest {

/// Which rounds behind the best one are kept: models that are bagged may overfit (Ganjisaffar,
/// Caruana and Lopes, "Bagging gradient-boosted trees for high precision, low variance ranking
/// models", SIGIR 2011, section 3.5.2).
struct OverfitSettings {
  /// By what share of the best value a kept round may be worse, >= 0. None: the best round is the
  /// last one kept.
  std::optional<double> tolerance;
  std::uint32_t max_rounds = 250;  ///< rounds kept behind the best one at most, >= 1
};

/// Finds the best round of boosting, and says when to stop looking and how many rounds to keep.
///
/// The best round is the first one with the best value, once `patience` rounds behind it were no
/// better. With a tolerance training then goes on, but no longer looks for a better round: the
/// tolerance adds rounds behind the one that the patience decides on and never moves it. Added are
/// the rounds up to the first whose value is worse than the best by more than the tolerance, that
/// one left out, and OverfitSettings::max_rounds at most. So a model without tolerance is a prefix
/// of the one with it.
class BestRound {
 public:
  /// @param patience   rounds without a better value that settle which round is the best
  /// @param min_delta  a value is better if it betters the best so far by more than this
  BestRound(std::uint32_t patience, double min_delta, OverfitSettings overfit)
      : patience_(patience), min_delta_(min_delta), overfit_(overfit) {}

  /// Takes in the value after a round, counted from 1; not NaN.
  void Update(std::size_t round, double value, bool maximize) {
    const double improvement = maximize ? value - best_value_ : best_value_ - value;
    if (best_ == 0 || (!is_settled_ && improvement > min_delta_)) {
      best_ = round;
      best_value_ = value;
      beyond_ = 0;
    } else if (overfit_.tolerance.has_value() && beyond_ == 0 &&
               -improvement > *overfit_.tolerance * std::abs(best_value_)) {
      beyond_ = round;
    }
    is_settled_ = is_settled_ || round - best_ >= patience_;
  }

  /// Whether there is nothing to train on for.
  ///
  /// @param round  the last one, as of Update
  [[nodiscard]] bool IsOver(std::size_t round) const {
    if (!is_settled_ || !overfit_.tolerance.has_value()) return is_settled_;
    return beyond_ > 0 || round - best_ >= overfit_.max_rounds;
  }

  /// How many of `round` rounds to keep: all where none was measured.
  [[nodiscard]] std::size_t RoundsToKeep(std::size_t round) const {
    if (best_ == 0) return round;
    if (!overfit_.tolerance.has_value()) return best_;
    const std::size_t within = beyond_ > 0 ? beyond_ - 1 : round;
    return std::min(within, best_ + overfit_.max_rounds);
  }

 private:
  std::uint32_t patience_;
  double min_delta_;
  OverfitSettings overfit_;
  std::size_t best_ = 0;  // 0: none yet
  double best_value_ = 0.0;
  std::size_t beyond_ = 0;   // the first round behind the best beyond the tolerance; 0: none yet
  bool is_settled_ = false;  // whether `patience_` rounds have passed since the best one
};

}  // namespace rankforest
