#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

namespace detail {

inline std::vector<RowId>::iterator At(std::vector<RowId>& rows, std::size_t i) {
  return rows.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace detail

/// The pairs of documents of one query of which one has the higher grade, and their squared hinge
/// loss: the sum over these of max(0, 1 - (s_i - s_j))^2, with i the better one. A pair is *active*
/// where its term is above 0.
///
/// Pairs are never enumerated. Documents are divided by grade into a lower and a higher half, each
/// half again, until a part has one grade; the pairs between the halves of a part are then looked
/// at all at once. In the order of scores, the active partners of a document are those at one end
/// of the other half, so counts and running sums say all: n documents of k grades take O(n log n)
/// to sort and O(n log k) for the rest.
///
/// Joachims, "Training linear SVMs in linear time", KDD 2006; Lee and Lin, "Large-scale linear
/// RankSVM", Neural Computation 26, 2014, which uses trees of order statistics in place of halves.
class PairMargins {
 public:
  explicit PairMargins(Span<const double> grades) : by_grade_(grades.size()) {
    std::iota(by_grade_.begin(), by_grade_.end(), RowId{0});
    std::stable_sort(by_grade_.begin(), by_grade_.end(),
                     [&](RowId a, RowId b) { return grades[a] < grades[b]; });
    std::vector<std::size_t> begins;  // of the documents of each grade
    for (std::size_t i = 0; i < by_grade_.size(); ++i) {
      if (i == 0 || grades[by_grade_[i - 1]] < grades[by_grade_[i]]) begins.push_back(i);
    }
    begins.push_back(by_grade_.size());
    Divide(begins, 0, begins.size() - 1, 0);
    for (const Part& part : parts_) {
      n_levels_ = std::max(n_levels_, part.level + 1);
      n_pairs_ += static_cast<double>(part.middle - part.begin) *
                  static_cast<double>(part.end - part.middle);
    }
    begins_ = std::move(begins);
    order_.resize(n_levels_ * size());
    partners_.resize(n_levels_ * size());
  }

  [[nodiscard]] std::size_t size() const { return by_grade_.size(); }
  /// Active or not.
  [[nodiscard]] double n_pairs() const { return n_pairs_; }

  /// Returns the loss at some scores, and remembers which pairs are active there.
  ///
  /// @param slopes  gets the derivatives by the scores; empty: not needed
  double SetScores(Span<const double> scores, Span<double> slopes) {
    if (parts_.empty()) return 0.0;
    std::vector<RowId> sorted = by_grade_;
    const auto below = [&](RowId a, RowId b) {
      return scores[a] != scores[b] ? scores[a] < scores[b] : a < b;
    };
    for (std::size_t g = 0; g + 1 < begins_.size(); ++g) {
      std::sort(detail::At(sorted, begins_[g]), detail::At(sorted, begins_[g + 1]), below);
    }
    double mean = 0.0;  // of which sums of squares are free, so that they are exact enough
    for (const double score : scores) mean += score;
    mean /= static_cast<double>(size());
    double loss = 0.0;
    for (const Part& part : parts_) {
      std::copy(detail::At(sorted, part.begin), detail::At(sorted, part.end),
                detail::At(order_, Place(part, part.begin)));
      FindPartners(part, scores);
      loss += LossOf(part, scores, mean, slopes);
      std::inplace_merge(detail::At(sorted, part.begin), detail::At(sorted, part.middle),
                         detail::At(sorted, part.end), below);
    }
    return loss;
  }

  /// Adds to out[i] the sum over the active pairs of i of 2 (v_i - v_j): the second derivatives of
  /// the loss, times v.
  void AddCurvature(Span<const double> v, Span<double> out) {
    for (const Part& part : parts_) {
      const RowId* order = order_.data() + Place(part, 0);
      const std::uint32_t* partners = partners_.data() + Place(part, 0);
      ForSums(part, [&](std::size_t i) { return v[order[i]]; });
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const double n = partners[i];
        out[order[i]] += 2.0 * (n * v[order[i]] - SumOfPartners(part, i, partners[i]));
      }
    }
  }

  /// Adds to counts[i] the number of active pairs of i.
  void AddCounts(Span<double> counts) const {
    for (const Part& part : parts_) {
      for (std::size_t i = part.begin; i < part.end; ++i) {
        counts[order_[Place(part, i)]] += partners_[Place(part, i)];
      }
    }
  }

 private:
  /// Documents by grade from `begin` to `end` - 1, divided at `middle`.
  struct Part {
    std::size_t level;
    std::size_t begin;
    std::size_t middle;
    std::size_t end;
  };

  [[nodiscard]] std::size_t Place(const Part& part, std::size_t i) const {
    return part.level * size() + i;
  }

  /// Notes the parts of the grades from `first` to `last` - 1, the smaller ones first.
  void Divide(const std::vector<std::size_t>& begins, std::size_t first, std::size_t last,
              std::size_t level) {
    if (last - first < 2) return;
    const std::size_t middle = first + (last - first) / 2;
    Divide(begins, first, middle, level + 1);
    Divide(begins, middle, last, level + 1);
    parts_.push_back({level, begins[first], begins[middle], begins[last]});
  }

  /// How many active partners each document of a part has in the other half.
  void FindPartners(const Part& part, Span<const double> scores) {
    const RowId* order = order_.data() + Place(part, 0);
    std::uint32_t* partners = partners_.data() + Place(part, 0);
    std::size_t low = part.begin;
    for (std::size_t high = part.middle; high < part.end; ++high) {
      while (low < part.middle && !(scores[order[high]] - scores[order[low]] < 1.0)) ++low;
      partners[high] = static_cast<std::uint32_t>(part.middle - low);
    }
    std::size_t high = part.middle;
    for (low = part.begin; low < part.middle; ++low) {
      while (high < part.end && scores[order[high]] - scores[order[low]] < 1.0) ++high;
      partners[low] = static_cast<std::uint32_t>(high - part.middle);
    }
  }

  /// Sums up, in each half, what partners of the other half need: sums_[i - begin] is the sum from
  /// the end of the lower half down to i, or from the start of the higher half up to i.
  template <class ValueOf>
  void ForSums(const Part& part, const ValueOf& value_of) {
    sums_.resize(part.end - part.begin);
    double sum = 0.0;
    for (std::size_t i = part.middle; i-- > part.begin;) {
      sum += value_of(i);
      sums_[i - part.begin] = sum;
    }
    sum = 0.0;
    for (std::size_t i = part.middle; i < part.end; ++i) {
      sum += value_of(i);
      sums_[i - part.begin] = sum;
    }
  }

  [[nodiscard]] double SumOfPartners(const Part& part, std::size_t i, std::uint32_t n) const {
    if (n == 0) return 0.0;
    return i < part.middle ? sums_[part.middle + n - 1 - part.begin]
                           : sums_[part.middle - n - part.begin];
  }

  double LossOf(const Part& part, Span<const double> scores, double mean, Span<double> slopes) {
    const RowId* order = order_.data() + Place(part, 0);
    const std::uint32_t* partners = partners_.data() + Place(part, 0);
    const auto score_of = [&](std::size_t i) { return scores[order[i]] - mean; };
    double loss = 0.0;
    ForSums(part, [&](std::size_t i) { return score_of(i) * score_of(i); });
    for (std::size_t i = part.middle; i < part.end; ++i) {
      loss += SumOfPartners(part, i, partners[i]);
    }
    ForSums(part, score_of);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const double n = partners[i];
      const double sum = SumOfPartners(part, i, partners[i]);
      const bool is_better = i >= part.middle;
      const double gap = is_better ? 1.0 - score_of(i) : 1.0 + score_of(i);
      if (is_better) loss += n * gap * gap + 2.0 * gap * sum;
      if (slopes.empty()) continue;
      slopes[order[i]] += is_better ? -2.0 * (n * gap + sum) : 2.0 * (n * gap - sum);
    }
    return loss;
  }

  std::vector<RowId> by_grade_;      // documents, those of the lowest grade first
  std::vector<std::size_t> begins_;  // of each grade among them, and their number
  std::vector<Part> parts_;          // each behind those that it consists of
  std::size_t n_levels_ = 0;
  double n_pairs_ = 0.0;
  std::vector<RowId> order_;             // [level][place]: halves of parts by ascending score
  std::vector<std::uint32_t> partners_;  // likewise: active ones in the other half
  std::vector<double> sums_;
};

}  // namespace rankforest
