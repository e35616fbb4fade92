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
#include "rankforest/metric/settings.hpp"

namespace rankforest {

namespace detail {

/// The area under the ROC curve of a query over the false-positive rates [low, high]: relevant
/// documents are the positives, and at the rate x the curve has the share of them that stand above
/// the first floor(x N) + 1 of the N others. Over [0, 1] this is the share of (relevant, other)
/// pairs in the right order; over less it is at most high - low, not scaled to 1.
///
/// Ties: above the j-th of the n others in a block (from 1) stand j / (n + 1) of the block's
/// relevant documents on average, whence a tied pair counts half over [0, 1].
///
/// Mohan, "An empirical analysis on point-wise machine learning techniques using regression trees
/// for web-search ranking", 2010, section 6.2, which has PAUC@[0,5] for [0, 0.05]; there the
/// documents of all queries seem to be one list, here each query is one.
class Auc {
 public:
  Auc(const MetricSettings& settings, const DataExtent& /*extent*/)
      : threshold_(settings.threshold), range_(settings.fpr) {}

  void Check(double /*grade*/) const {}

  /// The number of relevant documents, or 0 where there is no pair.
  [[nodiscard]] double Normaliser(Span<const double> best_first) const {
    const std::size_t relevant = CountRelevant(threshold_, best_first);
    return relevant == best_first.size() ? 0.0 : static_cast<double>(relevant);
  }

  [[nodiscard]] double Value(const RankedList& list, double relevant) const {
    const auto others = static_cast<double>(list.n_documents) - relevant;
    double area = 0.0;       // x relevant documents x others
    double above = 0.0;      // relevant documents
    std::size_t passed = 0;  // others
    std::size_t begin = 0;
    for (const std::size_t end : list.ends) {
      const std::size_t size = end - begin;
      const std::size_t in_block = CountRelevant(threshold_, list.grades.subspan(begin, size));
      const std::size_t n = size - in_block;
      const double step = static_cast<double>(in_block) / static_cast<double>(n + 1);
      for (std::size_t j = 1; j <= n; ++j, ++passed) {
        area += Width(passed, others) * (above + step * static_cast<double>(j));
      }
      above += static_cast<double>(in_block);
      begin = end;
    }
    return std::min(area / (relevant * others), range_.high - range_.low);  // against rounding
  }

 private:
  /// How much of the rates [i / others, (i + 1) / others] the range covers, x others.
  [[nodiscard]] double Width(std::size_t i, double others) const {
    const auto left = static_cast<double>(i);
    const double low = std::max(left, range_.low * others);
    const double high = std::min(left + 1.0, range_.high * others);
    return std::max(high - low, 0.0);
  }

  Threshold threshold_;
  FalsePositiveRange range_;
};

}  // namespace detail

/// |change of AUC over [0, 1]| when two documents swap ranks i and j: |i - j| / (relevant x others)
/// if one of them is relevant, as one pair with each document between them changes its order, and
/// their own. O(1) after Reset.
class AucSwap {
 public:
  explicit AucSwap(const Metric& metric) : threshold_(metric.settings().threshold) {
    assert(metric.kind() == MetricKind::kAuc && metric.settings().fpr == FalsePositiveRange{});
  }

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    relevant_.clear();
    for (const double grade : ranked_grades) relevant_.push_back(threshold_.Passes(grade) ? 1 : 0);
    const auto n = static_cast<double>(ranked_grades.size());
    const auto all = static_cast<double>(detail::CountRelevant(threshold_, ranked_grades));
    pairs_ = all * (n - all);
  }

  /// Whether all documents are relevant, or none.
  [[nodiscard]] bool is_flat() const { return pairs_ == 0.0; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    if (relevant_[i] == relevant_[j]) return 0.0;
    return static_cast<double>(i < j ? j - i : i - j) / pairs_;
  }

  /// Two ranks that are both here or beyond swap for nothing.
  [[nodiscard]] std::size_t depth() const { return kNoCutoff; }

 private:
  Threshold threshold_;
  std::vector<char> relevant_;  // by rank
  double pairs_ = 0.0;
};

}  // namespace rankforest
