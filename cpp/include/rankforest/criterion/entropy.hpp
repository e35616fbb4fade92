#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/criterion/graded.hpp"

namespace rankforest {

/// Entropy of the grades as classes (Ibrahim 2020, algorithm 1): the gain of a division is
/// |D| H(D) - |D_left| H(D_left) - |D_right| H(D_right), in bits. It is the paper's gain times the
/// weight of the node, so that gains of different nodes compare.
///
/// |D| H(D) = p(|D|) - sum p(|D_c|) with p(x) = x log2 x; p is rounded to a fixed point, which
/// makes sums of it exact. As p(x) + p(y) <= p(x + y), no sum is above p of all documents, 2^52;
/// their weight is below 2^52 itself: 2^32 documents of weights up to 2^20.
class Entropy {
 public:
  explicit Entropy(const GradedDocuments& documents)
      : weight_unit_(documents.weight_unit()),
        all_(documents.grades().size()),
        left_(all_.size()),
        right_(all_.size()) {}

  void BeginTree(const NodeRows<GradedTarget>& documents) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) total += WeightOf(documents, i);
    int bits = 1;
    while ((total >> bits) != 0) ++bits;
    if (bits != bits_) SetScale(bits);
  }

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    for (const std::uint32_t grade : grades_) all_[grade] = left_[grade] = right_[grade] = 0;
    grades_.clear();
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::uint64_t weight = WeightOf(node, i);
      if (weight == 0) continue;
      const std::uint32_t grade = node.targets[i].grade;
      if (all_[grade] == 0) grades_.push_back(grade);
      all_[grade] += weight;
    }
    of_node_ = {0, 0};
    for (const std::uint32_t grade : grades_) {
      of_node_.weight += all_[grade];
      of_node_.classes += P(all_[grade]);
    }
    Clear();
    return true;
  }

  void Clear() {
    for (const std::uint32_t grade : grades_) {
      left_[grade] = 0;
      right_[grade] = all_[grade];
    }
    of_left_ = {0, 0};
    of_right_ = of_node_;
  }

  void MoveLeft(std::size_t i) {
    const std::uint32_t grade = node_.targets[i].grade;
    const std::uint64_t weight = WeightOf(node_, i);
    of_left_.classes += P(left_[grade] + weight) - P(left_[grade]);
    of_right_.classes += P(right_[grade] - weight) - P(right_[grade]);
    of_left_.weight += weight;
    of_right_.weight -= weight;
    left_[grade] += weight;
    right_[grade] -= weight;
  }

  /// A gain within the rounding of its terms is 0.
  [[nodiscard]] double Gain() const {
    const std::int64_t gain = Bits(of_node_) - Bits(of_left_) - Bits(of_right_);
    const auto rounding = static_cast<std::int64_t>(12 * (1 + all_.size()));
    return gain > rounding ? static_cast<double>(gain) * p_unit_ * weight_unit_ : 0.0;
  }

  /// |D| H(D).
  [[nodiscard]] double Impurity() const {
    return static_cast<double>(Bits(of_node_)) * p_unit_ * weight_unit_;
  }

 private:
  /// One side of a division.
  struct Side {
    std::uint64_t weight = 0;
    std::int64_t classes = 0;  ///< sum of p over the grades
  };

  static std::uint64_t WeightOf(const NodeRows<GradedTarget>& node, std::size_t i) {
    return std::uint64_t{node.targets[i].weight} * node.Count(i);
  }

  [[nodiscard]] std::int64_t Bits(const Side& side) const { return P(side.weight) - side.classes; }

  [[nodiscard]] std::int64_t P(std::uint64_t x) const {
    return x < table_.size() ? table_[x] : Compute(x);
  }
  [[nodiscard]] std::int64_t Compute(std::uint64_t x) const {
    if (x < 2) return 0;
    const auto real = static_cast<double>(x);
    return detail::Truncated<std::int64_t>(real * Log2(real) / p_unit_ + 0.5);
  }

  /// The scale for a total weight of so many bits: p of it has 52.
  void SetScale(int bits) {
    bits_ = bits;
    int log2 = 0;
    while ((bits >> log2) != 0) ++log2;
    p_unit_ = detail::PowerOfTwo(bits + log2 - 52);
    table_.clear();
    const std::size_t size =
        std::min<std::size_t>(kMostTabled, std::size_t{1} << std::min(bits, 30));
    for (std::uint64_t x = 0; x < size; ++x) table_.push_back(Compute(x));
  }

  static constexpr std::size_t kMostTabled = 16384;  // 128 KiB

  double weight_unit_;
  double p_unit_ = 1.0;
  int bits_ = 0;
  std::vector<std::int64_t> table_;  // p of small weights
  NodeRows<GradedTarget> node_;
  std::vector<std::uint64_t> all_;  // weight of each grade in the node, and on its sides
  std::vector<std::uint64_t> left_;
  std::vector<std::uint64_t> right_;
  std::vector<std::uint32_t> grades_;  // those that have weight in the node: others stay 0
  Side of_node_;
  Side of_left_;
  Side of_right_;
};

}  // namespace rankforest
