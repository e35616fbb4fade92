#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/relevance.hpp"

namespace rankforest {

namespace detail {

inline double PrecisionDivisor(const MetricSettings& settings, std::size_t n_documents) {
  const bool cut = settings.divisor == Divisor::kMin;
  return static_cast<double>(cut ? std::min(settings.cutoff, n_documents) : settings.cutoff);
}

/// P@k = (relevant documents in the ranks below k) / k, or / min(k, documents); recall@k = the same
/// / (relevant documents).
///
/// Ties: a block of t documents, m of them relevant, of which k reaches c ranks, has c m / t
/// relevant ones there on average.
class Precision {
 public:
  Precision(const MetricSettings& settings, const DataExtent& /*extent*/) : settings_(settings) {}

  void Check(double /*grade*/) const {}

  /// The number of relevant documents; 0: the query is empty.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return static_cast<double>(CountRelevant(settings_.threshold, best_first));
  }

  [[nodiscard]] double Value(const RankedList& list, double all_relevant) const {
    double sum = 0.0;
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const auto block = list.grades.subspan(begin, end - begin);
      const auto relevant = static_cast<double>(CountRelevant(settings_.threshold, block));
      const std::size_t reached = std::min(end, settings_.cutoff) - begin;
      sum += relevant * static_cast<double>(reached) / static_cast<double>(block.size());
      begin = end;
    }
    if (settings_.kind == MetricKind::kRecall) return std::min(sum / all_relevant, 1.0);
    return sum / PrecisionDivisor(settings_, list.n_documents);
  }

 private:
  MetricSettings settings_;
};

}  // namespace detail

/// |change of P@k or recall@k| when two documents swap ranks: 1 / divisor if one of them is
/// relevant and one of the ranks below k. O(1) after Reset.
class PrecisionSwap {
 public:
  explicit PrecisionSwap(const Metric& metric) : settings_(metric.settings()) {
    assert(metric.kind() == MetricKind::kPrecision || metric.kind() == MetricKind::kRecall);
  }

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    relevant_.clear();
    for (const double grade : ranked_grades) {
      relevant_.push_back(settings_.threshold.Passes(grade) ? 1 : 0);
    }
    const std::size_t all = detail::CountRelevant(settings_.threshold, ranked_grades);
    flat_ = all == 0 || all == relevant_.size() || settings_.cutoff >= relevant_.size();
    const double divisor = settings_.kind == MetricKind::kRecall
                               ? static_cast<double>(all)
                               : detail::PrecisionDivisor(settings_, ranked_grades.size());
    delta_ = flat_ ? 0.0 : 1.0 / divisor;
  }

  /// Whether all documents are relevant, or none, or all ranks are below k.
  [[nodiscard]] bool is_flat() const { return flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    const bool crosses = (i < settings_.cutoff) != (j < settings_.cutoff);
    return crosses && relevant_[i] != relevant_[j] ? delta_ : 0.0;
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return settings_.cutoff; }

 private:
  MetricSettings settings_;
  std::vector<char> relevant_;  // by rank
  double delta_ = 0.0;
  bool flat_ = true;
};

}  // namespace rankforest
