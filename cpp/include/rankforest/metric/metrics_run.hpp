#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
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
#include "rankforest/metric/evaluation.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/judgement_errors.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/pooled_mean.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/ranker.hpp"
#include "rankforest/metric/sorted_grades.hpp"

namespace rankforest {

/// Several metrics on given judgements, for many sets of scores: keeps what does not depend on
/// scores (each query's normalisers and weight) and the scratch memory. Metrics with the same rule
/// for ties share the ranking of each query.
///
/// The weight of a query is the mean weight of its documents; it multiplies numerator and
/// denominator of the mean, for empty queries too. Neither the number of threads nor the order
/// of the queries changes a bit of the result.
class MetricsRun {
 public:
  /// @param queries  borrowed: must outlive the run
  /// @throws std::invalid_argument for a grade that a metric cannot value, a bad weight, or
  ///         ties=docno without document ids
  MetricsRun(const std::vector<Metric>& metrics, JudgedQueries queries, Threads threads)
      : queries_(queries), threads_(threads) {
    for (const Metric& metric : metrics) AddColumn(metric);
    workers_.resize(static_cast<std::size_t>(threads.count),
                    Worker{rankers_, {}, {}, {}, {}, {}, {}, {}});
    ParallelChunks(threads_, queries_.n_queries(), kQueriesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t q = begin; q < end; ++q) Prepare(q, workers_[worker]);
                   });
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::vector<double>& normalisers = columns_[c].normalisers;
      results_[c].n_empty =
          static_cast<std::size_t>(std::count(normalisers.begin(), normalisers.end(), 0.0));
    }
  }

  /// @param scores  of the documents, in the order of the judgements
  /// @returns what each metric says; valid until the next call
  /// @throws std::invalid_argument for a NaN score
  const std::vector<Evaluation>& Evaluate(Span<const double> scores) {
    if (scores.size() != queries_.n_documents()) {
      throw std::invalid_argument("scores has " + std::to_string(scores.size()) +
                                  " values, expected one for each of the " +
                                  std::to_string(queries_.n_documents()) + " documents");
    }
    ParallelChunks(threads_, queries_.n_queries(), kQueriesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t q = begin; q < end; ++q) {
                       EvaluateQuery(q, OfQuery(scores, queries_, q), workers_[worker]);
                     }
                   });
    ParallelFor(threads_, columns_.size(), [&](std::size_t c) {
      const Column& column = columns_[c];
      results_[c].mean =
          detail::PooledMean(column.metric.kind(), results_[c].values, column.query_weights);
    });
    return results_;
  }

  /// What the first metric, which ranks, says of one query whose other documents all score below
  /// its cutoff. Callers that are at work at the same time have workers of different numbers.
  ///
  /// @param documents  some of the query's, counted from its first; all unless there is a cutoff
  /// @param scores     of these
  double ValueOfHead(std::size_t q, Span<const RowId> documents, Span<const double> scores,
                     std::size_t worker_number) {
    const Column& column = columns_.front();
    if (column.normalisers[q] == 0.0) return ValueOfEmpty(column.metric, q);
    Worker& worker = workers_[worker_number];
    detail::Ranker& ranker = worker.rankers[column.ranking];
    const Span<const double> grades = OfQuery(queries_.grades, queries_, q);
    const Span<const RowId> places = OfQuery(PlacesFor(ranker.ties()), queries_, q);
    worker.head_grades.clear();
    worker.head_places.clear();
    for (const RowId i : documents) {
      worker.head_grades.push_back(grades[i]);
      worker.head_places.push_back(places.empty() ? i : places[i]);
    }
    detail::RankedList list = ranker.Rank(scores, worker.head_grades, worker.head_places);
    list.n_documents = queries_.Size(q);
    return std::visit(
        [&](const auto& calculator) {
          using Calculator = std::decay_t<decltype(calculator)>;
          if constexpr (std::is_same_v<Calculator, detail::SquaredError>) {
            assert(false);
            return 0.0;
          } else {
            return calculator.Value(list.Head(column.metric.cutoff()), column.normalisers[q]);
          }
        },
        column.calculator);
  }

  /// The weight of each query in the mean of the first metric.
  [[nodiscard]] Span<const double> query_weights() const { return columns_.front().query_weights; }

 private:
  static constexpr std::size_t kQueriesPerTask = 16;

  /// One metric.
  struct Column {
    Metric metric;
    detail::Calculator calculator;
    std::size_t ranking = 0;            // which ranker it uses
    std::vector<double> normalisers;    // of each query
    std::vector<double> query_weights;  // of each query
  };

  /// Memory of one thread.
  struct Worker {
    std::vector<detail::Ranker> rankers;
    std::vector<const detail::RankedList*> lists;  // of the query at hand; null: not ranked yet
    std::vector<double> ranked;                    // its grades, best first
    std::vector<double> judged;                    // those of the pool, best first
    std::vector<double> distinct_ranked;           // the different ones
    std::vector<double> distinct_judged;
    std::vector<double> head_grades;  // of some documents of the query
    std::vector<RowId> head_places;
  };

  void AddColumn(const Metric& metric) {
    const Ties ties = metric.settings().ties;
    if (ties == Ties::kDocno && queries_.docno_ranks.empty() && queries_.n_documents() > 0) {
      throw std::invalid_argument(metric.ToString() +
                                  ": ties=docno needs the ids of the documents");
    }
    std::size_t ranking = 0;
    while (ranking < rankers_.size() && rankers_[ranking].ties() != ties) ++ranking;
    if (ranking == rankers_.size()) rankers_.emplace_back(ties, metric.cutoff());
    rankers_[ranking].RaiseCutoff(metric.cutoff());
    const std::size_t n = queries_.n_queries();
    columns_.push_back({metric, detail::MakeCalculator(metric.settings(), ExtentFor(metric)),
                        ranking, std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)});
    results_.push_back({});
    results_.back().values.resize(n);
  }

  [[nodiscard]] detail::DataExtent ExtentFor(const Metric& metric) const {
    detail::DataExtent extent;
    for (std::size_t q = 0; q < queries_.n_queries(); ++q) {
      extent.longest = std::max(extent.longest, queries_.Size(q));
      if (!UsesPool(metric)) continue;
      extent.longest = std::max(extent.longest, queries_.pool.OfQuery(q).size());
    }
    if (metric.settings().gmax.source == HighestGrade::Source::kData) {
      for (const double grade : UsesPool(metric) ? queries_.pool.grades : queries_.grades) {
        extent.highest_grade = std::max(extent.highest_grade, grade);
      }
    }
    return extent;
  }

  [[nodiscard]] bool UsesPool(const Metric& metric) const {
    return !queries_.pool.empty() && metric.settings().ideal == Ideal::kJudged;
  }

  /// Checks the judgements of a query and computes what does not depend on scores.
  void Prepare(std::size_t q, Worker& worker) {
    const Span<const double> grades = OfQuery(queries_.grades, queries_, q);
    const Span<const double> weights = OfQuery(queries_.weights, queries_, q);
    const auto row_of = [&](std::size_t i) { return queries_.Row(queries_.offsets[q] + i); };
    const auto pool_row_of = [&](std::size_t i) {
      return queries_.pool.Row(queries_.pool.offsets[q] + i);
    };
    detail::RequireFiniteNotNegative("grade", grades, row_of);
    detail::RequireWeights(weights, row_of);
    detail::SortBestFirst(grades, worker.ranked);
    detail::KeepDistinct(worker.ranked, worker.distinct_ranked);
    if (!queries_.pool.empty()) {
      const Span<const double> judged = queries_.pool.OfQuery(q);
      detail::RequireFiniteNotNegative("grade of judgements", judged, pool_row_of);
      detail::SortBestFirst(judged, worker.judged);
      detail::KeepDistinct(worker.judged, worker.distinct_judged);
      if (!grades.empty()) {
        detail::RequireRankedAmongJudged(worker.judged, worker.ranked, row_of(0));
      }
    }
    for (Column& column : columns_) {
      column.query_weights[q] = detail::QueryWeight(column.metric.kind(), weights, grades.size());
      std::visit(
          [&](const auto& calculator) {
            using Calculator = std::decay_t<decltype(calculator)>;
            detail::RequireGradesOf(calculator, "grade", worker.distinct_ranked, grades, row_of);
            if constexpr (!std::is_same_v<Calculator, detail::SquaredError>) {
              const bool from_pool = UsesPool(column.metric);
              if (from_pool) {
                detail::RequireGradesOf(calculator, "grade of judgements", worker.distinct_judged,
                                        queries_.pool.OfQuery(q), pool_row_of);
              }
              const double normaliser =
                  calculator.Normaliser(from_pool ? worker.judged : worker.ranked);
              if (!grades.empty()) detail::RequireFiniteGains(normaliser, row_of(0));
              column.normalisers[q] = normaliser;
            }
          },
          column.calculator);
    }
  }

  void EvaluateQuery(std::size_t q, Span<const double> scores, Worker& worker) {
    detail::RequireNoNaN(scores, queries_, q);
    const Span<const double> grades = OfQuery(queries_.grades, queries_, q);
    worker.lists.assign(rankers_.size(), nullptr);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      results_[c].values[q] = std::visit(
          [&](const auto& calculator) {
            using Calculator = std::decay_t<decltype(calculator)>;
            if constexpr (std::is_same_v<Calculator, detail::SquaredError>) {
              return calculator.Value(scores, grades, OfQuery(queries_.weights, queries_, q));
            } else {
              if (column.normalisers[q] == 0.0) return ValueOfEmpty(column.metric, q);
              const detail::RankedList& list = Ranked(column.ranking, q, scores, grades, worker);
              return calculator.Value(list.Head(column.metric.cutoff()), column.normalisers[q]);
            }
          },
          column.calculator);
    }
  }

  /// A query that no separate judgement names is left out, whatever empty queries count as.
  [[nodiscard]] double ValueOfEmpty(const Metric& metric, std::size_t q) const {
    if (UsesPool(metric) && queries_.pool.OfQuery(q).empty()) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    return detail::EmptyValue(metric.settings().empty);
  }

  const detail::RankedList& Ranked(std::size_t ranking, std::size_t q, Span<const double> scores,
                                   Span<const double> grades, Worker& worker) const {
    const detail::RankedList*& list = worker.lists[ranking];
    if (list == nullptr) {
      detail::Ranker& ranker = worker.rankers[ranking];
      list = &ranker.Rank(scores, grades, OfQuery(PlacesFor(ranker.ties()), queries_, q));
    }
    return *list;
  }

  /// What breaks ties by place; empty: the position.
  [[nodiscard]] Span<const RowId> PlacesFor(Ties ties) const {
    if (ties == Ties::kDocno) return queries_.docno_ranks;
    if (ties == Ties::kCanonical) return queries_.canonical_ranks;
    return queries_.rows;
  }

  JudgedQueries queries_;
  Threads threads_;
  std::vector<Column> columns_;
  std::vector<detail::Ranker> rankers_;  // one for each rule for ties; workers have copies
  std::vector<Worker> workers_;
  std::vector<Evaluation> results_;  // of each column
};

}  // namespace rankforest
