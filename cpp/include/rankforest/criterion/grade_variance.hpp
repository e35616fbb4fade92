#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/criterion/graded.hpp"

namespace rankforest {

/// The drop in squared error (Ibrahim 2020, algorithm 3), as a criterion on grades: what hybrid
/// trees go on with. Alone it grows the trees of Newton, which looks at several features at once.
class GradeVariance {
 public:
  explicit GradeVariance(const GradedDocuments& documents)
      : values_(documents.values()),
        value_unit_(documents.value_unit()),
        weight_unit_(documents.weight_unit()) {}

  void BeginTree(const NodeRows<GradedTarget>& /*documents*/) {}

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    all_ = {};
    for (std::size_t i = 0; i < node.size(); ++i) all_.Add(node, i, values_);
    Clear();
    return true;
  }

  void Clear() { left_ = {}; }
  void MoveLeft(std::size_t i) { left_.Add(node_, i, values_); }

  [[nodiscard]] double Gain() const {
    const double left = weight_unit_ * static_cast<double>(left_.weight);
    const double right = weight_unit_ * static_cast<double>(all_.weight - left_.weight);
    if (left <= 0.0 || right <= 0.0) return 0.0;
    const double unit = weight_unit_ * value_unit_;
    const double difference = unit * static_cast<double>(left_.value) * right -
                              unit * static_cast<double>(all_.value - left_.value) * left;
    return difference * difference / (left * right * (left + right));
  }

  /// The sum of squares around the mean.
  [[nodiscard]] double Impurity() const {
    const double mean = all_.Mean();
    double sum = 0.0;
    for (std::size_t i = 0; i < node_.size(); ++i) {
      const double weight = static_cast<double>(node_.targets[i].weight) * node_.Count(i);
      const double off = static_cast<double>(values_[node_.targets[i].grade]) - mean;
      sum += weight * off * off;
    }
    return weight_unit_ * value_unit_ * value_unit_ * sum;
  }

 private:
  Span<const std::int64_t> values_;
  double value_unit_;
  double weight_unit_;
  NodeRows<GradedTarget> node_;
  GradedSums all_;
  GradedSums left_;
};

}  // namespace rankforest
