#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "rankforest/metric/auc.hpp"
#include "rankforest/metric/average_precision.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/err.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/precision.hpp"
#include "rankforest/metric/rank_biased_precision.hpp"
#include "rankforest/metric/reciprocal_rank.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest {

// A swap delta says by how much a metric of one query changes when two documents swap ranks:
//
//   explicit XSwap(const Metric&)
//   void Reset(Span<const double> ranked_grades)   best rank first; O(n log n) at most
//   bool is_flat() const                           then every swap's change is 0
//   double operator()(i, j) const                  |change|, ranks counted from 0; O(1)
//   void Row(i, Span<double> out) const            out[k] = that of (i, i + 1 + k); may be absent
//   std::size_t depth() const                      ranks that count, the same for every ranking
//
// Equal grades swap for nothing. So do two ranks that are both at depth() or beyond, and the order
// of the documents there changes no other swap: a ranking needs to be sorted only so far. A swap
// delta knows ranks, so ties are out of its sight, and skipped (empty) queries are flat.

namespace detail {

/// Refuses a key whose effect a swap delta does not know.
inline void RefuseSwap(const Metric& metric, bool refused, const char* instead) {
  if (!refused) return;
  throw std::invalid_argument("metric=" + metric.ToString() +
                              " has no change that a swap of two documents decides; use " +
                              instead);
}

}  // namespace detail

/// Calls `visitor` with the swap delta of the metric and returns what it returns.
/// @throws std::invalid_argument for a metric without one
template <class Visitor>
auto VisitSwapDelta(const Metric& metric, Visitor&& visitor) {
  switch (metric.kind()) {
    case MetricKind::kNdcg:
    case MetricKind::kDcg:
      return std::forward<Visitor>(visitor)(DcgSwap(metric));
    case MetricKind::kMap:
      detail::RefuseSwap(metric, metric.settings().divisor == Divisor::kFound,
                         "divisor=min or divisor=relevant");
      return std::forward<Visitor>(visitor)(AveragePrecisionSwap(metric));
    case MetricKind::kErr:
      detail::RefuseSwap(metric, metric.settings().gmax.source == HighestGrade::Source::kData,
                         "gmax=NUMBER or gmax=query");
      return std::forward<Visitor>(visitor)(ErrSwap(metric));
    case MetricKind::kPrecision:
    case MetricKind::kRecall:
      return std::forward<Visitor>(visitor)(PrecisionSwap(metric));
    case MetricKind::kReciprocalRank:
      return std::forward<Visitor>(visitor)(ReciprocalRankSwap(metric));
    case MetricKind::kRankBiasedPrecision:
      return std::forward<Visitor>(visitor)(RankBiasedPrecisionSwap(metric));
    case MetricKind::kAuc:
      detail::RefuseSwap(metric, !(metric.settings().fpr == FalsePositiveRange{}), "fpr=0;1");
      return std::forward<Visitor>(visitor)(AucSwap(metric));
    case MetricKind::kMeanNdcg:
    case MetricKind::kPairAccuracy:
    case MetricKind::kKendallTau:
    case MetricKind::kRmse:
      break;
  }
  throw std::invalid_argument("metric=" + metric.ToString() +
                              " has no change under a swap of two documents; use one of ndcg dcg "
                              "map err p recall mrr rbp auc");
}

}  // namespace rankforest
