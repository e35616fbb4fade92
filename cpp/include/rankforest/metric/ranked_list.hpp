#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// The documents of one query from the best rank on, as a metric sees them.
///
/// Ranks count from 0. Block b holds the ranks [ends[b - 1], ends[b]), whose order is random:
/// documents with equal scores under Ties::kAverage, else one document. The blocks cover the
/// ranks below the cutoff, and a block that the cutoff cuts is whole; ranks behind are left out.
struct RankedList {
  Span<const double> grades;
  Span<const std::size_t> ends;
  std::size_t n_documents = 0;  ///< of the query: at least grades.size()
};

/// What calculators know of all queries together.
struct DataExtent {
  std::size_t longest = 0;     ///< the most documents that a query has
  double highest_grade = 0.0;  ///< of all documents
};

/// Ranks the documents of one query after another; holds the scratch memory for it.
class Ranker {
 public:
  Ranker(Ties ties, std::size_t cutoff) : ties_(ties), cutoff_(cutoff) {}

  /// @param scores  of the documents of a query; no NaN
  /// @param grades  of the same
  /// @param rows    the caller's row numbers of the same; empty if they ascend
  /// @returns a view that is valid until the next call
  const RankedList& Rank(Span<const double> scores, Span<const double> grades,
                         Span<const RowId> rows) {
    entries_.resize(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      entries_[i] = {scores[i], TieKey(grades[i], i, rows), grades[i]};
    }
    const std::size_t depth = SortHead();
    grades_.clear();
    ends_.clear();
    for (std::size_t r = 0; r < depth; ++r) {
      const bool tied = r > 0 && entries_[r].score == entries_[r - 1].score;
      if (r > 0 && !(tied && ties_ == Ties::kAverage)) ends_.push_back(r);
      grades_.push_back(entries_[r].grade);
    }
    if (depth > 0) ends_.push_back(depth);
    list_ = {grades_, ends_, scores.size()};
    return list_;
  }

 private:
  struct Entry {
    double score;
    double tie;  ///< ascending among equal scores
    double grade;
  };

  /// Under kAverage the order within a block is free; by grade, sums over it have the same bits
  /// whatever the order of the input.
  [[nodiscard]] double TieKey(double grade, std::size_t position, Span<const RowId> rows) const {
    switch (ties_) {
      case Ties::kPessimistic:
        return grade;
      case Ties::kCanonical:
        return static_cast<double>(position);
      case Ties::kInput:
        return static_cast<double>(rows.empty() ? position : rows[position]);
      case Ties::kReversed:
        return -static_cast<double>(rows.empty() ? position : rows[position]);
      case Ties::kAverage:
      case Ties::kOptimistic:
        break;
    }
    return -grade;
  }

  /// Sorts the ranks below the cutoff and the documents tied with the last of them to the front.
  /// @returns how many those are
  std::size_t SortHead() {
    const auto before = [](const Entry& a, const Entry& b) {
      return a.score != b.score ? a.score > b.score : a.tie < b.tie;
    };
    auto end = entries_.end();
    if (cutoff_ < entries_.size()) {
      const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(cutoff_ - 1);
      std::nth_element(entries_.begin(), last, entries_.end(), before);
      const double score = last->score;
      end = last + 1;
      if (ties_ == Ties::kAverage) {
        end = std::partition(end, entries_.end(),
                             [score](const Entry& e) { return e.score == score; });
      }
    }
    std::sort(entries_.begin(), end, before);
    return static_cast<std::size_t>(end - entries_.begin());
  }

  Ties ties_;
  std::size_t cutoff_;
  std::vector<Entry> entries_;
  std::vector<double> grades_;
  std::vector<std::size_t> ends_;
  RankedList list_;
};

}  // namespace rankforest::detail
