#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/pair_counts.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// Kendall's rank correlation of scores and grades: the concordant pairs less the discordant ones
/// over all pairs (tau-a), or over the geometric mean of the pairs whose scores differ and those
/// whose grades differ (tau-b). A query whose grades are all equal is empty.
///
/// Ties in scores: a tied pair is concordant as often as discordant, so tau-a is an expected value;
/// tau-b takes ties as what they are, and is 0 where all scores tie.
///
/// Kendall, "The treatment of ties in ranking problems", Biometrika 1945.
class KendallTau {
 public:
  KendallTau(const MetricSettings& settings, const DataExtent& /*extent*/)
      : variant_(settings.variant) {}

  void Check(double /*grade*/) const {}

  /// The number of pairs of different grades; 0: the query is empty.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return static_cast<double>(PairsOf(best_first.size()) - PairsOfEqualGrades(best_first));
  }

  [[nodiscard]] double Value(const RankedList& list, double pairs) const {
    const PairCounts counts = CountPairs(list);
    const double difference =
        static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant);
    if (difference == 0.0) return 0.0;
    const std::uint64_t all = PairsOf(list.n_documents);
    if (variant_ == TauVariant::kA) return difference / static_cast<double>(all);
    const auto untied = static_cast<double>(all - counts.in_blocks);
    return difference / (std::sqrt(pairs) * std::sqrt(untied));
  }

 private:
  TauVariant variant_;
};

}  // namespace rankforest::detail
