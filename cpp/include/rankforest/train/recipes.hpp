#pragma once

#include <utility>

#include "rankforest/criterion/newton.hpp"
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

/// Boosted trees on any objective.
template <class Objective>
auto Boosted(const BoostSettings& settings, Objective objective) {
  return Boost(BoostPlan{settings.n_estimators, settings.learning_rate}, std::move(objective),
               GrowerOf(settings.trees), SamplerOf(settings.sample));
}

/// MART (GBRT); with a sample SGBRT; with `max_features` also kSGBRT (Mohan 2010, section 2.3).
inline auto Mart(const MartSettings& settings) {
  return Boosted(settings.boost, SquaredError(settings.init));
}

/// IGBRT: boosting that starts from a random forest (Mohan 2010, section 2.4).
inline auto Igbrt(const IgbrtSettings& settings) {
  return Chain(RandomForest(settings.forest), Boosted(settings.boost, SquaredError()));
}

/// LambdaMART (Burges 2010), with query and feature sampling (BL-MART 2011, section 3.3).
///
/// @param swap  the change of settings.metric under a swap (see VisitSwapDelta)
template <class Swap>
auto LambdaMart(const LambdaMartSettings& settings, Swap swap) {
  return Boosted(settings.boost,
                 LambdaRank<Swap>(std::move(swap), settings.metric, settings.lambda));
}

}  // namespace rankforest
