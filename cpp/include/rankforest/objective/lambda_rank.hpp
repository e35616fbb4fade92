#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/objective/lambda_query.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/pair_weights.hpp"

namespace rankforest {

/// Pairwise logistic loss, each pair weighted by the change of a metric if the two swapped
/// ranks.
///
/// Burges, "From RankNet to LambdaRank to LambdaMART: An Overview", MSR-TR-2010-82, sections 4
/// and 7. *Rank* is a position in the current ranking from 0: by score, descending, equal scores
/// in scale-free order (core/scale_free_order.hpp): before the first round all scores are equal.
/// rho is the probability that a pair is in the wrong order. With truncation t, only pairs with at
/// least one document of rank below t count.
///
/// The weight of a pair multiplies its gradient and its hessian: a weight is not seen by ranks, by
/// the metric, or by the sum that LambdaNorm::kLog divides by.
///
/// Lists are the sampled documents of each query: a sampler that drops documents shortens the
/// lists that lambdas are computed on.
///
/// @tparam Swap  a swap delta of the metric: see metric/swap_delta.hpp
template <class Swap>
class LambdaRank {
 public:
  /// @param function  weighs the pairs, beside the weights of their documents
  LambdaRank(Swap swap, Metric metric, LambdaSettings settings = {}, PairFunction function = {})
      : swap_(std::move(swap)),
        metric_(std::move(metric)),
        settings_(settings),
        function_(std::move(function)) {}

  class Run;

  /// Throws std::invalid_argument for a grade that the metric has no value for, and for a bad
  /// weight of a pair.
  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

 private:
  Swap swap_;
  Metric metric_;
  LambdaSettings settings_;
  PairFunction function_;
};

template <class Swap>
class LambdaRank<Swap>::Run {
 public:
  Run(const LambdaRank& settings, const TrainingSet& training)
      : training_(training), data_(training.data), threads_(training.threads) {
    (void)MetricRun(settings.metric_, JudgementsOf(data_), threads_);  // checks the grades
    weights_.emplace(data_, settings.settings_.pair_weighting, settings.function_);
    workers_.resize(static_cast<std::size_t>(threads_.count),
                    detail::LambdaQuery<Swap>(settings.swap_, settings.settings_));
  }

  [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

  /// Writes out[r] for each document of the sample.
  void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                 const Rng& /*rng*/) {
    queries_ = QueryRanges(data_, sample);
    ShareOut();
    const Span<const RowId> documents = InTieOrder(sample);
    ParallelFor(threads_, tasks_.size(), [&](std::size_t t, std::size_t w) {
      for (std::size_t i = tasks_[t].begin; i < tasks_[t].end; ++i) {
        const QueryRange& range = queries_[i];
        workers_[w].Compute(documents.subspan(range.begin, range.end - range.begin), data_.grades(),
                            scores, weights_->OfQuery(range.query), out);
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

  /// The documents of a sample, those of each query in the order in which equal scores rank.
  Span<const RowId> InTieOrder(const RowSample& sample) {
    const Span<const RowId> all = training_.scale_free_order();
    if (sample.rows.size() == all.size()) return all;
    is_drawn_.assign(all.size(), 0);
    for (const RowId row : sample.rows) is_drawn_[row] = 1;
    drawn_.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(drawn_),
                 [this](RowId row) { return is_drawn_[row] != 0; });
    return drawn_;
  }

  /// A thread works a fraction of a millisecond on this many pairs.
  static constexpr std::size_t kPairsPerTask = 50000;

  /// Cuts the queries into tasks, the longest first: so all threads end at about the same time.
  void ShareOut() {
    constexpr std::size_t kPairsPerDocument = 4;  // take about as long as ranking a document
    tasks_.clear();
    Task task{0, 0, 0};
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const std::size_t n = queries_[q].end - queries_[q].begin;
      task.cost += n * (kPairsPerDocument + workers_[0].RowCount(n));
      task.end = q + 1;
      if (task.cost < kPairsPerTask && task.end < queries_.size()) continue;
      tasks_.push_back(task);
      task = {q + 1, q + 1, 0};
    }
    std::sort(tasks_.begin(), tasks_.end(),
              [](const Task& a, const Task& b) { return a.cost > b.cost; });
  }

  TrainingSet training_;
  const Dataset& data_;
  Threads threads_;
  std::optional<PairWeights> weights_;
  std::vector<detail::LambdaQuery<Swap>> workers_;  // of each thread
  std::vector<QueryRange> queries_;
  std::vector<std::uint8_t> is_drawn_;  // of each document
  std::vector<RowId> drawn_;
  std::vector<Task> tasks_;
};

}  // namespace rankforest
