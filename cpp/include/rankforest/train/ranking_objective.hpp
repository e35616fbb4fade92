#pragma once

#include <stdexcept>

#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/decayed_difference.hpp"
#include "rankforest/objective/lambda_rank.hpp"
#include "rankforest/objective/ndcg_loss2_swap.hpp"
#include "rankforest/objective/pair_weights.hpp"
#include "rankforest/objective/xe_ndcg.hpp"
#include "rankforest/objective/yeti_rank.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

namespace detail {

/// Throws unless the metric is a kind of DCG.
inline void RequireDcg(const Metric& metric) {
  if (metric.kind() == MetricKind::kNdcg || metric.kind() == MetricKind::kDcg) return;
  throw std::invalid_argument("metric must be ndcg or dcg for objective=\"ndcg_loss2++\", got " +
                              metric.ToString());
}

}  // namespace detail

/// What LambdaMART learns from: the objective of its settings.
///
/// @param function  weighs the pairs, beside the weights of their documents
/// @throws std::invalid_argument  if the objective weighs pairs by the metric, and no swap of two
///                                documents is defined for it; if a function is to weigh the pairs
///                                of an objective that has none
inline AnyObjective RankingObjectiveOf(const LambdaMartSettings& settings,
                                       const PairFunction& function = {}) {
  const Metric& metric = settings.metric;
  switch (settings.objective) {
    case RankingObjective::kYetiRank:
      return AnyObjective(YetiRank(DecayedDifference(settings.yeti.decay), settings.yeti,
                                   settings.lambda, {}, function));
    case RankingObjective::kYetiLoss:
      return VisitSwapDelta(metric, [&](auto swap) {
        return AnyObjective(
            YetiRank(std::move(swap), settings.yeti, settings.lambda, metric, function));
      });
    case RankingObjective::kXeNdcg:
      if (function) throw std::invalid_argument("objective=\"xe_ndcg\" has no pairs to weigh");
      return AnyObjective(XeNdcg(settings.lambda.leaf));
    case RankingObjective::kNdcgLoss2:
      detail::RequireDcg(metric);
      return AnyObjective(
          LambdaRank(NdcgLoss2Swap(metric, settings.mu), metric, settings.lambda, function));
    case RankingObjective::kLambdaRank:
      break;
  }
  return VisitSwapDelta(metric, [&](auto swap) {
    return AnyObjective(LambdaRank(std::move(swap), metric, settings.lambda, function));
  });
}

}  // namespace rankforest
