#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/ranked_list.hpp"

namespace rankforest::detail {

/// Pairs of documents of a ranking, counted by grade and rank. A pair is concordant if the
/// document of higher grade has the better rank, discordant if the other one has.
struct PairCounts {
  std::uint64_t concordant = 0;
  std::uint64_t discordant = 0;
  std::uint64_t in_blocks = 0;  ///< pairs in blocks of tied scores, whatever their grades
  std::uint64_t tied = 0;       ///< of these, those of different grades
};

/// n (n - 1) / 2.
inline std::uint64_t PairsOf(std::size_t n) {
  return n < 2 ? 0 : static_cast<std::uint64_t>(n) * (n - 1) / 2;
}

/// The pairs of equal grades.
inline std::uint64_t PairsOfEqualGrades(Span<const double> sorted_grades) {
  std::uint64_t pairs = 0;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= sorted_grades.size(); ++i) {
    if (i < sorted_grades.size() && sorted_grades[i] == sorted_grades[begin]) continue;
    pairs += PairsOf(i - begin);
    begin = i;
  }
  return pairs;
}

/// How many documents of each grade were passed: a Fenwick tree over the different grades.
class GradeCounts {
 public:
  explicit GradeCounts(Span<const double> grades) : distinct_(grades.begin(), grades.end()) {
    std::sort(distinct_.begin(), distinct_.end());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
    sums_.assign(distinct_.size() + 1, 0);
  }

  void Add(double grade) {
    for (std::size_t i = Index(grade) + 1; i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
    ++total_;
  }
  [[nodiscard]] std::uint64_t Below(double grade) const { return Sum(Index(grade)); }
  [[nodiscard]] std::uint64_t Above(double grade) const { return total_ - Sum(Index(grade) + 1); }

 private:
  [[nodiscard]] std::size_t Index(double grade) const {
    const auto place = std::lower_bound(distinct_.begin(), distinct_.end(), grade);
    return static_cast<std::size_t>(place - distinct_.begin());
  }

  /// Of the `n` lowest different grades.
  [[nodiscard]] std::uint64_t Sum(std::size_t n) const {
    std::uint64_t sum = 0;
    for (std::size_t i = n; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

  std::vector<double> distinct_;  // ascending
  std::vector<std::uint64_t> sums_;
  std::uint64_t total_ = 0;
};

/// Counts the pairs of a whole list in O(n log n).
inline PairCounts CountPairs(const RankedList& list) {
  PairCounts counts;
  GradeCounts passed(list.grades);
  std::vector<double> block;
  std::size_t begin = 0;
  for (const std::size_t end : list.ends) {
    const Span<const double> grades = list.grades.subspan(begin, end - begin);
    for (const double grade : grades) {
      counts.concordant += passed.Above(grade);
      counts.discordant += passed.Below(grade);
    }
    for (const double grade : grades) passed.Add(grade);
    if (grades.size() > 1) {
      block.assign(grades.begin(), grades.end());
      std::sort(block.begin(), block.end());
      counts.in_blocks += PairsOf(block.size());
      counts.tied += PairsOf(block.size()) - PairsOfEqualGrades(block);
    }
    begin = end;
  }
  return counts;
}

}  // namespace rankforest::detail
