#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/place_effects.hpp"

namespace rankforest {

/// Where documents were shown, and how fast the effects of positions are learned.
struct PositionSettings {
  std::vector<std::uint32_t> places;  ///< of each document in canonical order; 0 is the top
  double learning_rate = 0.1;         ///< factor on each step, in (0, 1]
  double regularization = 0.0;        ///< >= 0; of the penalty regularization / 2 x effect^2 for
                                      ///< each document
};

/// Another objective, on scores to which the place of a document adds an effect.
///
/// Users click what they look at, so clicks depend on places as well as on documents. The effect
/// takes the share of places, so that trees do not learn it. Effects begin where those that are
/// known end, as a rule at 0. After each round that of a place makes one Newton step, by the sums
/// of the gradients g and hessians h of its n documents in the sample:
///
///     effect -= learning_rate x (sum of g + regularization n effect) /
///               (sum of h + regularization n)
///
/// A place whose divisor is 0 keeps its effect. Sums are taken document by document, in the order
/// of the sample: their bits do not depend on the number of threads. A run must be asked for
/// gradients once a round, which a sampler that looks at gradients itself does not keep to.
class PositionBias {
 public:
  /// @param inner    gets the scores with effects
  /// @param effects  of more places than settings.places name; gets those after each round of a run
  ///                 appended
  PositionBias(AnyObjective inner, PositionSettings settings, std::shared_ptr<PlaceEffects> effects)
      : inner_(std::move(inner)), settings_(std::move(settings)), effects_(std::move(effects)) {}

  class Run;

  [[nodiscard]] Run Start(const TrainingSet& training) const;

 private:
  AnyObjective inner_;
  PositionSettings settings_;
  std::shared_ptr<PlaceEffects> effects_;
};

class PositionBias::Run {
 public:
  Run(const PositionBias& objective, const TrainingSet& training)
      : inner_(objective.inner_.Start(training)),
        settings_(objective.settings_),
        history_(objective.effects_),
        effects_(history_->after.back()) {}

  [[nodiscard]] double BaseScore(const RowSample& sample) const { return inner_.BaseScore(sample); }

  /// Writes out[r] for each document of the sample, and makes the step of the round.
  void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                 const Rng& rng) {
    scores_.assign(scores.begin(), scores.end());
    for (const RowId row : sample.rows) scores_[row] += effects_[settings_.places[row]];
    inner_.Gradients(sample, scores_, out, rng);
    Step(sample, out);
    history_->after.push_back(effects_);
  }

 private:
  struct Sums {
    double grad = 0.0;
    double hess = 0.0;
    double count = 0.0;
  };

  void Step(const RowSample& sample, Span<const GradientPair> gradients) {
    sums_.assign(effects_.size(), {});
    for (const RowId row : sample.rows) {
      Sums& sums = sums_[settings_.places[row]];
      sums.grad += gradients[row].grad;
      sums.hess += gradients[row].hess;
      sums.count += 1.0;
    }
    for (std::size_t p = 0; p < effects_.size(); ++p) {
      const double penalty = settings_.regularization * sums_[p].count;
      const double divisor = sums_[p].hess + penalty;
      if (!(divisor > 0.0)) continue;
      effects_[p] -= settings_.learning_rate * ((sums_[p].grad + penalty * effects_[p]) / divisor);
    }
  }

  AnyObjective::Run inner_;
  PositionSettings settings_;
  std::shared_ptr<PlaceEffects> history_;
  std::vector<double> effects_;  // of each place
  std::vector<double> scores_;   // with effects
  std::vector<Sums> sums_;
};

inline PositionBias::Run PositionBias::Start(const TrainingSet& training) const {
  return Run(*this, training);
}

}  // namespace rankforest
