#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metrics_run.hpp"
#include "rankforest/metric/pooled_mean.hpp"

namespace rankforest {

/// A metric of the scores w_1 C_1(d) + ... + w_m C_m(d), with w the weights of some columns C,
/// where one weight changes and the others stand still.
///
/// Only what may change is looked at. The documents of a query are kept in the order of their
/// scores; those that cannot get above the metric's cutoff, whatever weight is tried, are left
/// out, and where those that are left keep their order, the query keeps its value.
///
/// Columns are a type with
///
///   std::size_t size() const                    how many there are
///   double Value(std::size_t j, std::size_t d)  column j of document d, in the order of queries
///   double Largest(std::size_t j) const         at least |Value(j, d)| for every d
///
/// The number of threads changes no bit.
template <class Columns>
class LineMetric {
 public:
  /// @param queries  borrowed, as are the columns
  /// @throws std::invalid_argument for a metric that is not of rankings, and as MetricsRun
  LineMetric(const Metric& metric, const JudgedQueries& queries, const Columns& columns,
             Threads threads)
      : metric_(Ranking(metric)),
        queries_(queries),
        columns_(columns),
        threads_(threads),
        run_({metric}, queries, threads),
        query_weights_(run_.query_weights().begin(), run_.query_weights().end()),
        documents_(queries.n_documents()),
        scores_(queries.n_documents()),
        scratch_(static_cast<std::size_t>(threads.count)) {
    SetWeights(std::vector<double>(columns.size(), 1.0));
  }

  /// Looks at some queries only from now on; false for those that are left out.
  void UseQueries(const std::vector<bool>& used) {
    assert(used.size() == queries_.n_queries());
    for (std::size_t q = 0; q < used.size(); ++q) {
      query_weights_[q] = used[q] ? run_.query_weights()[q] : 0.0;
    }
    value_ = Mean(values_);
  }

  /// How much each query counts in the mean; 0 where it is left out.
  [[nodiscard]] const std::vector<double>& query_weights() const { return query_weights_; }

  /// Sets all weights, and computes scores and values from the start.
  void SetWeights(std::vector<double> weights) {
    assert(weights.size() == columns_.size());
    weights_ = std::move(weights);
    const std::vector<double> scores = Scores();
    values_ = run_.Evaluate(scores).front().values;
    value_ = Mean(values_);
    ParallelFor(threads_, queries_.n_queries(), [&](std::size_t q) {
      const std::size_t begin = queries_.offsets[q];
      const std::size_t end = queries_.offsets[q + 1];
      for (std::size_t d = begin; d < end; ++d) documents_[d] = static_cast<RowId>(d);
      std::sort(documents_.begin() + static_cast<std::ptrdiff_t>(begin),
                documents_.begin() + static_cast<std::ptrdiff_t>(end), [&](RowId a, RowId b) {
                  return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                });
      for (std::size_t d = begin; d < end; ++d) scores_[d] = scores[documents_[d]];
    });
  }

  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  /// The mean over the queries that are used.
  [[nodiscard]] double value() const { return value_; }
  /// Of each query, used or not, after SetWeights.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const Columns& columns() const { return columns_; }

  /// The metric with each of some weights of column j. Valid until the next call.
  const std::vector<double>& Try(std::size_t j, Span<const double> candidates) {
    column_ = j;
    candidates_.assign(candidates.begin(), candidates.end());
    tried_.resize(candidates.size());
    for (std::vector<double>& values : tried_) values.resize(queries_.n_queries());
    ForQueries([&](std::size_t q, std::size_t worker) { TryQuery(q, worker); });
    means_.resize(candidates.size());
    ParallelFor(threads_, means_.size(), [&](std::size_t p) { means_[p] = Mean(tried_[p]); });
    return means_;
  }

  /// Sets the weight of the column that was tried last to one of the candidates.
  void Take(std::size_t candidate) {
    const double change = candidates_[candidate] - weights_[column_];
    weights_[column_] = candidates_[candidate];
    values_.swap(tried_[candidate]);
    value_ = means_[candidate];
    ForQueries([&](std::size_t q, std::size_t /*worker*/) {
      for (std::size_t d = queries_.offsets[q]; d < queries_.offsets[q + 1]; ++d) {
        scores_[d] += change * columns_.Value(column_, documents_[d]);
      }
      SortNearlySorted(queries_.offsets[q], queries_.offsets[q + 1]);
    });
  }

 private:
  static constexpr std::size_t kQueriesPerTask = 16;

  /// The documents of a query that may come above the cutoff, by descending score.
  struct Head {
    std::vector<RowId> documents;  // counted from the first of the query
    std::vector<double> scores;
    std::vector<double> values;  // of the column
    std::vector<double> moved;   // scores with another weight
  };

