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

/// persistence^r for the ranks r = 0, ..., size - 1.
inline std::vector<double> PersistencePowers(double persistence, std::size_t size) {
  std::vector<double> powers(size);
  double power = 1.0;
  for (double& each : powers) {
    each = power;
    power *= persistence;
  }
  return powers;
}

/// RBP@k = (1 - p) x the sum of p^r over the ranks r < k that hold a relevant document: the
/// relevant documents per document seen by a user who goes on to the next with persistence p.
///
/// Ties: every rank of a block holds a relevant document with the same probability.
///
/// Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness", TOIS
/// 2008.
class RankBiasedPrecision {
 public:
  RankBiasedPrecision(const MetricSettings& settings, const DataExtent& extent)
      : threshold_(settings.threshold),
        rest_(1.0 - settings.persistence),
        powers_(
            PersistencePowers(settings.persistence, std::min(settings.cutoff, extent.longest))) {}

  void Check(double /*grade*/) const {}

  /// 1, or 0 for an empty query.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return !best_first.empty() && threshold_.Passes(best_first[0]) ? 1.0 : 0.0;
  }

  [[nodiscard]] double Value(const RankedList& list, double /*normaliser*/) const {
    double sum = 0.0;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const std::size_t relevant =
          CountRelevant(threshold_, list.grades.subspan(begin, end - begin));
      if (relevant > 0) {
        const double share = static_cast<double>(relevant) / static_cast<double>(end - begin);
        for (std::size_t r = begin; r < std::min(end, powers_.size()); ++r) {
          sum += share * powers_[r];
        }
      }
      begin = end;
    }
    return rest_ * sum;
  }

 private:
  Threshold threshold_;
  double rest_;
  std::vector<double> powers_;  // of the ranks below the cutoff
};

}  // namespace detail

/// |change of RBP@k| when two documents swap ranks i and j: (1 - p) |p^i - p^j| if one of them is
/// relevant, with 0 for the power of a rank at or behind k. O(1) after Reset.
class RankBiasedPrecisionSwap {
 public:
  explicit RankBiasedPrecisionSwap(const Metric& metric) : settings_(metric.settings()) {
    assert(metric.kind() == MetricKind::kRankBiasedPrecision);
  }

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    relevant_.clear();
    for (const double grade : ranked_grades) {
      relevant_.push_back(settings_.threshold.Passes(grade) ? 1 : 0);
    }
    const std::size_t all = detail::CountRelevant(settings_.threshold, ranked_grades);
    flat_ = all == 0 || all == relevant_.size();
    const std::size_t depth = std::min(settings_.cutoff, relevant_.size());
    if (powers_.size() < depth) powers_ = detail::PersistencePowers(settings_.persistence, depth);
  }

  /// Whether all documents are relevant, or none.
  [[nodiscard]] bool is_flat() const { return flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    if (relevant_[i] == relevant_[j]) return 0.0;
    return (1.0 - settings_.persistence) * std::abs(PowerAt(i) - PowerAt(j));
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return settings_.cutoff; }

 private:
  [[nodiscard]] double PowerAt(std::size_t rank) const {
    return rank < settings_.cutoff ? powers_[rank] : 0.0;
  }

  MetricSettings settings_;
  std::vector<char> relevant_;  // by rank
  std::vector<double> powers_;  // of the ranks below the cutoff
  bool flat_ = true;
};

}  // namespace rankforest
