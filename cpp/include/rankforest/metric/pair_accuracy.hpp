#pragma once

#include <cstddef>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/pair_counts.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// The share of a query's pairs of documents of different grades that are ranked in the right
/// order. A pair with tied scores is in it half of the time, and counts half.
class PairAccuracy {
 public:
  PairAccuracy(const MetricSettings& /*settings*/, const DataExtent& /*extent*/) {}

  void Check(double /*grade*/) const {}

  /// The number of pairs; 0: the query is empty.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return static_cast<double>(PairsOf(best_first.size()) - PairsOfEqualGrades(best_first));
  }

  [[nodiscard]] double Value(const RankedList& list, double pairs) const {
    const PairCounts counts = CountPairs(list);
    return (static_cast<double>(counts.concordant) + 0.5 * static_cast<double>(counts.tied)) /
           pairs;
  }
};

}  // namespace rankforest::detail
