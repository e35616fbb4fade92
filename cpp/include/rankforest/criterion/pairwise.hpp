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

/// Correctly ranked pairs (Ibrahim 2020, algorithm 4): the gain of a division is the number of
/// pairs of documents of a query, one on each side, of which the one on the side with the larger
/// mean relevance has the larger grade, weighted by the query and, if asked for, by the difference
/// of the grades. Where both sides have the same mean the left one counts as the larger, as the
/// algorithm is written.
///
/// How many documents of each grade a query has on each side is enough to count its pairs: none
/// is looked at.
class Pairwise {
 public:
  Pairwise(const GradedDocuments& documents, PairWeight weight)
      : values_(documents.values()), n_grades_(documents.grades().size()) {
    const Span<const double> grades = documents.grades();
    FixedPointScale scale;
    if (weight == PairWeight::kDifference) {
      scale = FixedPointScale(grades[n_grades_ - 1] - grades[0], kDifferenceBits);
    }
    unit_ = scale.ToReal(1) * documents.weight_unit();
    for (std::size_t a = 0; a < n_grades_; ++a) {
      for (std::size_t b = 0; b < n_grades_; ++b) {
        const double difference = a < b ? grades[b] - grades[a] : grades[a] - grades[b];
        pair_weights_.push_back(weight == PairWeight::kOne ? 1 : scale.ToInteger(difference));
      }
    }
  }

  void BeginTree(const NodeRows<GradedTarget>& /*documents*/) {}

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    first_cell_.resize(node.size());  // documents of a query are neighbours
    std::size_t cell = 0;
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (i > 0 && node.targets[i].query != node.targets[i - 1].query) cell += n_grades_;
      first_cell_[i] = cell;
    }
    all_.assign(cell + n_grades_, 0);
    of_node_ = {};
    bool has_pairs = false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const bool same_query = i > 0 && first_cell_[i] == first_cell_[i - 1];
      has_pairs |= same_query && node.targets[i].grade != node.targets[i - 1].grade;
      all_[first_cell_[i] + node.targets[i].grade] += node.Count(i);
      of_node_.Add(node, i, values_);
    }
    if (has_pairs) Clear();
    return has_pairs;
  }

  void Clear() {
    left_.assign(all_.size(), 0);
    right_ = all_;
    of_left_ = {};
    left_above_ = 0;
    right_above_ = 0;
  }

  void MoveLeft(std::size_t i) {
    const std::size_t grade = node_.targets[i].grade;
    const std::int64_t times = node_.Count(i);
    std::int64_t* const left = left_.data() + first_cell_[i];
    std::int64_t* const right = right_.data() + first_cell_[i];
    left[grade] += times;
    right[grade] -= times;
    const std::int64_t* const weights = pair_weights_.data() + grade * n_grades_;
    std::int64_t left_above = 0;
    std::int64_t right_above = 0;
    for (std::size_t g = 0; g < grade; ++g) {
      left_above += weights[g] * right[g];
      right_above -= weights[g] * left[g];
    }
    for (std::size_t g = grade + 1; g < n_grades_; ++g) {
      left_above -= weights[g] * left[g];
      right_above += weights[g] * right[g];
    }
    const std::int64_t factor = times * node_.targets[i].weight;
    left_above_ += factor * left_above;
    right_above_ += factor * right_above;
    of_left_.Add(node_, i, values_);
  }

  [[nodiscard]] double Gain() const {
    const bool right_is_larger = of_left_.Mean() < (of_node_ - of_left_).Mean();
    return unit_ * static_cast<double>(right_is_larger ? right_above_ : left_above_);
  }

 private:
  static constexpr int kDifferenceBits = 12;

  Span<const std::int64_t> values_;
  std::size_t n_grades_;
  double unit_ = 1.0;
  std::vector<std::int64_t> pair_weights_;  // by two grades
  NodeRows<GradedTarget> node_;
  std::vector<std::size_t> first_cell_;  // of each document's query
  std::vector<std::int64_t> all_;        // documents of each query and grade
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> right_;
  GradedSums of_node_;
  GradedSums of_left_;
  std::int64_t left_above_ = 0;   // pairs of which the better document is on the left
  std::int64_t right_above_ = 0;  // and on the right
};

}  // namespace rankforest
