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
  /// What is known so far.
  struct Found {
    std::size_t best = 0;     ///< round; 0: none yet
    double value = 0.0;       ///< of that round
    std::size_t beyond = 0;   ///< the first round behind the best beyond the tolerance; 0: none yet
    bool is_settled = false;  ///< whether `patience` rounds have passed since the best one
  };

  /// @param patience   rounds without a better value that settle which round is the best
  /// @param min_delta  a value is better if it betters the best so far by more than this
  BestRound(std::uint32_t patience, double min_delta, OverfitSettings overfit)
      : patience_(patience), min_delta_(min_delta), overfit_(overfit) {}

  /// Takes in the value after a round, counted from 1; not NaN.
  void Update(std::size_t round, double value, bool maximize) {
    const double improvement = maximize ? value - found_.value : found_.value - value;
    if (found_.best == 0 || (!found_.is_settled && improvement > min_delta_)) {
      found_.best = round;
      found_.value = value;
      found_.beyond = 0;
    } else if (overfit_.tolerance.has_value() && found_.beyond == 0 &&
               -improvement > *overfit_.tolerance * std::abs(found_.value)) {
      found_.beyond = round;
    }
    found_.is_settled = found_.is_settled || round - found_.best >= patience_;
  }

  [[nodiscard]] const Found& found() const { return found_; }
  /// Goes on from what was known.
  void Restore(const Found& found) { found_ = found; }

  /// Whether there is nothing to train on for.
  ///
  /// @param round  the last one, as of Update
  [[nodiscard]] bool IsOver(std::size_t round) const {
    if (!found_.is_settled || !overfit_.tolerance.has_value()) return found_.is_settled;
    return found_.beyond > 0 || round - found_.best >= overfit_.max_rounds;
  }

  /// How many of `round` rounds to keep: all where none was measured.
  [[nodiscard]] std::size_t RoundsToKeep(std::size_t round) const {
    if (found_.best == 0) return round;
    if (!overfit_.tolerance.has_value()) return found_.best;
    const std::size_t within = found_.beyond > 0 ? found_.beyond - 1 : round;
    return std::min(within, found_.best + overfit_.max_rounds);
  }

 private:
  std::uint32_t patience_;
  double min_delta_;
  OverfitSettings overfit_;
  Found found_;
};

}  // namespace rankforest
