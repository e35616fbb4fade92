#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::detail {

/// The queries of a round, shared out among threads. Keeps its memory.
class QueryWork {
 public:
  explicit QueryWork(const TrainingSet& training) : training_(training) {}

  /// Calls work(worker, query, documents) for every query that has documents in the sample. The
  /// documents are in the order in which equal scores rank: see core/scale_free_order.hpp.
  ///
  /// @param cost  (number of documents) -> about how much work that is, in units of a nanosecond
  template <class Cost, class Work>
  void ForEach(const RowSample& sample, const Cost& cost, const Work& work) {
    queries_ = QueryRanges(training_.data, sample);
    ShareOut(cost);
    const Span<const RowId> documents = InTieOrder(sample);
    ParallelFor(training_.threads, tasks_.size(), [&](std::size_t t, std::size_t worker) {
      for (std::size_t i = tasks_[t].begin; i < tasks_[t].end; ++i) {
        const QueryRange& range = queries_[i];
        work(worker, range.query, documents.subspan(range.begin, range.end - range.begin));
      }
    });
  }

 private:
  /// Consecutive queries, for one thread at a time.
  struct Task {
    std::size_t begin;
    std::size_t end;
    std::size_t cost;
  };

  /// A document in this many, and fewer, are sorted; more are picked out of all documents.
  static constexpr std::size_t kSparse = 16;

  /// The documents of a sample, those of each query in the order in which equal scores rank.
  Span<const RowId> InTieOrder(const RowSample& sample) {
    const Span<const RowId> all = training_.scale_free_order();
    if (sample.rows.size() == all.size()) return all;
    if (sample.rows.size() < all.size() / kSparse) return SortedByTies(sample);
    is_drawn_.assign(all.size(), 0);
    for (const RowId row : sample.rows) is_drawn_[row] = 1;
    drawn_.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(drawn_),
                 [this](RowId row) { return is_drawn_[row] != 0; });
    return drawn_;
  }

  Span<const RowId> SortedByTies(const RowSample& sample) {
    const Span<const RowId> places = training_.scale_free_places();
    drawn_ = sample.rows;
    for (const QueryRange& query : queries_) {
      std::sort(drawn_.data() + query.begin, drawn_.data() + query.end,
                [&](RowId a, RowId b) { return places[a] < places[b]; });
    }
    return drawn_;
  }

  /// A fraction of a millisecond.
  static constexpr std::size_t kCostOfTask = 50000;

  /// Cuts the queries into tasks, the longest first: so all threads end at about the same time.
  template <class Cost>
  void ShareOut(const Cost& cost) {
    tasks_.clear();
    Task task{0, 0, 0};
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      task.cost += cost(queries_[q].end - queries_[q].begin);
      task.end = q + 1;
      if (task.cost < kCostOfTask && task.end < queries_.size()) continue;
      tasks_.push_back(task);
      task = {q + 1, q + 1, 0};
    }
    std::sort(tasks_.begin(), tasks_.end(),
              [](const Task& a, const Task& b) { return a.cost > b.cost; });
  }

  TrainingSet training_;
  std::vector<QueryRange> queries_;
  std::vector<std::uint8_t> is_drawn_;  // of each document
  std::vector<RowId> drawn_;
  std::vector<Task> tasks_;
};

}  // namespace rankforest::detail
