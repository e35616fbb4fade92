#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/criterion/relevance.hpp"

namespace rankforest {

// Criteria on grades judge a division of a node's documents by what they are: their grades, and
// the queries that they belong to. Gradients cannot say that, so these criteria have a search of
// their own, which moves documents from the right to the left one by one (tree/graded_search.hpp).
// One at work, in one grower, is
//
//   BeginTree(documents)   a new tree; its root
//   Begin(node)            the documents of a node, all of them on the right; false if no division
//                          of them can gain
//   Clear()                back to all of them on the right
//   MoveLeft(i)            document i of the node, from the right to the left
//   Gain()                 of the division as it stands, >= 0
//   Impurity()             of the node: what divisions of it and of its parts could gain together
//
// All of them add up integers, so that a division has one gain, however it was reached.

/// A document as these criteria see it.
struct GradedTarget {
  QueryId query = 0;
  std::uint32_t grade = 0;   ///< index among the distinct grades of the data set, ascending
  std::uint32_t weight = 1;  ///< in units of GradedDocuments::weight_unit()

  /// Whether no division of the two can gain.
  friend bool operator==(const GradedTarget& a, const GradedTarget& b) {
    return a.grade == b.grade;
  }
};

/// The documents of a data set as these criteria see them.
class GradedDocuments {
 public:
  GradedDocuments(const Dataset& data, Relevance relevance) {
    grades_.assign(data.grades().begin(), data.grades().end());
    std::sort(grades_.begin(), grades_.end());
    grades_.erase(std::unique(grades_.begin(), grades_.end()), grades_.end());
    SetTargets(data);
    SetValues(data.n_documents(), relevance);
  }

  /// Of each document.
  [[nodiscard]] Span<const GradedTarget> targets() const { return targets_; }
  /// The distinct grades, ascending.
  [[nodiscard]] Span<const double> grades() const { return grades_; }
  /// What the mean of a leaf is taken of, for each distinct grade, in units of value_unit().
  [[nodiscard]] Span<const std::int64_t> values() const { return values_; }
  [[nodiscard]] double value_unit() const { return value_unit_; }
  /// The weight that stands for 1 in a target.
  [[nodiscard]] double weight_unit() const { return weight_unit_; }
  /// Weights of targets are at most 2^weight_bits(); 0 where all are 1.
  [[nodiscard]] int weight_bits() const { return weight_bits_; }

 private:
  /// Bits of a weight, where weights differ.
  static constexpr int kWeightBits = 20;
  /// Bits of a value, where there is room.
  static constexpr int kValueBits = 40;

  void SetTargets(const Dataset& data) {
    const Span<const double> weights = data.weights();
    FixedPointScale scale;
    if (!weights.empty()) {
      scale = FixedPointScale(*std::max_element(weights.begin(), weights.end()), kWeightBits);
      weight_unit_ = scale.ToReal(1);
      weight_bits_ = kWeightBits;
    }
    targets_.resize(data.n_documents());
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
        const auto* const grade =
            std::lower_bound(grades_.data(), grades_.data() + grades_.size(), data.grades()[d]);
        targets_[d] = {
            static_cast<QueryId>(q), static_cast<std::uint32_t>(grade - grades_.data()),
            weights.empty() ? 1U : static_cast<std::uint32_t>(scale.ToInteger(weights[d]))};
      }
    }
  }

  /// As many bits as leave room for the weighted sum of all documents: n documents of weights up to
  /// 2^weight_bits and values up to 2^bits are below 2^62. A sample has at most n, repeats
  /// included.
  void SetValues(std::size_t n_documents, Relevance relevance) {
    int bits = 61 - weight_bits_;
    for (std::size_t n = n_documents; n != 0; n >>= 1) --bits;
    const FixedPointScale scale(RelevanceOf(grades_.back(), relevance), std::min(bits, kValueBits));
    value_unit_ = scale.ToReal(1);
    for (const double grade : grades_) {
      values_.push_back(scale.ToInteger(RelevanceOf(grade, relevance)));
    }
  }

  std::vector<GradedTarget> targets_;
  std::vector<double> grades_;
  std::vector<std::int64_t> values_;
  double value_unit_ = 1.0;
  double weight_unit_ = 1.0;
  int weight_bits_ = 0;
};

/// x / 2^shift, rounded to nearest, halves up: a weight of fewer bits.
[[nodiscard]] inline std::uint32_t RoundedShift(std::uint32_t x, int shift) {
  return shift == 0 ? x : (x + (std::uint32_t{1} << (shift - 1))) >> shift;
}

/// Sums over a set of documents.
struct GradedSums {
  std::int64_t weight = 0;  ///< repeats included
  std::int64_t value = 0;   ///< weighted

  /// @param values  of each distinct grade
  void Add(const NodeRows<GradedTarget>& node, std::size_t i, Span<const std::int64_t> values) {
    const std::int64_t times = std::int64_t{node.targets[i].weight} * node.Count(i);
    weight += times;
    value += times * values[node.targets[i].grade];
  }
  friend GradedSums operator-(const GradedSums& a, const GradedSums& b) {
    return {a.weight - b.weight, a.value - b.value};
  }

  /// The same double for equal means, in units of a value; 0 for documents without weight.
  [[nodiscard]] double Mean() const {
    return weight > 0 ? static_cast<double>(value) / static_cast<double>(weight) : 0.0;
  }
};

/// What a tree's growth needs to know of criteria on grades. Leaves are steps on the gradients:
/// the mean of what the objective fits.
class Graded {
 public:
  using Target = GradedTarget;

  struct Stats {
    std::uint64_t count = 0;  ///< documents, repeats included

    void Add(const Target& /*target*/, std::uint32_t times) { count += times; }
  };

  class Scaled {
   public:
    Scaled(const Graded& criterion, const GradientScales& /*scales*/)
        : targets_(criterion.documents_->targets()) {}
    [[nodiscard]] Target ToTarget(RowId row, const GradientPair& /*pair*/) const {
      return targets_[row];
    }
    /// Each criterion on grades has its own: see GradedEngine.
    [[nodiscard]] static double Impurity(const NodeRows<Target>& /*node*/, const Stats& /*stats*/) {
      return 1.0;
    }

   private:
    Span<const GradedTarget> targets_;
  };

  explicit Graded(std::shared_ptr<const GradedDocuments> documents)
      : documents_(std::move(documents)) {}

  [[nodiscard]] static double LeafValue(double grad, double hess) {
    return Newton{}.LeafValue(grad, hess);
  }

 private:
  std::shared_ptr<const GradedDocuments> documents_;
};

}  // namespace rankforest
