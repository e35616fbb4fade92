#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/settings.hpp"

namespace rankforest {

/// By how much the pairs change of which the better document is on the left and the worse on the
/// right, and those the other way round.
struct PairChange {
  std::int64_t left_above = 0;
  std::int64_t right_above = 0;
};

/// Counts pairs where a data set has few distinct grades: how many documents of each grade a query
/// has on each side. A move costs as much as there are grades; the memory is their number times
/// that of the node's queries, and its square.
class PairTable {
 public:
  /// Of a difference of grades, where there is room.
  static constexpr int kDifferenceBits = 12;

  PairTable(Span<const double> grades, PairWeight weight)
      : grades_(grades.begin(), grades.end()), weight_(weight) {
    SetDifferenceBits(kDifferenceBits);
  }

  /// Rounds differences of grades to so many bits.
  void SetDifferenceBits(int bits) {
    FixedPointScale scale;
    if (weight_ == PairWeight::kDifference) {
      scale = FixedPointScale(grades_.back() - grades_.front(), bits);
    }
    unit_ = scale.ToReal(1);
    differences_.clear();
    for (const double a : grades_) {
      for (const double b : grades_) {
        differences_.push_back(
            weight_ == PairWeight::kOne ? 1 : scale.ToInteger(a < b ? b - a : a - b));
      }
    }
  }

  /// What a pair that counts 1 is worth.
  [[nodiscard]] double unit() const { return unit_; }

  /// All documents of a node are on the right; whether there is a pair.
  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    first_cell_.resize(node.size());  // documents of a query are neighbours
    std::size_t cell = 0;
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (i > 0 && node.targets[i].query != node.targets[i - 1].query) cell += grades_.size();
      first_cell_[i] = cell;
    }
    all_.assign(cell + grades_.size(), 0);
    bool has_pairs = false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const bool same_query = i > 0 && first_cell_[i] == first_cell_[i - 1];
      has_pairs |= same_query && node.targets[i].grade != node.targets[i - 1].grade;
      all_[first_cell_[i] + node.targets[i].grade] += node.Count(i);
    }
    if (has_pairs) Clear();
    return has_pairs;
  }

  void Clear() {
    left_.assign(all_.size(), 0);
    right_ = all_;
  }

  PairChange MoveLeft(std::size_t i) {
    const std::size_t grade = node_.targets[i].grade;
    const std::int64_t times = node_.Count(i);
    std::int64_t* const left = left_.data() + first_cell_[i];
    std::int64_t* const right = right_.data() + first_cell_[i];
    left[grade] += times;
    right[grade] -= times;
    const std::int64_t* const differences = differences_.data() + grade * grades_.size();
    PairChange change;
    for (std::size_t g = 0; g < grade; ++g) {
      change.left_above += differences[g] * right[g];
      change.right_above -= differences[g] * left[g];
    }
    for (std::size_t g = grade + 1; g < grades_.size(); ++g) {
      change.left_above -= differences[g] * left[g];
      change.right_above += differences[g] * right[g];
    }
    return {times * change.left_above, times * change.right_above};
  }

 private:
  std::vector<double> grades_;
  PairWeight weight_;
  double unit_ = 1.0;
  std::vector<std::int64_t> differences_;  // of two grades
  NodeRows<GradedTarget> node_;
  std::vector<std::size_t> first_cell_;  // of each document's query
  std::vector<std::int64_t> all_;        // documents of each query and grade
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> right_;
};

}  // namespace rankforest
