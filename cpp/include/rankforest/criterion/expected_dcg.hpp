#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/relevance.hpp"

namespace rankforest {

/// The queries of a tree's sample as lists to be ranked, and what tied documents contribute to
/// their expected NDCG@k: every rank of a tied block is worth the mean gain of the block
/// (McSherry and Najork, ECIR 2008). Shares are fixed point, so that any order of adding them
/// gives the same sum.
///
/// No sum overflows: gains are at most 2^30, so those of 2^32 documents at most 2^62; and the
/// lists' values add up to their weights at most, which have 60 bits.
class ExpectedDcg {
 public:
  /// @param cutoff  k; none: the whole list
  ExpectedDcg(const GradedDocuments& documents, std::optional<std::uint32_t> cutoff)
      : cutoff_(cutoff.value_or(std::numeric_limits<std::uint32_t>::max())) {
    const Span<const double> grades = documents.grades();
    const double largest = RelevanceOf(grades[grades.size() - 1], Relevance::kExp2);
    const FixedPointScale scale(largest, kGainBits);
    weight_unit_ = documents.weight_unit();
    for (const double grade : grades) {
      gains_.push_back(scale.ToInteger(RelevanceOf(grade, Relevance::kExp2)));
    }
  }

  void Begin(const NodeRows<GradedTarget>& documents) {
    lists_.clear();
    list_of_.resize(documents.size());
    gain_at_.resize(documents.size());
    count_at_.resize(documents.size());
    std::uint32_t longest = 0;
    std::uint32_t length = 0;
    double weights = 0.0;
    for (std::size_t p = 0; p < documents.size(); ++p) {
      if (p == 0 || documents.targets[p].query != documents.targets[p - 1].query) {
        lists_.push_back({p, p, static_cast<double>(documents.targets[p].weight)});
        weights += lists_.back().factor;
        length = 0;
      }
      lists_.back().end = p + 1;
      list_of_[p] = lists_.size() - 1;
      gain_at_[p] = GainOf(documents.targets[p]);
      count_at_[p] = documents.Count(p);
      length += count_at_[p];
      longest = std::max(longest, length);
    }
    SetDiscounts(longest);
    scale_ = FixedPointScale(weights, 60);
    most_ = 0.0;
    for (List& list : lists_) {
      const double ideal = IdealOf(list);
      if (ideal > 0.0) most_ += weight_unit_ * list.factor;
      list.factor = ideal > 0.0 ? list.factor / ideal : 0.0;
    }
  }

  [[nodiscard]] std::int64_t GainOf(const GradedTarget& target) const {
    return gains_[target.grade];
  }
  [[nodiscard]] std::int64_t GainAt(std::size_t position) const { return gain_at_[position]; }
  [[nodiscard]] std::uint32_t CountAt(std::size_t position) const { return count_at_[position]; }
  [[nodiscard]] std::size_t ListOf(std::size_t position) const { return list_of_[position]; }

  /// The positions [first, second) of a list in the sample.
  [[nodiscard]] std::pair<std::size_t, std::size_t> Positions(std::size_t list) const {
    return {lists_[list].begin, lists_[list].end};
  }

  /// Ranks from here on, counted from 0, are worth nothing.
  [[nodiscard]] std::uint32_t depth() const { return depth_; }

  /// What a rank with a discount of 1 is worth to a list where `n` tied documents, whose gains add
  /// up to `gain`, take turns at it, in units of a weight.
  [[nodiscard]] double WorthOf(std::size_t list, std::int64_t gain, std::uint32_t n) const {
    return lists_[list].factor * (static_cast<double>(gain) / n);
  }

  /// What `n` tied documents of that worth contribute to a list's value from rank `rank` < depth()
  /// on, in fixed point.
  [[nodiscard]] std::int64_t ShareOf(double worth, std::uint32_t n, std::uint32_t rank) const {
    const double discounts = discounts_[std::min(rank + n, depth_)] - discounts_[rank];
    return scale_.ToInteger(worth * discounts);
  }
  /// What the lists add up to in the best order.
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double ToReal(std::int64_t value) const {
    return weight_unit_ * scale_.ToReal(value);
  }

 private:
  static constexpr int kGainBits = 30;

  struct List {
    std::size_t begin;
    std::size_t end;
    double factor;  // weight / ideal DCG, both in units; 0 for a list without a relevant document
  };

  /// Sums of the discounts of the ranks before 0, 1, 2, ...
  void SetDiscounts(std::uint32_t longest) {
    depth_ = std::min(longest, cutoff_);
    if (discounts_.size() > depth_) return;
    discounts_.assign(1, 0.0);
    for (const double discount : LogDiscounts(depth_)) {
      discounts_.push_back(discounts_.back() + discount);
    }
  }

  /// DCG of the best order, in units of a gain: in reals, large gains by large weights overflow.
  [[nodiscard]] double IdealOf(const List& list) {
    best_.clear();
    for (std::size_t p = list.begin; p < list.end; ++p) {
      if (gain_at_[p] > 0) best_.emplace_back(gain_at_[p], count_at_[p]);
    }
    std::sort(best_.begin(), best_.end(), std::greater<>());
    double ideal = 0.0;
    std::uint32_t rank = 0;
    for (const auto& [gain, count] : best_) {
      if (rank >= depth_) break;
      const std::uint32_t end = std::min(rank + count, depth_);
      ideal += static_cast<double>(gain) * (discounts_[end] - discounts_[rank]);
      rank = end;
    }
    return ideal;
  }

  std::uint32_t cutoff_;
  double weight_unit_ = 1.0;
  std::vector<std::int64_t> gains_;  // of each distinct grade
  std::vector<double> discounts_;
  std::uint32_t depth_ = 0;
  FixedPointScale scale_;
  double most_ = 0.0;
  std::vector<List> lists_;
  std::vector<std::size_t> list_of_;  // of each position
  std::vector<std::int64_t> gain_at_;
  std::vector<std::uint32_t> count_at_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> best_;
};

}  // namespace rankforest
