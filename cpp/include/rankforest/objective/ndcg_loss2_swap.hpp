#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/gain.hpp"
#include "rankforest/metric/metric.hpp"

namespace rankforest {

/// What a pair weighs in NDCG-Loss2++, a bound of NDCG's loss that is tighter than LambdaRank's:
/// |difference of gains| / ideal DCG x (rho + mu delta). rho is the difference of the discounts of
/// the two ranks, as in LambdaRank; delta that of the discounts of the |i - j|-th and the next
/// rank, so that neighbours weigh most, wherever they are. A swap delta (metric/swap_delta.hpp) of
/// no metric.
///
/// Wang, Li, Golbandi, Bendersky and Najork, "The LambdaLoss framework for ranking metric
/// optimization", CIKM 2018, section 5.3. A cutoff of the metric cuts rho and the ideal DCG alone.
class NdcgLoss2Swap {
 public:
  /// @param metric  NDCG or DCG
  /// @param mu      >= 0; with 0 the weight is that of LambdaRank
  NdcgLoss2Swap(const Metric& metric, double mu)
      : settings_(metric.settings()),
        gain_(settings_.gain, settings_.grade),
        by_rank_(metric),
        mu_(mu) {}

  /// Sets the ranking. MetricRun must accept the grades.
  void Reset(Span<const double> ranked_grades) {
    const std::size_t n = ranked_grades.size();
    by_rank_.Reset(ranked_grades);
    gains_.resize(n);
    for (std::size_t r = 0; r < n; ++r) gains_[r] = gain_(ranked_grades[r]);
    if (steps_.size() >= n) return;
    const std::vector<double> discounts = detail::Discounts(settings_.discount, n + 1);
    steps_.resize(n);
    for (std::size_t d = 0; d < n; ++d) steps_[d] = mu_ * (discounts[d] - discounts[d + 1]);
  }

  /// Whether all gains are equal, or the list is too short to count.
  [[nodiscard]] bool is_flat() const { return by_rank_.is_flat(); }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    const std::size_t distance = std::max(i, j) - std::min(i, j);
    const double delta = distance == 0 ? 0.0 : steps_[distance - 1];
    return by_rank_(i, j) + std::abs(gains_[i] - gains_[j]) * delta * by_rank_.scale();
  }

  /// The pairs of rank i with each of the ranks behind it: out[k] is that with i + 1 + k.
  void Row(std::size_t i, Span<double> out) const {
    by_rank_.Row(i, out);
    const double gain = gains_[i];
    const double scale = by_rank_.scale();
    const double* const gains = gains_.data() + i + 1;
    const double* const steps = steps_.data();
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] += std::abs(gain - gains[k]) * steps[k] * scale;
    }
  }

  /// Every rank counts.
  [[nodiscard]] std::size_t depth() const { return std::numeric_limits<std::size_t>::max(); }

 private:
  MetricSettings settings_;
  detail::GainFunction gain_;
  DcgSwap by_rank_;
  double mu_;
  std::vector<double> gains_;  // by rank
  std::vector<double> steps_;  // [d]: mu delta of ranks that are d + 1 apart
};

}  // namespace rankforest
