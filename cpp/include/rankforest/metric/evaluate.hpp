#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/queries.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/evaluation.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metrics_run.hpp"

namespace rankforest {

// One evaluation of scores that stand in the caller's order.

/// All judged documents of the queries, ranked or not, in whatever order they come. Queries that
/// no ranked document has are ignored.
struct PoolRows {
  Span<const double> grades{};         ///< of each
  Span<const QueryId> query_of_row{};  ///< the codes of JudgedRows
};

/// The judgements of the caller's rows, in whatever order these come.
struct JudgedRows {
  Span<const double> grades{};         ///< of each row
  Span<const QueryId> query_of_row{};  ///< any numbers; a query's rows need not be neighbours
  Span<const double> weights{};        ///< of each row; empty: 1 each
  /// The place of each row in canonical order; empty: unknown.
  Span<const RowId> canonical_ranks{};
  /// The place of each row when document ids descend; empty: unknown.
  Span<const RowId> docno_ranks{};
  const PoolRows* pool = nullptr;  ///< null: no document was judged but those that are ranked
};

namespace detail {

inline void RequireOneEach(const char* name, std::size_t size, std::size_t n_documents) {
  if (size == n_documents) return;
  throw std::invalid_argument(std::string(name) + " must have one value for each of the " +
                              std::to_string(n_documents) + " documents; it has " +
                              std::to_string(size));
}

/// Whether the rows of each query are neighbours, and queries come in the order of their codes.
inline bool AreGrouped(Span<const QueryId> query_of_row) {
  return std::is_sorted(query_of_row.begin(), query_of_row.end());
}

/// Where queries begin, and how many rows there are, in rows that are grouped.
inline std::vector<RowId> OffsetsOf(Span<const QueryId> query_of_row) {
  std::vector<RowId> offsets;
  for (std::size_t i = 0; i < query_of_row.size(); ++i) {
    if (i == 0 || query_of_row[i] != query_of_row[i - 1]) offsets.push_back(static_cast<RowId>(i));
  }
  offsets.push_back(static_cast<RowId>(query_of_row.size()));
  return offsets;
}

/// The caller's rows with those of each query together. Values are borrowed where they stand so
/// already, and copied into that order where not.
class GroupedRows {
 public:
  explicit GroupedRows(const JudgedRows& rows) : is_grouped_(AreGrouped(rows.query_of_row)) {
    if (is_grouped_) {
      groups_.offsets = OffsetsOf(rows.query_of_row);
      for (const RowId begin : Span<const RowId>(groups_.offsets).subspan(0, size())) {
        groups_.codes.push_back(rows.query_of_row[begin]);
      }
    } else {
      groups_ = GroupByQuery(rows.query_of_row);
    }
    queries_ = {groups_.offsets,
                Ordered(rows.grades, grades_),
                Ordered(rows.weights, weights_),
                groups_.rows,
                Ordered(rows.canonical_ranks, canonical_ranks_),
                Ordered(rows.docno_ranks, docno_ranks_),
                {}};
    if (rows.pool != nullptr) SetPool(*rows.pool);
  }

  GroupedRows(const GroupedRows&) = delete;  // it holds views of its own memory
  GroupedRows& operator=(const GroupedRows&) = delete;

  [[nodiscard]] std::size_t size() const { return groups_.offsets.size() - 1; }
  [[nodiscard]] const JudgedQueries& queries() const { return queries_; }

  /// Values of the caller's rows in the order of the queries.
  template <class T>
  Span<const T> Ordered(Span<const T> values, std::vector<T>& memory) const {
    if (is_grouped_ || values.empty()) return values;
    memory.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) memory[i] = values[groups_.rows[i]];
    return memory;
  }

 private:
  void SetPool(const PoolRows& pool) {
    const QueryGroups judged = GroupByQuery(pool.query_of_row);
    pool_offsets_.push_back(0);
    for (const QueryId code : groups_.codes) {
      const auto found = std::lower_bound(judged.codes.begin(), judged.codes.end(), code);
      if (found != judged.codes.end() && *found == code) {
        for (const RowId row :
             judged.RowsOf(static_cast<std::size_t>(found - judged.codes.begin()))) {
          pool_rows_.push_back(row);
          pool_grades_.push_back(pool.grades[row]);
        }
      }
      pool_offsets_.push_back(static_cast<RowId>(pool_rows_.size()));
    }
    queries_.pool = {pool_offsets_, pool_grades_, pool_rows_};
  }

