#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/pair_table.hpp"
#include "rankforest/criterion/settings.hpp"

namespace rankforest {

/// Counts pairs where a data set has many distinct grades, as labels that are real numbers: each
/// query of a node keeps its documents by the rank of their grade, in a tree of partial sums
/// (Fenwick, "A new data structure for cumulative frequency tables", 1994). A move costs the
/// logarithm of the query's documents; the memory is their number.
class PairRanks {
 public:
  /// Of a difference of grades, where there is room: twelve decimal digits.
  static constexpr int kDifferenceBits = 40;

  PairRanks(Span<const double> grades, PairWeight weight)
      : grades_(grades.begin(), grades.end()), weight_(weight) {
    SetDifferenceBits(kDifferenceBits);
  }

  /// Rounds grades to so many bits, counted from the lowest.
  void SetDifferenceBits(int bits) {
    FixedPointScale scale;
    const bool by_difference = weight_ == PairWeight::kDifference;
    if (by_difference) scale = FixedPointScale(grades_.back() - grades_.front(), bits);
    unit_ = scale.ToReal(1);
    values_.clear();
    for (const double grade : grades_) {
      values_.push_back(by_difference ? scale.ToInteger(grade - grades_.front()) : 0);
    }
  }

  /// What a pair that counts 1 is worth.
  [[nodiscard]] double unit() const { return unit_; }

  /// All documents of a node are on the right; whether there is a pair.
  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    queries_.clear();
    query_of_.resize(node.size());
    rank_of_.resize(node.size());
    all_below_.clear();
    bool has_pairs = false;
    for (std::size_t i = 0; i < node.size();) {
      const std::size_t begin = i;
      do {
        query_of_[i++] = queries_.size();
      } while (i < node.size() && node.targets[i].query == node.targets[begin].query);
      has_pairs |= AddQuery(begin, i) > 1;
    }
    if (has_pairs) Clear();
    return has_pairs;
  }

  void Clear() {
    tree_.assign(all_below_.size(), {});
    left_.assign(all_below_.size(), {});
    for (Query& query : queries_) query.left = {};
  }

  PairChange MoveLeft(std::size_t i) {
    Query& query = queries_[query_of_[i]];
    const std::size_t rank = rank_of_[i];
    const std::size_t cell = query.first_cell + rank;
    const std::int64_t value = values_[node_.targets[i].grade];
    const Documents left_below = LeftBelow(query, rank);
    const Documents left_above = query.left - left_below - left_[cell];
    const Documents right_below = all_below_[cell] - left_below;
    const Documents right_above = query.all - all_below_[cell + 1] - left_above;
    const std::int64_t times = node_.Count(i);
    const Documents moved = {times, times * value};
    left_[cell] += moved;
    query.left += moved;
    for (std::size_t k = rank + 1; k <= query.n_ranks; k += k & (~k + 1)) {
      tree_[query.first_cell + k - 1] += moved;
    }
    return {times * (Below(right_below, value) - Above(left_above, value)),
            times * (Above(right_above, value) - Below(left_below, value))};
  }

 private:
  /// Some documents of a query, repeats included.
  struct Documents {
    std::int64_t n = 0;
    std::int64_t value = 0;  ///< sum of their grades, in units

    Documents& operator+=(const Documents& other) {
      n += other.n;
      value += other.value;
      return *this;
    }
    friend Documents operator-(const Documents& a, const Documents& b) {
      return {a.n - b.n, a.value - b.value};
    }
  };

  /// One of the node's queries. It has a cell for each of its distinct grades, and one more.
  struct Query {
    std::size_t first_cell = 0;
    std::size_t n_ranks = 0;
    Documents all;
    Documents left;
  };

  /// What pairs count with a document of this grade: each 1, or the difference.
  [[nodiscard]] std::int64_t Below(const Documents& worse, std::int64_t value) const {
    return weight_ == PairWeight::kOne ? worse.n : value * worse.n - worse.value;
  }
  [[nodiscard]] std::int64_t Above(const Documents& better, std::int64_t value) const {
    return weight_ == PairWeight::kOne ? better.n : better.value - value * better.n;
  }

  /// Takes in the documents [begin, end) of the node; the number of their distinct grades.
  std::size_t AddQuery(std::size_t begin, std::size_t end) {
    ranks_.clear();
    for (std::size_t i = begin; i < end; ++i) ranks_.push_back(node_.targets[i].grade);
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
    Query query;
    query.first_cell = all_below_.size();
    query.n_ranks = ranks_.size();
    all_below_.resize(query.first_cell + query.n_ranks + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t grade = node_.targets[i].grade;
      const auto rank = std::lower_bound(ranks_.begin(), ranks_.end(), grade) - ranks_.begin();
      rank_of_[i] = static_cast<std::uint32_t>(rank);
      const std::int64_t times = node_.Count(i);
      all_below_[query.first_cell + rank_of_[i] + 1] += {times, times * values_[grade]};
    }
    for (std::size_t rank = 0; rank < query.n_ranks; ++rank) {
      all_below_[query.first_cell + rank + 1] += all_below_[query.first_cell + rank];
    }
    query.all = all_below_.back();
    queries_.push_back(query);
    return query.n_ranks;
  }

  /// The documents on the left of less than this rank.
  [[nodiscard]] Documents LeftBelow(const Query& query, std::size_t rank) const {
    Documents sum;
    for (std::size_t k = rank; k > 0; k &= k - 1) sum += tree_[query.first_cell + k - 1];
    return sum;
  }

  std::vector<double> grades_;
  PairWeight weight_;
  double unit_ = 1.0;
  std::vector<std::int64_t> values_;  // of each distinct grade, in units
  NodeRows<GradedTarget> node_;
  std::vector<Query> queries_;
  std::vector<std::size_t> query_of_;   // of each document of the node
  std::vector<std::uint32_t> rank_of_;  // of its grade among those of its query
  std::vector<Documents> all_below_;    // of each cell: the query's documents of lower ranks
  std::vector<Documents> left_;         // of each cell: those of its rank on the left
  std::vector<Documents> tree_;         // of partial sums of them
  std::vector<std::uint32_t> ranks_;    // scratch: the distinct grades of a query
};

}  // namespace rankforest
