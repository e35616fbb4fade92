#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/data_extent.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/relevance.hpp"

namespace rankforest {

namespace detail {

/// RR@k = 1 / (first rank that holds a relevant document, counted from 1), 0 if it is beyond k.
///
/// Ties: in the first block with a relevant document, of t documents with m relevant, the first
/// of these is the j-th (from 0) with probability p_0 = m / t,
/// p_{j+1} = p_j (t - m - j) / (t - 1 - j).
class ReciprocalRank {
 public:
  ReciprocalRank(const MetricSettings& settings, const DataExtent& /*extent*/)
      : settings_(settings) {}

  void Check(double /*grade*/) const {}

  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    return !best_first.empty() && settings_.threshold.Passes(best_first[0]) ? 1.0 : 0.0;
  }

  [[nodiscard]] double Value(const RankedList& list, double /*normaliser*/) const {
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const auto block = list.grades.subspan(begin, end - begin);
      const std::size_t relevant = CountRelevant(settings_.threshold, block);
      if (relevant > 0) return InBlock(begin, block.size(), relevant);
      begin = end;
    }
    return 0.0;
  }

 private:
  [[nodiscard]] double InBlock(std::size_t begin, std::size_t size, std::size_t relevant) const {
    double value = 0.0;
    double probability = static_cast<double>(relevant) / static_cast<double>(size);
    for (std::size_t j = 0; j + relevant <= size && begin + j < settings_.cutoff; ++j) {
      value += probability / static_cast<double>(begin + j + 1);
      if (j + 1 == size) break;
      probability *= static_cast<double>(size - relevant - j) / static_cast<double>(size - 1 - j);
    }
    return value;
  }

  MetricSettings settings_;
};

}  // namespace detail

/// |change of RR@k| when two documents swap ranks: it moves the first relevant document up, or
/// down to the rank of the second. O(1) after Reset.
class ReciprocalRankSwap {
 public:
  explicit ReciprocalRankSwap(const Metric& metric) : settings_(metric.settings()) {
    assert(metric.kind() == MetricKind::kReciprocalRank);
  }

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    const std::size_t n = ranked_grades.size();
    relevant_.assign(n, 0);
    first_ = second_ = n;
    for (std::size_t r = n; r-- > 0;) {
      if (!settings_.threshold.Passes(ranked_grades[r])) continue;
      relevant_[r] = 1;
      second_ = first_;
      first_ = r;
    }
    const std::size_t all = detail::CountRelevant(settings_.threshold, ranked_grades);
    flat_ = all == 0 || all == n;
  }

  /// Whether all documents are relevant, or none.
  [[nodiscard]] bool is_flat() const { return flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    if (relevant_[i] == relevant_[j]) return 0.0;
    const std::size_t from = relevant_[i] != 0 ? i : j;
    const std::size_t to = relevant_[i] != 0 ? j : i;
    const std::size_t first = std::min(to, from == first_ ? second_ : first_);
    return std::abs(At(first) - At(first_));
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return settings_.cutoff; }

 private:
  [[nodiscard]] double At(std::size_t rank) const {
    return rank < settings_.cutoff ? 1.0 / static_cast<double>(rank + 1) : 0.0;
  }

  MetricSettings settings_;
  std::vector<char> relevant_;  // by rank
  std::size_t first_ = 0;       // rank of the first relevant document
  std::size_t second_ = 0;      // and of the second; the number of documents if there is none
  bool flat_ = true;
};

}  // namespace rankforest