  bool is_grouped_;
  QueryGroups groups_;
  std::vector<double> grades_;
  std::vector<double> weights_;
  std::vector<RowId> canonical_ranks_;
  std::vector<RowId> docno_ranks_;
  std::vector<RowId> pool_offsets_;
  std::vector<RowId> pool_rows_;
  std::vector<double> pool_grades_;
  JudgedQueries queries_;
};

}  // namespace detail

namespace detail {

/// The threads for one evaluation of all queries.
inline Threads ForEvaluation(Threads threads, std::size_t n_metrics, std::size_t n_documents) {
  constexpr double kSecondsPerDocument = 1e-8;  // and metric
  return ForLoopOf(threads, n_metrics * n_documents, kSecondsPerDocument);
}

}  // namespace detail

/// Several metrics at once.
/// @returns for each metric its mean, and values in the order of the queries' codes, ascending
/// @throws std::invalid_argument for grades or scores that a metric cannot value, and for
///         ties=canonical or ties=docno without what decides them
inline std::vector<Evaluation> Evaluate(const std::vector<Metric>& metrics, const JudgedRows& rows,
                                        Span<const double> scores, Threads threads) {
  const std::size_t n_rows = rows.grades.size();
  detail::RequireOneEach("query_codes", rows.query_of_row.size(), n_rows);
  if (!rows.weights.empty()) detail::RequireOneEach("weights", rows.weights.size(), n_rows);
  if (!rows.canonical_ranks.empty()) {
    detail::RequireOneEach("canonical_ranks", rows.canonical_ranks.size(), n_rows);
  }
  if (!rows.docno_ranks.empty()) {
    detail::RequireOneEach("docno_ranks", rows.docno_ranks.size(), n_rows);
  }
  detail::RequireOneEach("scores", scores.size(), n_rows);
  if (rows.pool != nullptr) {
    detail::RequireOneEach("query codes of the judgements", rows.pool->query_of_row.size(),
                           rows.pool->grades.size());
  }
  for (const Metric& metric : metrics) {
    if (metric.settings().ties != Ties::kCanonical || !rows.canonical_ranks.empty()) continue;
    throw std::invalid_argument(metric.ToString() +
                                ": ties=canonical needs a data set; without features documents "
                                "have no canonical order");
  }
  const detail::GroupedRows grouped(rows);
  threads = detail::ForEvaluation(threads, metrics.size(), n_rows);
  MetricsRun run(metrics, grouped.queries(), threads);
  std::vector<double> ordered;
  return run.Evaluate(grouped.Ordered(scores, ordered));
}

/// One metric.
inline Evaluation Evaluate(const Metric& metric, const JudgedRows& rows, Span<const double> scores,
                           Threads threads) {
  return Evaluate(std::vector<Metric>{metric}, rows, scores, threads).front();
}

/// The same for a data set and the scores of its documents in the caller's order.
inline Evaluation Evaluate(const Metric& metric, const Dataset& data, Span<const double> scores,
                           Threads threads) {
  detail::RequireOneEach("scores", scores.size(), data.n_documents());
  std::vector<double> ordered;
  ordered.reserve(scores.size());
  for (const RowId row : data.order()) ordered.push_back(scores[row]);
  threads = detail::ForEvaluation(threads, 1, scores.size());
  MetricsRun run({metric}, JudgementsOf(data), threads);
  Evaluation evaluation = run.Evaluate(ordered).front();
  const Span<const QueryId> codes = data.query_codes();
  std::vector<std::size_t> by_code(codes.size());
  std::iota(by_code.begin(), by_code.end(), std::size_t{0});
  std::sort(by_code.begin(), by_code.end(),
            [&](std::size_t a, std::size_t b) { return codes[a] < codes[b]; });
  const std::vector<double> values = std::move(evaluation.values);
  evaluation.values.clear();
  for (const std::size_t query : by_code) evaluation.values.push_back(values[query]);
  return evaluation;
}

}  // namespace rankforest