  static const Metric& Ranking(const Metric& metric) {
    if (metric.maximize()) return metric;
    throw std::invalid_argument("metric must be one of rankings of which more is better, got " +
                                metric.ToString());
  }

  template <class Body>
  void ForQueries(const Body& body) {
    ParallelChunks(threads_, queries_.n_queries(), kQueriesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t q = begin; q < end; ++q) {
                       if (query_weights_[q] > 0.0) body(q, worker);
                     }
                   });
  }

  [[nodiscard]] double Mean(const std::vector<double>& values) const {
    return detail::PooledMean(metric_.kind(), values, query_weights_);
  }

  /// Of all documents in the order of queries, the columns added one after the other.
  [[nodiscard]] std::vector<double> Scores() const {
    std::vector<double> scores(queries_.n_documents(), 0.0);
    ParallelChunks(threads_, scores.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        if (weights_[j] == 0.0) continue;
        for (std::size_t d = begin; d < end; ++d) scores[d] += weights_[j] * columns_.Value(j, d);
      }
    });
    return scores;
  }

  void TryQuery(std::size_t q, std::size_t worker) {
    Head& head = scratch_[worker];
    const bool may_change = FindHead(q, head);
    for (std::size_t p = 0; p < candidates_.size(); ++p) {
      const double change = candidates_[p] - weights_[column_];
      tried_[p][q] = may_change && Moves(head, change)
                         ? run_.ValueOfHead(q, head.documents, head.moved, worker)
                         : values_[q];
    }
  }

  /// Finds the documents that may come above the cutoff. Returns whether the column tells any two
  /// of them apart.
  bool FindHead(std::size_t q, Head& head) const {
    const std::size_t begin = queries_.offsets[q];
    const std::size_t end = queries_.offsets[q + 1];
    const auto [low, high] = std::minmax_element(candidates_.begin(), candidates_.end());
    const double least = std::min(*low - weights_[column_], 0.0);
    const double most = std::max(*high - weights_[column_], 0.0);
    const double reach = std::max(-least, most) * columns_.Largest(column_);
    const std::size_t cut = begin + std::min(end - begin, metric_.cutoff());
    // Whatever the weight, the documents before `cut` stay at or above `floor`.
    double floor = cut == end ? -std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::infinity();
    for (std::size_t d = begin; d < cut && cut != end; ++d) {
      const double value = columns_.Value(column_, documents_[d]);
      floor = std::min({floor, scores_[d] + least * value, scores_[d] + most * value});
    }
    head.documents.clear();
    head.scores.clear();
    head.values.clear();
    bool differ = false;
    for (std::size_t d = begin; d < end && (d < cut || scores_[d] + reach >= floor); ++d) {
      const double value = columns_.Value(column_, documents_[d]);
      if (std::max(scores_[d] + least * value, scores_[d] + most * value) < floor) continue;
      head.documents.push_back(static_cast<RowId>(documents_[d] - begin));
      head.scores.push_back(scores_[d]);
      head.values.push_back(value);
      differ = differ || value != head.values.front();
    }
    return differ;
  }

  /// Moves the scores of a head. Returns whether that changes how its documents are ranked.
  static bool Moves(Head& head, double change) {
    const std::size_t n = head.scores.size();
    head.moved.resize(n);
    for (std::size_t i = 0; i < n; ++i) head.moved[i] = head.scores[i] + change * head.values[i];
    bool same = true;
    for (std::size_t i = 1; i < n; ++i) {
      const bool above = head.scores[i - 1] > head.scores[i];
      same &= above ? head.moved[i - 1] > head.moved[i] : head.moved[i - 1] == head.moved[i];
    }
    return !same;
  }

  /// Sorts documents by descending score, equal ones as they stand in the query: insertion sort,
  /// as one weight moves few of them far.
  void SortNearlySorted(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      const double score = scores_[i];
      const RowId document = documents_[i];
      std::size_t place = i;
      for (; place > begin && (score > scores_[place - 1] ||
                               (score == scores_[place - 1] && document < documents_[place - 1]));
           --place) {
        scores_[place] = scores_[place - 1];
        documents_[place] = documents_[place - 1];
      }
      scores_[place] = score;
      documents_[place] = document;
    }
  }

  const Metric metric_;
  const JudgedQueries queries_;
  const Columns& columns_;
  const Threads threads_;
  MetricsRun run_;
  std::vector<double> query_weights_;  // 0 where not used
  std::vector<double> weights_;        // of columns
  std::vector<RowId> documents_;       // those of each query by descending score
  std::vector<double> scores_;         // of these
  std::vector<double> values_;         // by query
  double value_ = 0.0;
  std::size_t column_ = 0;  // tried last
  std::vector<double> candidates_;
  std::vector<std::vector<double>> tried_;  // [candidate][query]
  std::vector<double> means_;               // by candidate
  std::vector<Head> scratch_;               // by worker
};

}  // namespace rankforest
