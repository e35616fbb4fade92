#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/calculators.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/pooled_mean.hpp"
#include "rankforest/metric/ranked_list.hpp"

namespace rankforest {

/// What a metric says of the scores of some queries.
struct Evaluation {
  /// The weighted mean over the queries that count (RMSE: over their documents), or NaN if none
  /// does: no query, or every one skipped or of weight 0.
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_empty = 0;     ///< queries without a relevant document, whatever they count as
  std::vector<double> values;  ///< of each query; NaN: skipped
};

/// A metric on given judgements, for many sets of scores: keeps what does not depend on scores
/// (each query's normaliser and weight) and the scratch memory.
///
/// The weight of a query is the mean weight of its documents; it multiplies numerator and
/// denominator of the mean, for empty queries too. Neither the number of threads nor the order
/// of the queries changes a bit of the result.
class MetricRun {
 public:
  /// @param queries  borrowed: must outlive the run
  /// @throws std::invalid_argument for a grade that the metric cannot value, or a bad weight
  MetricRun(Metric metric, JudgedQueries queries, Threads threads)
      : metric_(std::move(metric)),
        queries_(queries),
        threads_(threads),
        calculator_(detail::MakeCalculator(metric_.settings(), ExtentOf(queries_))),
        rankers_(static_cast<std::size_t>(threads.count),
                 detail::Ranker(metric_.settings().ties, metric_.cutoff())) {
    std::visit([this](const auto& calculator) { Prepare(calculator); }, calculator_);
  }

  [[nodiscard]] const Metric& metric() const { return metric_; }

  /// @param scores  of the documents, in the order of the judgements
  /// @returns a reference that is valid until the next call
  /// @throws std::invalid_argument for a NaN score
  const Evaluation& Evaluate(Span<const double> scores) {
    if (scores.size() != queries_.n_documents()) {
      throw std::invalid_argument("scores has " + std::to_string(scores.size()) +
                                  " values, expected one for each of the " +
                                  std::to_string(queries_.n_documents()) + " documents");
    }
    std::visit(
        [&](const auto& calculator) {
          ParallelChunks(threads_, queries_.n_queries(), kQueriesPerTask,
                         [&](std::size_t begin, std::size_t end, std::size_t worker) {
                           for (std::size_t q = begin; q < end; ++q) {
                             result_.values[q] = Value(calculator, q, scores, rankers_[worker]);
                           }
                         });
        },
        calculator_);
    result_.mean = detail::PooledMean(metric_.kind(), result_.values, query_weights_);
    return result_;
  }

 private:
  static constexpr std::size_t kQueriesPerTask = 16;

  static detail::DataExtent ExtentOf(const JudgedQueries& queries) {
    detail::DataExtent extent;
    for (std::size_t q = 0; q < queries.n_queries(); ++q) {
      extent.longest = std::max(extent.longest, queries.Size(q));
    }
    for (const double grade : queries.grades) {
      extent.highest_grade = std::max(extent.highest_grade, grade);
    }
    return extent;
  }

  template <class Calculator>
  void Prepare(const Calculator& calculator) {
    const std::size_t n = queries_.n_queries();
    result_.values.resize(n);
    query_weights_.resize(n);
    normalisers_.assign(n, 1.0);
    ParallelChunks(threads_, n, kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
      std::vector<double> grades;
      for (std::size_t q = begin; q < end; ++q) {
        CheckQuery(calculator, q);
        query_weights_[q] = detail::QueryWeight(
            metric_.kind(), OfQuery(queries_.weights, queries_, q), queries_.Size(q));
        if constexpr (!std::is_same_v<Calculator, detail::SquaredError>) {
          const auto of_query = OfQuery(queries_.grades, queries_, q);
          grades.assign(of_query.begin(), of_query.end());
          std::sort(grades.begin(), grades.end(), std::greater<>());
          normalisers_[q] = calculator.Normaliser(grades);
          CheckFinite(q);
        }
      }
    });
    result_.n_empty =
        static_cast<std::size_t>(std::count(normalisers_.begin(), normalisers_.end(), 0.0));
  }

  template <class Calculator>
  void CheckQuery(const Calculator& calculator, std::size_t q) const {
    for (std::size_t i = queries_.offsets[q]; i < queries_.offsets[q + 1]; ++i) {
      const double grade = queries_.grades[i];
      try {
        if (!(grade >= 0.0 && std::isfinite(grade))) {
          throw std::invalid_argument("must be a finite number >= 0");
        }
        calculator.Check(grade);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("grade " + detail::NumberToString(grade) + " of row " +
                                    std::to_string(queries_.Row(i)) + " (counted from 0) " +
                                    error.what());
      }
      const double weight = queries_.weights.empty() ? 1.0 : queries_.weights[i];
      if (weight >= 0.0 && std::isfinite(weight)) continue;
      throw std::invalid_argument("weight " + detail::NumberToString(weight) + " of row " +
                                  std::to_string(queries_.Row(i)) +
                                  " (counted from 0) must be a finite number >= 0");
    }
  }

  void CheckFinite(std::size_t q) const {
    if (std::isfinite(normalisers_[q])) return;
    throw std::invalid_argument(
        "the gains of the query of row " + std::to_string(queries_.Row(queries_.offsets[q])) +
        " (counted from 0) add up to more than float64 holds; use gain=linear or a table of gains");
  }

  template <class Calculator>
  double Value(const Calculator& calculator, std::size_t q, Span<const double> all_scores,
               detail::Ranker& ranker) const {
    const Span<const double> scores = OfQuery(all_scores, queries_, q);
    const Span<const double> grades = OfQuery(queries_.grades, queries_, q);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (std::isnan(scores[i])) {
        throw std::invalid_argument("the score of row " +
                                    std::to_string(queries_.Row(queries_.offsets[q] + i)) +
                                    " (counted from 0) is NaN, expected a number");
      }
    }
    if constexpr (std::is_same_v<Calculator, detail::SquaredError>) {
      return calculator.Value(scores, grades, OfQuery(queries_.weights, queries_, q));
    } else {
      if (normalisers_[q] == 0.0) return detail::EmptyValue(metric_.settings().empty);
      return calculator.Value(ranker.Rank(scores, grades, OfQuery(queries_.rows, queries_, q)),
                              normalisers_[q]);
    }
  }

  Metric metric_;
  JudgedQueries queries_;
  Threads threads_;
  detail::Calculator calculator_;
  std::vector<detail::Ranker> rankers_;  // one for each worker
  std::vector<double> normalisers_;      // of each query
  std::vector<double> query_weights_;    // of each query
  Evaluation result_;
};

}  // namespace rankforest
