#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/gain.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest {

namespace detail {

/// The probability that a user stops at a document: (2^grade - 1) / 2^gmax, under gain=linear
/// grade / gmax.
class StopProbability {
 public:
  explicit StopProbability(const MetricSettings& settings)
      : gain_(settings.gain, settings.grade), linear_(settings.gain.rule == GainRule::kLinear) {}

  void Check(double grade) const { gain_.Check(grade); }
  [[nodiscard]] bool CanStop(double grade) const { return gain_(grade) > 0.0; }
  [[nodiscard]] double Scale(double gmax) const { return linear_ ? 1.0 / gmax : Exp2(-gmax); }
  double operator()(double grade, double scale) const {
    return std::min(gain_(grade) * scale, 1.0);
  }

 private:
  GainFunction gain_;
  bool linear_;
};

/// ERR@k = sum over ranks r < k of 1 / (r + 1) x the probability that a user who reads downwards
/// stops at r, that is R_r (1 - R_0) ... (1 - R_{r-1}).
///
/// Ties: in a block let A_j be the mean, over all subsets of j of its documents, of the product
/// of their 1 - R. Its j-th rank (from 0) stops the user who reaches the block with probability
/// A_j - A_{j+1}. Documents join the subsets one at a time: with the s-th, A_j becomes
/// (1 - j / s) A_j + (j / s) (1 - R_s) A_{j-1}, a mean of means, so nothing is lost to rounding.
/// This takes O(t min(t, k)) for a block of t.
///
/// Chapelle, Metzler, Zhang and Grinspan, "Expected reciprocal rank for graded relevance", CIKM
/// 2009.
class ExpectedReciprocalRank {
 public:
  ExpectedReciprocalRank(const MetricSettings& settings, const DataExtent& extent)
      : stop_(settings), gmax_(settings.gmax), cutoff_(settings.cutoff) {
    if (gmax_.source == HighestGrade::Source::kData) gmax_.number = extent.highest_grade;
  }

  void Check(double grade) const {
    if (gmax_.source == HighestGrade::Source::kNumber && grade > gmax_.number) {
      throw std::invalid_argument("must be at most gmax=" + NumberToString(gmax_.number) +
                                  " of err");
    }
    stop_.Check(grade);
  }

  /// gmax, or 0 for an empty query.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    if (best_first.empty() || !stop_.CanStop(best_first[0])) return 0.0;
    return gmax_.source == HighestGrade::Source::kQuery ? best_first[0] : gmax_.number;
  }

  [[nodiscard]] double Value(const RankedList& list, double gmax) const {
    const double scale = stop_.Scale(gmax);
    double value = 0.0;
    double reached = 1.0;  // the probability of it
    std::vector<double> means;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const auto block = list.grades.subspan(begin, end - begin);
      if (block.size() == 1) {
        const double stop = stop_(block[0], scale);
        value += reached * stop / static_cast<double>(begin + 1);
        reached *= 1.0 - stop;
      } else {
        value += reached * InBlock(begin, block, scale, means);
        for (const double grade : block) reached *= 1.0 - stop_(grade, scale);
      }
      begin = end;
    }
    return value;
  }

 private:
  double InBlock(std::size_t begin, Span<const double> block, double scale,
                 std::vector<double>& means) const {
    const std::size_t depth = std::min(block.size(), cutoff_ - begin);
    means.assign(depth + 1, 0.0);
    means[0] = 1.0;
    for (std::size_t s = 1; s <= block.size(); ++s) {
      const double pass = 1.0 - stop_(block[s - 1], scale);
      for (std::size_t j = std::min(s, depth); j >= 1; --j) {
        const double share = static_cast<double>(j) / static_cast<double>(s);
        means[j] = (1.0 - share) * means[j] + share * pass * means[j - 1];
      }
    }
    double value = 0.0;
    for (std::size_t j = 0; j < depth; ++j) {
      value += (means[j] - means[j + 1]) / static_cast<double>(begin + j + 1);
    }
    return value;
  }

  StopProbability stop_;
  HighestGrade gmax_;
  std::size_t cutoff_;
};

}  // namespace detail

