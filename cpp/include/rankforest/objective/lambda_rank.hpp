#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
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
#include "rankforest/objective/query_work.hpp"

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
      : data_(training.data), work_(training) {
    (void)MetricRun(settings.metric_, JudgementsOf(data_), training.threads);  // checks the grades
    weights_.emplace(data_, settings.settings_.pair_weighting, settings.function_);
    workers_.resize(static_cast<std::size_t>(training.threads.count),
                    detail::LambdaQuery<Swap>(settings.swap_, settings.settings_));
  }

  [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

  /// Writes out[r] for each document of the sample.
  void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                 const Rng& /*rng*/) {
    constexpr std::size_t kPairsPerDocument = 4;  // take about as long as ranking a document
    work_.ForEach(
        sample, [this](std::size_t n) { return n * (kPairsPerDocument + workers_[0].RowCount(n)); },
        [&](std::size_t worker, std::size_t query, Span<const RowId> documents) {
          workers_[worker].Compute(documents, data_.grades(), scores, weights_->OfQuery(query),
                                   out);
        });
  }

 private:
  const Dataset& data_;
  detail::QueryWork work_;
  std::optional<PairWeights> weights_;
  std::vector<detail::LambdaQuery<Swap>> workers_;  // of each thread
};

}  // namespace rankforest
