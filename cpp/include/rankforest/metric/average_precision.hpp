#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/relevance.hpp"

namespace rankforest {

namespace detail {

/// Without kFound, whose divisor depends on the ranking.
inline double AveragePrecisionDivisor(const MetricSettings& settings, std::size_t relevant) {
  const bool all = settings.divisor == Divisor::kRelevant;
  return static_cast<double>(all ? relevant : std::min(relevant, settings.cutoff));
}

/// The precision of each rank that holds a relevant document, summed over the ranks [begin, last)
/// and averaged over their orders: `before` relevant documents stand above them, `relevant` among
/// the `size` documents whose order is random.
///
/// Rank begin + j holds a relevant document with probability relevant / size, and then before +
/// 1 + j (relevant - 1) / (size - 1) relevant ones are expected up to there.
inline double PrecisionsInBlock(double before, double relevant, std::size_t size, std::size_t begin,
                                std::size_t last) {
  const auto documents = static_cast<double>(size);
  const double step = size > 1 ? (relevant - 1.0) / (documents - 1.0) : 0.0;
  double sum = 0.0;
  for (std::size_t r = begin; r < last; ++r) {
    const double expected = before + 1.0 + static_cast<double>(r - begin) * step;
    sum += relevant / documents * (expected / static_cast<double>(r + 1));
  }
  return sum;
}

/// AP@k = sum over the ranks r < k that hold a relevant document of (relevant documents in the
/// ranks 0..r) / (r + 1), divided by the number of relevant documents, by that of them which fit
/// into k ranks, or by that of them which stand in the first k.
class AveragePrecision {
 public:
  AveragePrecision(const MetricSettings& settings, const DataExtent& /*extent*/)
      : settings_(settings) {}

  void Check(double /*grade*/) const {}

  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return AveragePrecisionDivisor(settings_, CountRelevant(settings_.threshold, best_first));
  }

  [[nodiscard]] double Value(const RankedList& list, double divisor) const {
    const bool by_found = settings_.divisor == Divisor::kFound;
    double sum = 0.0;
    double before = 0.0;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      if (end - begin == 1) {  // the same, for the most frequent case
        if (settings_.threshold.Passes(list.grades[begin])) {
          before += 1.0;
          sum += before / static_cast<double>(end);
        }
        begin = end;
        continue;
      }
      const auto block = list.grades.subspan(begin, end - begin);
      const std::size_t relevant = CountRelevant(settings_.threshold, block);
      if (by_found && end > settings_.cutoff) {
        return OverFound(sum, before, begin, block.size(), relevant);
      }
      if (relevant > 0) {
        sum += PrecisionsInBlock(before, static_cast<double>(relevant), block.size(), begin,
                                 std::min(end, settings_.cutoff));
      }
      before += static_cast<double>(relevant);
      begin = end;
    }
    if (by_found) divisor = std::max(before, 1.0);
    return std::min(sum / divisor, 1.0);  // against rounding
  }

 private:
  /// The mean of AP@k / (relevant documents in the first k) where k cuts a block in two: x of its
  /// `relevant` documents stand in its first c ranks with hypergeometric probability.
  [[nodiscard]] double OverFound(double sum, double before, std::size_t begin, std::size_t size,
                                 std::size_t relevant) const {
    const std::size_t c = settings_.cutoff - begin;
    const std::size_t least = relevant + c > size ? relevant + c - size : 0;
    double probability = 1.0;  // up to a common factor
    double total = 0.0;
    double value = 0.0;
    for (std::size_t x = least; x <= std::min(relevant, c); ++x) {
      const auto found = static_cast<double>(x);
      if (before + found > 0.0) {
        const double here = PrecisionsInBlock(before, found, c, begin, settings_.cutoff);
        value += probability * ((sum + here) / (before + found));
      }
      total += probability;
      probability *= static_cast<double>(relevant - x) * static_cast<double>(c - x) /
                     ((found + 1.0) * static_cast<double>(size + x + 1 - relevant - c));
      if (total > kLarge) {
        probability /= kLarge;
        total /= kLarge;
        value /= kLarge;
      }
    }
    return std::min(value / total, 1.0);
  }

  static constexpr double kLarge = 1e200;

  MetricSettings settings_;
};

}  // namespace detail

/// |change of AP@k| when two documents swap ranks. O(1) after Reset.
///
/// Let a relevant document move from rank i up or down to rank j of an irrelevant one. Between
/// the two every relevant document's precision changes by 1 / (its rank + 1), so running sums of
/// these suffice; what is left are the precisions at i and j themselves.
class AveragePrecisionSwap {
 public:
  explicit AveragePrecisionSwap(const Metric& metric) : settings_(metric.settings()) {
    assert(metric.kind() == MetricKind::kMap && settings_.divisor != Divisor::kFound);
  }

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    const std::size_t n = ranked_grades.size();
    relevant_before_.assign(n + 1, 0);
    reciprocals_before_.assign(n + 1, 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      const bool relevant = settings_.threshold.Passes(ranked_grades[r]);
      relevant_before_[r + 1] = relevant_before_[r] + (relevant ? 1 : 0);
      reciprocals_before_[r + 1] =
          reciprocals_before_[r] + (relevant && r < settings_.cutoff ? Reciprocal(r) : 0.0);
    }
    const std::size_t all = relevant_before_[n];
    flat_ = all == 0 || all == n;
    divisor_ = detail::AveragePrecisionDivisor(settings_, all);
  }

  /// Whether all documents are relevant, or none.
  [[nodiscard]] bool is_flat() const { return flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    if (i > j) std::swap(i, j);
    if (IsRelevant(i) == IsRelevant(j) || i >= settings_.cutoff) return 0.0;
    // With the relevant document at i, and with it at j: the precision at its rank, and the
    // share of it in the precisions between the two.
    const double between = reciprocals_before_[j] - reciprocals_before_[i + 1];
    const double at_i = static_cast<double>(relevant_before_[i] + 1) * Reciprocal(i);
    const std::size_t up_to_j = relevant_before_[j] + (IsRelevant(j) ? 1 : 0);
    const double at_j = j < settings_.cutoff ? static_cast<double>(up_to_j) * Reciprocal(j) : 0.0;
    return std::abs(at_i + between - at_j) / divisor_;
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return settings_.cutoff; }

 private:
  static double Reciprocal(std::size_t rank) { return 1.0 / static_cast<double>(rank + 1); }

  [[nodiscard]] bool IsRelevant(std::size_t rank) const {
    return relevant_before_[rank + 1] != relevant_before_[rank];
  }

  MetricSettings settings_;
  std::vector<std::size_t> relevant_before_;  // [r]: in the ranks below r
  std::vector<double> reciprocals_before_;    // [r]: sum over those, below the cutoff too
  double divisor_ = 0.0;
  bool flat_ = true;
};

}  // namespace rankforest