/// |change of ERR@k| when two documents swap ranks. O(1) after Reset.
///
/// With R the stop probabilities and i < j, nothing changes before i or behind j, and the change
/// is P (R_i - R_j) (1 / (i + 1) - W - Q / (j + 1)), where P is the probability of reaching i,
/// W the ERR of the ranks between i and j for a user who starts there, and Q the probability
/// that this user reaches j. W and Q come from the ERR of the tail behind each rank and from
/// running products. Where P is below 1e-200, the change counts as 0.
class ErrSwap {
 public:
  explicit ErrSwap(const Metric& metric)
      : stop_of_(metric.settings()), gmax_(metric.settings().gmax), cutoff_(metric.cutoff()) {
    assert(metric.kind() == MetricKind::kErr && gmax_.source != HighestGrade::Source::kData);
  }

  /// Sets the ranking. MetricRun must accept the grades.
  void Reset(Span<const double> ranked_grades) {
    const std::size_t n = ranked_grades.size();
    stop_.resize(n);
    reach_.assign(n + 1, 1.0);
    tail_.assign(n + 1, 0.0);
    const double scale = ScaleOf(ranked_grades);
    for (std::size_t r = 0; r < n; ++r) {
      stop_[r] = stop_of_(ranked_grades[r], scale);
      reach_[r + 1] = reach_[r] * (1.0 - stop_[r]);
    }
    for (std::size_t r = std::min(n, cutoff_); r-- > 0;) {
      tail_[r] = stop_[r] * Reciprocal(r) + (1.0 - stop_[r]) * tail_[r + 1];
    }
    flat_ = std::all_of(stop_.begin(), stop_.end(), [this](double s) { return s == stop_[0]; });
  }

  /// Whether all documents have the same grade.
  [[nodiscard]] bool is_flat() const { return flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    if (i > j) std::swap(i, j);
    if (stop_[i] == stop_[j] || i >= cutoff_ || reach_[i] < kNegligible) return 0.0;
    double later = tail_[i + 1];  // W + Q / (j + 1)
    if (j < cutoff_) later += Pass(i + 1, j) * (Reciprocal(j) - tail_[j]);
    return std::abs(reach_[i] * (stop_[i] - stop_[j]) * (Reciprocal(i) - later));
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return cutoff_; }

 private:
  static constexpr double kNegligible = 1e-200;

  static double Reciprocal(std::size_t rank) { return 1.0 / static_cast<double>(rank + 1); }

  [[nodiscard]] double ScaleOf(Span<const double> grades) const {
    if (gmax_.source == HighestGrade::Source::kNumber) return stop_of_.Scale(gmax_.number);
    const auto* const highest = std::max_element(grades.begin(), grades.end());
    return highest == grades.end() || *highest == 0.0 ? 0.0 : stop_of_.Scale(*highest);
  }

  /// The probability of passing the ranks begin, ..., end - 1.
  [[nodiscard]] double Pass(std::size_t begin, std::size_t end) const {
    if (reach_[begin] >= kNegligible) return reach_[end] / reach_[begin];
    double pass = 1.0;  // for one rank i at most: further ones are beyond kNegligible
    for (const double stop : Span<const double>(stop_).subspan(begin, end - begin)) {
      pass *= 1.0 - stop;
    }
    return pass;
  }

  detail::StopProbability stop_of_;
  HighestGrade gmax_;
  std::size_t cutoff_;
  std::vector<double> stop_;   // by rank
  std::vector<double> reach_;  // [r]: probability of reaching rank r
  std::vector<double> tail_;   // [r]: ERR of the ranks from r to the cutoff for who starts there
  bool flat_ = true;
};

}  // namespace rankforest
