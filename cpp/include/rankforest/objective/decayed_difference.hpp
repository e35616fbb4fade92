#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

/// What a pair of documents weighs in YetiRank: |difference of their grades| x decay^rank, with the
/// rank, from 0, of the one in front. A swap delta (metric/swap_delta.hpp) of no metric.
class DecayedDifference {
 public:
  /// @param decay  in (0, 1]
  explicit DecayedDifference(double decay) : decay_(decay) {}

  /// Sets the ranking.
  void Reset(Span<const double> ranked_grades) {
    grades_.assign(ranked_grades.begin(), ranked_grades.end());
    if (powers_.empty()) powers_.push_back(1.0);
    while (powers_.size() < grades_.size()) powers_.push_back(powers_.back() * decay_);
    is_flat_ = std::all_of(grades_.begin(), grades_.end(),
                           [this](double grade) { return grade == grades_[0]; });
  }

  [[nodiscard]] bool is_flat() const { return is_flat_; }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return std::abs(grades_[i] - grades_[j]) * powers_[std::min(i, j)];
  }

  /// Every rank counts.
  [[nodiscard]] std::size_t depth() const { return std::numeric_limits<std::size_t>::max(); }

 private:
  double decay_;
  std::vector<double> grades_;  // by rank
  std::vector<double> powers_;  // of the decay
  bool is_flat_ = true;
};

}  // namespace rankforest
