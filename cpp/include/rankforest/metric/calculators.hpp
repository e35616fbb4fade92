#pragma once

#include <cstddef>
#include <stdexcept>
#include <variant>

#include "rankforest/metric/auc.hpp"
#include "rankforest/metric/average_precision.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/err.hpp"
#include "rankforest/metric/kendall_tau.hpp"
#include "rankforest/metric/mean_ndcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/pair_accuracy.hpp"
#include "rankforest/metric/precision.hpp"
#include "rankforest/metric/rank_biased_precision.hpp"
#include "rankforest/metric/reciprocal_rank.hpp"
#include "rankforest/metric/squared_error.hpp"

namespace rankforest::detail {

// A calculator is the formula of a metric for one query:
//
//   X(const MetricSettings&, DataExtent)
//   void Check(grade) const                    throws "must be ..." for a grade it cannot value
//   double Normaliser(best_first) const        from all grades, descending; 0: the query is empty
//   double Value(ranked_list, normaliser) const
//
// SquaredError alone does not rank: its Value takes scores, grades and weights.

using Calculator =
    std::variant<Dcg, MeanNdcg, AveragePrecision, ExpectedReciprocalRank, Precision, ReciprocalRank,
                 RankBiasedPrecision, Auc, PairAccuracy, KendallTau, SquaredError>;

inline Calculator MakeCalculator(const MetricSettings& settings, const DataExtent& extent) {
  switch (settings.kind) {
    case MetricKind::kNdcg:
    case MetricKind::kDcg:
      return Dcg(settings, extent);
    case MetricKind::kMeanNdcg:
      return MeanNdcg(settings, extent);
    case MetricKind::kMap:
      return AveragePrecision(settings, extent);
    case MetricKind::kErr:
      return ExpectedReciprocalRank(settings, extent);
    case MetricKind::kPrecision:
    case MetricKind::kRecall:
      return Precision(settings, extent);
    case MetricKind::kReciprocalRank:
      return ReciprocalRank(settings, extent);
    case MetricKind::kRankBiasedPrecision:
      return RankBiasedPrecision(settings, extent);
    case MetricKind::kAuc:
      return Auc(settings, extent);
    case MetricKind::kPairAccuracy:
      return PairAccuracy(settings, extent);
    case MetricKind::kKendallTau:
      return KendallTau(settings, extent);
    case MetricKind::kRmse:
      return SquaredError();
  }
  throw std::invalid_argument("this metric has no calculator");
}

}  // namespace rankforest::detail
