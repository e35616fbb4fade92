#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/gain.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/ranked_list.hpp"

namespace rankforest {

namespace detail {

/// DCG@k = sum over ranks r < k of gain(grade at r) x discount(r), and NDCG@k = DCG@k / that of
/// the ranking by descending grade.
///
/// Ties: every rank of a tied block is worth the mean gain of the block (expectation is linear),
/// also where k cuts the block.
///
/// Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002;
/// McSherry and Najork, "Computing information retrieval performance measures efficiently in the
/// presence of tied scores", ECIR 2008, section 2.6.
class Dcg {
 public:
  Dcg(const MetricSettings& settings, const DataExtent& extent)
      : gain_(settings.gain, settings.grade),
        discounts_(Discounts(settings.discount, std::min(settings.cutoff, extent.longest))),
        longest_for_zero_(settings.short_list == ShortList::kZero ? settings.cutoff : 0),
        normalise_(settings.kind == MetricKind::kNdcg) {}

  void Check(double grade) const { gain_.Check(grade); }

  /// The DCG of the ideal ranking: 0 for an empty query, infinite if the gains add up to more
  /// than float64 holds.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    if (best_first.empty()) return 0.0;
    double ideal = 0.0;
    for (std::size_t r = 0; r < Depth(best_first.size()); ++r) {
      ideal += gain_(best_first[r]) * discounts_[r];
    }
    if (std::isfinite(gain_(best_first[0]) * static_cast<double>(best_first.size()))) return ideal;
    double sum = 0.0;
    for (const double grade : best_first) sum += gain_(grade);
    return std::isfinite(sum) ? ideal : sum;
  }

  [[nodiscard]] double Value(const RankedList& list, double ideal) const {
    if (list.n_documents < longest_for_zero_) return 0.0;
    double dcg = 0.0;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const double gain = MeanGain(list.grades.subspan(begin, end - begin));
      for (std::size_t r = begin; r < Depth(end); ++r) dcg += gain * discounts_[r];
      begin = end;
    }
    // Rounding may put the mean gains of nearly equal grades a hair above the ideal.
    return normalise_ ? std::min(dcg / ideal, 1.0) : dcg;
  }

 private:
  [[nodiscard]] std::size_t Depth(std::size_t size) const {
    return std::min(size, discounts_.size());
  }

  [[nodiscard]] double MeanGain(Span<const double> grades) const {
    double sum = 0.0;
    for (const double grade : grades) sum += gain_(grade);
    return sum / static_cast<double>(grades.size());
  }

  GainFunction gain_;
  std::vector<double> discounts_;  // of the ranks below the cutoff
  std::size_t longest_for_zero_;   // lists shorter than this count as 0
  bool normalise_;
};

}  // namespace detail

/// |change of DCG@k or NDCG@k| when two documents swap ranks: |difference of gains| x |difference
/// of discounts| / ideal DCG. O(1) after Reset.
class DcgSwap {
 public:
  explicit DcgSwap(const Metric& metric)
      : settings_(metric.settings()), gain_(settings_.gain, settings_.grade) {
    assert(metric.kind() == MetricKind::kNdcg || metric.kind() == MetricKind::kDcg);
  }

  /// Sets the ranking. MetricRun must accept the grades.
  void Reset(Span<const double> ranked_grades) {
    const std::size_t n = ranked_grades.size();
    const std::size_t depth = std::min(settings_.cutoff, n);
    if (discounts_.size() < n) {
      discounts_ = detail::Discounts(settings_.discount, depth);
      discounts_.resize(n, 0.0);
    }
    gains_.resize(n);
    for (std::size_t r = 0; r < n; ++r) gains_[r] = gain_(ranked_grades[r]);
    ideal_gains_.resize(depth);
    std::partial_sort_copy(gains_.begin(), gains_.end(), ideal_gains_.begin(), ideal_gains_.end(),
                           std::greater<>());
    ideal_ = 0.0;
    for (std::size_t r = 0; r < depth; ++r) ideal_ += ideal_gains_[r] * discounts_[r];
    const bool short_list = settings_.short_list == ShortList::kZero && n < settings_.cutoff;
    const bool equal = std::all_of(gains_.begin(), gains_.end(),
                                   [this](double gain) { return gain == gains_[0]; });
    scale_ = settings_.kind == MetricKind::kNdcg ? 1.0 / ideal_ : 1.0;
    if (short_list || equal) scale_ = 0.0;
  }

  /// Whether all gains are equal, or the list is too short to count.
  [[nodiscard]] bool is_flat() const { return scale_ == 0.0; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return std::abs((gains_[i] - gains_[j]) * (discounts_[i] - discounts_[j])) * scale_;
  }

  /// The swaps of rank i with each of the ranks behind it: out[k] is that with i + 1 + k.
  void Row(std::size_t i, Span<double> out) const {
    const double gain = gains_[i];
    const double discount = discounts_[i];
    const double scale = scale_;
    const double* const gains = gains_.data() + i + 1;
    const double* const discounts = discounts_.data() + i + 1;
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = std::abs((gain - gains[k]) * (discount - discounts[k])) * scale;
    }
  }

  /// The factor of differences: 1 / ideal DCG, or 1 of DCG; 0 of a flat ranking.
  [[nodiscard]] double scale() const { return scale_; }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return settings_.cutoff; }

 private:
  MetricSettings settings_;
  detail::GainFunction gain_;
  std::vector<double> discounts_;    // by rank; 0 beyond the cutoff
  std::vector<double> gains_;        // by rank
  std::vector<double> ideal_gains_;  // the largest ones, descending
  double ideal_ = 0.0;
  double scale_ = 0.0;
};

}  // namespace rankforest
