#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/pair_bits.hpp"
#include "rankforest/criterion/pair_ranks.hpp"
#include "rankforest/criterion/pair_table.hpp"
#include "rankforest/criterion/settings.hpp"

namespace rankforest {

/// Correctly ranked pairs (Ibrahim 2020, algorithm 4): the gain of a division is the number of
/// pairs of documents of a query, one on each side, of which the one on the side with the larger
/// mean relevance has the larger grade, weighted by the query and, if asked for, by the difference
/// of the grades. Where both sides have the same mean the left one counts as the larger, as the
/// algorithm is written.
///
/// No pair is looked at: a document's move changes as many pairs as its query has documents of
/// lower and of higher grades on each side. All sums are below 2^63, see PairBitsFor.
///
/// @tparam Counts  counts pairs: PairTable or PairRanks
template <class Counts>
class PairwiseBy {
 public:
  PairwiseBy(const GradedDocuments& documents, PairWeight weight)
      : values_(documents.values()),
        grades_(documents.grades()),
        weight_(weight),
        weight_unit_(documents.weight_unit()),
        wanted_{documents.weight_bits(),
                weight == PairWeight::kDifference ? Counts::kDifferenceBits : 0},
        bits_(wanted_),
        counts_(documents.grades(), weight) {}

  void BeginTree(const NodeRows<GradedTarget>& documents) {
    const PairBits bits = PairBitsFor(documents, wanted_);
    if (bits.difference != bits_.difference) counts_.SetDifferenceBits(bits.difference);
    bits_ = bits;
  }

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    of_node_ = {};
    for (std::size_t i = 0; i < node.size(); ++i) of_node_.Add(node, i, values_);
    if (!counts_.Begin(node)) return false;
    Clear();
    return true;
  }

  void Clear() {
    counts_.Clear();
    of_left_ = {};
    left_above_ = 0;
    right_above_ = 0;
  }

  void MoveLeft(std::size_t i) {
    const PairChange change = counts_.MoveLeft(i);
    const std::int64_t weight =
        RoundedShift(node_.targets[i].weight, wanted_.weight - bits_.weight);
    left_above_ += weight * change.left_above;
    right_above_ += weight * change.right_above;
    assert(left_above_ >= 0 && right_above_ >= 0);  // or they overflowed
    of_left_.Add(node_, i, values_);
  }

  [[nodiscard]] double Gain() const {
    const bool right_is_larger = of_left_.Mean() < (of_node_ - of_left_).Mean();
    const double unit = detail::Scale(counts_.unit() * weight_unit_, wanted_.weight - bits_.weight);
    return unit * static_cast<double>(right_is_larger ? right_above_ : left_above_);
  }

  /// All pairs of documents of a query whose grades differ.
  [[nodiscard]] double Impurity() const {
    double pairs = 0.0;
    std::vector<std::pair<double, double>> query;  // grade and how often, of each document
    for (std::size_t i = 0; i < node_.size(); ++i) {
      query.emplace_back(grades_[node_.targets[i].grade], node_.Count(i));
      const bool is_last =
          i + 1 == node_.size() || node_.targets[i + 1].query != node_.targets[i].query;
      if (!is_last) continue;
      pairs += weight_unit_ * node_.targets[i].weight * PairsOf(query);
      query.clear();
    }
    return pairs;
  }

 private:
  [[nodiscard]] double PairsOf(std::vector<std::pair<double, double>>& query) const {
    std::sort(query.begin(), query.end());
    double pairs = 0.0;
    double n_below = 0.0;    // documents of lower grades
    double sum_below = 0.0;  // of their grades
    for (std::size_t i = 0; i < query.size();) {
      const double grade = query[i].first;
      double n = 0.0;
      for (; i < query.size() && query[i].first == grade; ++i) n += query[i].second;
      pairs += n * (weight_ == PairWeight::kDifference ? grade * n_below - sum_below : n_below);
      n_below += n;
      sum_below += n * grade;
    }
    return pairs;
  }

  Span<const std::int64_t> values_;
  Span<const double> grades_;
  PairWeight weight_;
  double weight_unit_;
  PairBits wanted_;
  PairBits bits_;
  Counts counts_;
  NodeRows<GradedTarget> node_;
  GradedSums of_node_;
  GradedSums of_left_;
  std::int64_t left_above_ = 0;   // pairs of which the better document is on the left
  std::int64_t right_above_ = 0;  // and on the right
};

/// For grades that are classes.
using Pairwise = PairwiseBy<PairTable>;
/// For grades that are real numbers.
using PairwiseOnRanks = PairwiseBy<PairRanks>;

/// The most distinct grades for which Pairwise is made: a table of 32 KiB. The two count the same
/// pairs; by difference they round differently.
inline constexpr std::size_t kMostTabledGrades = 64;

}  // namespace rankforest
