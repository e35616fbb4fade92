#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::detail {

/// Ranks the documents of a query by score as far as it is asked to. Keeps its memory.
class BestFirst {
 public:
  /// A place among the documents to rank, with the score there.
  struct Record {
    double score;
    std::uint32_t place;

    /// Descending scores, equal ones in the order of their places: no two records are equal.
    friend bool operator<(const Record& a, const Record& b) {
      return a.score != b.score ? a.score > b.score : a.place < b.place;
    }
  };

  /// The best `top` documents of `rows` in the order of their ranks, then the others in theirs.
  /// Valid until the next call.
  Span<const Record> Rank(Span<const RowId> rows, Span<const double> scores, std::size_t top) {
    records_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      records_[i] = {scores[rows[i]], static_cast<std::uint32_t>(i)};
    }
    return Sort(top);
  }

  /// The same of documents whose scores stand one after the other.
  Span<const Record> Rank(Span<const double> scores, std::size_t top) {
    records_.resize(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      records_[i] = {scores[i], static_cast<std::uint32_t>(i)};
    }
    return Sort(top);
  }

 private:
  /// Up to here insertion beats a heap: most documents are not among so few, and one look says so.
  static constexpr std::size_t kInsertAtMost = 32;

  /// The best `top` records in order, then the others in that of their places.
  Span<const Record> Sort(std::size_t top) {
    if (top >= records_.size()) {
      std::sort(records_.begin(), records_.end());
      return records_;
    }
    if (top == 0) return records_;
    ranked_.resize(records_.size());
    const auto tail = ranked_.begin() + static_cast<std::ptrdiff_t>(top);
    if (top <= kInsertAtMost) {
      InsertBest(top);
    } else {
      std::partial_sort_copy(records_.begin(), records_.end(), ranked_.begin(), tail);
    }
    const Record last = ranked_[top - 1];
    std::copy_if(records_.begin(), records_.end(), tail,
                 [&last](const Record& record) { return last < record; });
    return ranked_;
  }

  /// Sorts the best `top` of more records into ranked_.
  void InsertBest(std::size_t top) {
    std::size_t size = 0;
    for (const Record& record : records_) {
      // Of equal scores those that are there stay before those that come.
      if (size == top && !(record.score > ranked_[top - 1].score)) continue;
      std::size_t rank = size < top ? size++ : top - 1;
      for (; rank > 0 && record.score > ranked_[rank - 1].score; --rank) {
        ranked_[rank] = ranked_[rank - 1];
      }
      ranked_[rank] = record;
    }
  }

  std::vector<Record> records_;
  std::vector<Record> ranked_;
};

}  // namespace rankforest::detail
