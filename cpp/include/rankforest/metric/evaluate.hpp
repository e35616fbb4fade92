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
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"

namespace rankforest {

// One evaluation of scores that stand in the caller's order.

/// The judgements of the caller's rows, in whatever order these come.
struct JudgedRows {
  Span<const double> grades;         ///< of each row
  Span<const QueryId> query_of_row;  ///< any numbers; the rows of a query need not be neighbours
  Span<const double> weights;        ///< of each row; empty: 1 each
};

namespace detail {

/// The values of `rows`, one after another; nothing of nothing.
inline std::vector<double> Gather(Span<const double> values, Span<const RowId> rows) {
  if (values.empty()) return {};
  std::vector<double> gathered;
  gathered.reserve(rows.size());
  for (const RowId row : rows) gathered.push_back(values[row]);
  return gathered;
}

inline void RequireOneEach(const char* name, std::size_t size, std::size_t n_documents) {
  if (size == n_documents) return;
  throw std::invalid_argument(std::string(name) + " must have one value for each of the " +
                              std::to_string(n_documents) + " documents; it has " +
                              std::to_string(size));
}

}  // namespace detail

/// @returns values in the order of the queries' codes, ascending
/// @throws std::invalid_argument for grades or scores that the metric cannot value
inline Evaluation Evaluate(const Metric& metric, const Dataset& data, Span<const double> scores,
                           Threads threads) {
  detail::RequireOneEach("scores", scores.size(), data.n_documents());
  MetricRun run(metric, JudgementsOf(data), threads);
  Evaluation evaluation = run.Evaluate(detail::Gather(scores, data.order()));
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

/// The same for rows without features, which have no canonical order: ties=canonical is refused.
inline Evaluation Evaluate(const Metric& metric, const JudgedRows& rows, Span<const double> scores,
                           Threads threads) {
  if (metric.settings().ties == Ties::kCanonical) {
    throw std::invalid_argument(metric.ToString() +
                                ": ties=canonical needs a data set; without features documents "
                                "have no canonical order");
  }
  const std::size_t n_rows = rows.grades.size();
  detail::RequireOneEach("query_codes", rows.query_of_row.size(), n_rows);
  if (!rows.weights.empty()) detail::RequireOneEach("weights", rows.weights.size(), n_rows);
  detail::RequireOneEach("scores", scores.size(), n_rows);
  const QueryGroups groups = GroupByQuery(rows.query_of_row);
  const std::vector<double> grades = detail::Gather(rows.grades, groups.rows);
  const std::vector<double> weights = detail::Gather(rows.weights, groups.rows);
  MetricRun run(metric, {groups.offsets, grades, weights, groups.rows}, threads);
  return run.Evaluate(detail::Gather(scores, groups.rows));
}

}  // namespace rankforest
