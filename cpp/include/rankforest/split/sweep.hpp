#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/float_order.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"

namespace rankforest {

/// Divides the documents of one node by the values of one feature, for a visitor that follows:
///
///   Clear()         all documents are on the right
///   MoveLeft(i)     document i of the node goes to the left
///   Considers()     the division is a split that keeps to the rules; whether to call
///   Take(split)     with it: all of it but its gain
///
/// @tparam Column  PresortedColumn or BinnedColumn
/// @tparam Stats   with a member `count`
template <class Column, class Target, class Stats>
class Sweep {
 public:
  Sweep(const Column& column, FeatureId feature, const NodeRows<Target>& node,
        const SplitRules& rules, std::vector<std::uint64_t>& keys)
      : column_(column), node_(node), rules_(rules), keys_(keys) {
    at_.feature = feature;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const bool is_missing = column.codes[node.rows[i]] == column.missing_code();
      (is_missing ? missing_ : values_) += node.Count(i);
    }
    at_.saw_missing = missing_ > 0;
  }

  /// Every boundary between neighbouring values, with NaN on the right and on the left; and NaN
  /// against all values.
  template <class Visitor>
  void EveryThreshold(Visitor& visitor) {
    if (values_ < rules_.min_samples_leaf) return;
    SortValues();
    ForEachPlacement(
        [&](std::uint64_t left) {
          for (std::size_t k = 0; k < keys_.size();) {
            const Code code = CodeOf(k);
            for (; k < keys_.size() && CodeOf(k) == code; ++k) left += Move(PositionOf(k), visitor);
            const bool is_last = k == keys_.size();
            if (is_last && (missing_ == 0 || at_.missing == MissingTo::kLeft)) return;
            if (!IsAllowed(left) || !visitor.Considers()) continue;
            at_.cut = code;
            at_.threshold = is_last ? AboveAll(column_.Largest())
                                    : Midpoint(column_.Highest(code), column_.Lowest(CodeOf(k)));
            Offer(left, visitor);
          }
        },
        visitor);
  }

  /// One threshold, drawn by RandomThreshold, with NaN on the right and on the left.
  template <class Visitor>
  void DrawnThreshold(const Rng& node_rng, Visitor& visitor) {
    Code first = column_.missing_code();
    Code last = 0;
    for (std::size_t i = 0; i < node_.size(); ++i) {
      const Code code = column_.codes[node_.rows[i]];
      if (code == column_.missing_code()) continue;
      first = std::min(first, code);
      last = std::max(last, code);
    }
    if (first >= last) return;
    RandomThreshold::Place(column_, first, last, node_rng, at_);
    ForEachPlacement(
        [&](std::uint64_t left) {
          for (std::size_t i = 0; i < node_.size(); ++i) {
            if (column_.codes[node_.rows[i]] <= at_.cut) left += Move(i, visitor);
          }
          if (IsAllowed(left) && visitor.Considers()) Offer(left, visitor);
        },
        visitor);
  }

 private:
  /// Calls `from(left)` with NaN on the right, then with NaN, `left` documents, on the left.
  template <class From, class Visitor>
  void ForEachPlacement(const From& from, Visitor& visitor) {
    for (const MissingTo missing : {MissingTo::kLeft, MissingTo::kRight}) {
      if (missing == MissingTo::kRight && missing_ == 0) return;
      at_.missing = missing;
      visitor.Clear();
      std::uint64_t left = 0;
      if (missing == MissingTo::kLeft && missing_ > 0) {
        for (std::size_t i = 0; i < node_.size(); ++i) {
          const bool is_missing = column_.codes[node_.rows[i]] == column_.missing_code();
          if (is_missing) left += Move(i, visitor);
        }
      }
      from(left);
    }
  }

  /// The node's values, ascending: code and position of each document that has one.
  void SortValues() {
    keys_.clear();
    for (std::size_t i = 0; i < node_.size(); ++i) {
      const Code code = column_.codes[node_.rows[i]];
      if (code != column_.missing_code()) keys_.push_back(std::uint64_t{code} << 32 | i);
    }
    std::sort(keys_.begin(), keys_.end());
  }
  [[nodiscard]] Code CodeOf(std::size_t k) const { return static_cast<Code>(keys_[k] >> 32); }
  [[nodiscard]] std::size_t PositionOf(std::size_t k) const {
    return static_cast<std::uint32_t>(keys_[k]);
  }

  template <class Visitor>
  std::uint64_t Move(std::size_t i, Visitor& visitor) {
    visitor.MoveLeft(i);
    return node_.Count(i);
  }

  [[nodiscard]] bool IsAllowed(std::uint64_t left) const {
    return left >= rules_.min_samples_leaf && values_ + missing_ - left >= rules_.min_samples_leaf;
  }

  template <class Visitor>
  void Offer(std::uint64_t left, Visitor& visitor) {
    at_.left.count = left;
    at_.right.count = values_ + missing_ - left;
    visitor.Take(at_);
  }

  const Column& column_;
  NodeRows<Target> node_;
  SplitRules rules_;
  std::vector<std::uint64_t>& keys_;
  Split<Stats> at_;
  std::uint64_t missing_ = 0;  // documents, repeats included
  std::uint64_t values_ = 0;
};

}  // namespace rankforest
