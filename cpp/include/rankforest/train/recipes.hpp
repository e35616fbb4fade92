#pragma once

#include <utility>

#include "rankforest/criterion/newton.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/lambda_rank.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/sampler.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/combinators.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/tree/grower.hpp"

namespace rankforest {

// Every published algorithm is one sentence over the same parts.

inline Sampler SamplerOf(const SampleSettings& settings) {
  if (settings.unit == SampleUnit::kQuery) {
    return settings.fraction < 1.0 ? Sampler(SubsampleQueries{settings.fraction}) : Sampler();
  }
  if (settings.with_replacement) return Sampler(Bootstrap{settings.fraction});
  return settings.fraction < 1.0 ? Sampler(SubsampleRows{settings.fraction}) : Sampler();
}

template <class Threshold = BestThreshold>
TreeGrower<Newton, Threshold> GrowerOf(const TreeSettings& settings) {
  return {settings.limits, settings.max_features,
          Newton{settings.l2_regularization, settings.min_hessian}, settings.tree_method};
}

/// A mean of trees on the grades: the forests of Breiman 2001 and, with random thresholds, of
/// Geurts et al. 2006 (Mohan 2010, section 2.1).
template <class Threshold>
auto Forest(const ForestSettings& settings) {
  return Once(
      SquaredError(InitialScore::kZero),
      Bag(settings.n_estimators, GrowerOf<Threshold>(settings.trees), SamplerOf(settings.sample)));
}

inline auto RandomForest(const ForestSettings& settings) { return Forest<BestThreshold>(settings); }

inline auto ExtraTrees(const ForestSettings& settings) { return Forest<RandomThreshold>(settings); }

/// Boosted trees on any objective. One type for all of them: an objective is asked once per round.
inline auto Boosted(const BoostSettings& settings, AnyObjective objective) {
  return Boost(BoostPlan{settings.n_estimators, settings.learning_rate}, std::move(objective),
               GrowerOf(settings.trees), SamplerOf(settings.sample));
}

/// MART (GBRT); with a sample SGBRT; with `max_features` also kSGBRT (Mohan 2010, section 2.3).
inline auto Mart(const MartSettings& settings) {
  return Boosted(settings.boost, AnyObjective(SquaredError(settings.init)));
}

/// IGBRT: boosting that starts from a random forest (Mohan 2010, section 2.4).
inline auto Igbrt(const IgbrtSettings& settings) {
  return Chain(RandomForest(settings.forest), Boosted(settings.boost, AnyObjective(SquaredError())));
}

/// The lambdas of settings.metric.
///
/// @throws std::invalid_argument  if no swap of two documents is defined for the metric
inline AnyObjective Lambdas(const LambdaMartSettings& settings) {
  return VisitSwapDelta(settings.metric, [&](auto swap) {
    return AnyObjective(LambdaRank(std::move(swap), settings.metric, settings.lambda));
  });
}

/// LambdaMART (Burges 2010), with query and feature sampling (BL-MART 2011, section 3.3).
inline auto LambdaMart(const LambdaMartSettings& settings) {
  return Boosted(settings.boost, Lambdas(settings));
}

}  // namespace rankforest
