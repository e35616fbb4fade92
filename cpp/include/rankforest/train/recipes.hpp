#pragma once

#include <type_traits>
#include <utility>

#include "rankforest/criterion/newton.hpp"
#include "rankforest/criterion/settings.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/mean_relevance.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/sampler.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/combinators.hpp"
#include "rankforest/train/dropout_sum.hpp"
#include "rankforest/train/ranking_objective.hpp"
#include "rankforest/train/samplers.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/tree/any_grower.hpp"
#include "rankforest/tree/graded_grower.hpp"
#include "rankforest/tree/graded_search.hpp"
#include "rankforest/tree/grower.hpp"

namespace rankforest {

// Every published algorithm is one sentence over the same parts.

/// Of boosting: squared error and its second-order kin.
inline TreeGrower<> GrowerOf(const TreeSettings& settings) {
  return {settings.limits, settings.max_features,
          Newton{settings.l2_regularization, settings.min_hessian}, settings.tree_method};
}

/// Of forests: any criterion.
template <class Threshold>
AnyGrower GrowerOf(const ForestSettings& settings) {
  TreeSettings trees = settings.trees;
  trees.limits.weightless_leaf = WeightlessLeaf::kParent;
  if (settings.criterion.kind == SplitCriterion::kSquaredError) {
    return AnyGrower(TreeGrower<Newton, Threshold>(
        trees.limits, trees.max_features, Newton{trees.l2_regularization, trees.min_hessian},
        trees.tree_method));
  }
  constexpr bool kIsRandom = std::is_same_v<Threshold, RandomThreshold>;
  return AnyGrower(GradedGrower(trees.limits, trees.max_features, settings.criterion,
                                kIsRandom ? ThresholdRule::kDrawn : ThresholdRule::kEvery,
                                settings.relevance, trees.tree_method));
}

/// A mean of trees on the grades: the forests of Breiman 2001 and, with random thresholds, of
/// Geurts et al. 2006 (Mohan 2010, section 2.1; Ibrahim 2020, section 5).
template <class Threshold>
auto Forest(const ForestSettings& settings) {
  return Once(MeanRelevance(settings.relevance),
              Bag(settings.n_estimators, GrowerOf<Threshold>(settings), SamplerOf(settings.sample),
                  settings.cost_stage));
}

inline auto RandomForest(const ForestSettings& settings) { return Forest<BestThreshold>(settings); }

inline auto ExtraTrees(const ForestSettings& settings) { return Forest<RandomThreshold>(settings); }

/// Boosted trees on any objective. One type for all of them: an objective is asked once per round.
inline auto Boosted(const BoostSettings& settings, AnyObjective objective, Sampler sampler) {
  return Boost(BoostPlan{settings.n_estimators, settings.learning_rate}, std::move(objective),
               GrowerOf(settings.trees), std::move(sampler));
}
inline auto Boosted(const BoostSettings& settings, AnyObjective objective) {
  return Boosted(settings, std::move(objective), SamplerOf(settings.sample));
}

/// MART (GBRT); with a sample SGBRT; with `max_features` also kSGBRT (Mohan 2010, section 2.3).
inline auto Mart(const MartSettings& settings) {
  return Boosted(settings.boost, AnyObjective(SquaredError(settings.init)));
}

/// IGBRT: boosting that starts from a random forest (Mohan 2010, section 2.4).
inline auto Igbrt(const IgbrtSettings& settings) {
  return Chain(RandomForest(settings.forest),
               Boosted(settings.boost, AnyObjective(SquaredError())));
}

/// LambdaMART (Burges 2010), with query and feature sampling (BL-MART 2011, section 3.3), on the
/// ranking objective of its settings.
inline auto LambdaMart(const LambdaMartSettings& settings) {
  return Boosted(settings.boost, RankingObjectiveOf(settings));
}

/// SelGB, NegSGB and their kin: LambdaMART on all positives and some negatives of each query
/// (Lucchese et al. 2018, sections 4 and 5.3).
inline auto SelGb(const SelGbSettings& settings, const PairFunction& function = {}) {
  const BoostSettings& boost = settings.lambdamart.boost;
  return Boosted(boost, RankingObjectiveOf(settings.lambdamart, function),
                 SamplerOf(boost.sample, settings.negatives));
}

/// Boosted trees of which each round drops some.
inline auto BoostedWithDropout(const BoostSettings& settings, const DropSettings& drop,
                               AnyObjective objective) {
  return Boost(BoostPlan{settings.n_estimators, settings.learning_rate}, std::move(objective),
               GrowerOf(settings.trees), SamplerOf(settings.sample), DropoutSum(drop));
}

/// DART on the ranking objective of LambdaMART (Vinayak and Gilad-Bachrach 2015) and, where dropped
/// trees may stay out, X-DART (Lucchese et al. 2017).
inline auto Dart(const DartSettings& settings) {
  return BoostedWithDropout(settings.lambdamart.boost, settings.drop,
                            RankingObjectiveOf(settings.lambdamart));
}

}  // namespace rankforest
