#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/gain.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// The mean of NDCG@1, NDCG@2, ..., NDCG@n for a query of n documents, as LETOR's scripts print
/// it. Ties as in Dcg, for each cutoff.
class MeanNdcg {
 public:
  MeanNdcg(const MetricSettings& settings, const DataExtent& extent)
      : gain_(settings.gain, settings.grade),
        discounts_(Discounts(settings.discount, extent.longest)) {}

  void Check(double grade) const { gain_.Check(grade); }

  /// The sum of the gains: 0 for an empty query, infinite if it is beyond float64.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    double sum = 0.0;
    for (const double grade : best_first) sum += gain_(grade);
    return sum;
  }

  [[nodiscard]] double Value(const RankedList& list, double /*normaliser*/) const {
    std::vector<double> best(list.grades.begin(), list.grades.end());
    std::sort(best.begin(), best.end(), std::greater<>());
    double sum = 0.0;
    double dcg = 0.0;
    double ideal = 0.0;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      double gains = 0.0;
      for (std::size_t r = begin; r < end; ++r) gains += gain_(list.grades[r]);
      const double mean = gains / static_cast<double>(end - begin);
      for (std::size_t r = begin; r < end; ++r) {
        dcg += mean * discounts_[r];
        ideal += gain_(best[r]) * discounts_[r];
        sum += std::min(dcg / ideal, 1.0);
      }
      begin = end;
    }
    return sum / static_cast<double>(list.n_documents);
  }

 private:
  GainFunction gain_;
  std::vector<double> discounts_;  // by rank
};

}  // namespace rankforest::detail
