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
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/pair_weights.hpp"
#include "rankforest/objective/query_work.hpp"
#include "rankforest/objective/yeti_query.hpp"
#include "rankforest/objective/yeti_settings.hpp"

namespace rankforest {

/// Pairwise logistic loss over the neighbours in rankings that are drawn anew in every round.
///
/// Each round draws `n_permutations` rankings of a query, by its scores plus logistic noise. Two
/// neighbours of different grades are a pair, which weighs what `Swap` says of their swap; the mean
/// over the rankings counts. The derivatives are those at the scores without noise. With truncation
/// t, only pairs with a document of rank below t of the drawn ranking count.
///
/// - Over DecayedDifference this is YetiRank: the difference of grades x decay^rank. Gulin,
///   Kuralenok and Pavlov, "Winning the transfer learning track of Yahoo!'s learning to rank
///   challenge with YetiRank", 2011. The paper fits trees to the gradients by a matrix of pairs,
///   which takes cubic time in the number of leaves; here leaf values are Newton steps with the
///   diagonal of that matrix, as in LambdaMART.
/// - Over a metric's swap delta this is YetiLoss: Lyzhin, Ustimenko, Gulin and Prokhorenkova,
/// "Which
///   tricks are important for learning to rank?", ICML 2023.
///
/// What a query draws depends on the round's stream and on the query's place in the canonical
/// order. Weights of documents and pairs are those of LambdaRank.
///
/// @tparam Swap  DecayedDifference, or a swap delta of a metric: see metric/swap_delta.hpp
template <class Swap>
class YetiRank {
 public:
  /// @param lambda    `norm` does not matter
  /// @param metric    of the swap delta; none for DecayedDifference
  /// @param function  weighs the pairs, beside the weights of their documents
  YetiRank(Swap swap, YetiSettings settings, LambdaSettings lambda = {},
           std::optional<Metric> metric = {}, PairFunction function = {})
      : swap_(std::move(swap)),
        settings_(settings),
        lambda_(lambda),
        metric_(std::move(metric)),
        function_(std::move(function)) {}

  class Run {
   public:
    Run(const YetiRank& settings, const TrainingSet& training)
        : data_(training.data),
          work_(training),
          weights_(data_, settings.lambda_.pair_weighting, settings.function_),
          n_permutations_(settings.settings_.n_permutations),
          workers_(static_cast<std::size_t>(training.threads.count),
                   detail::YetiQuery<Swap>(settings.swap_, settings.settings_, settings.lambda_)) {
      if (!settings.metric_) return;
      (void)MetricRun(*settings.metric_, JudgementsOf(data_),
                      training.threads);  // checks the grades
    }

    [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

    /// Writes out[r] for each document of the sample.
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& rng) {
      constexpr std::size_t kCostOfDraw = 8;
      constexpr std::size_t kCostOfPair = 16;
      work_.ForEach(
          sample,
          [this](std::size_t n) {
            return n_permutations_ * (kCostOfDraw * n + kCostOfPair * workers_[0].PairCount(n));
          },
          [&](std::size_t worker, std::size_t query, Span<const RowId> documents) {
            workers_[worker].Compute(documents, data_.grades(), scores, weights_.OfQuery(query),
                                     rng.Child(Purpose::kObjective, query), out);
          });
    }

   private:
    const Dataset& data_;
    detail::QueryWork work_;
    PairWeights weights_;
    std::size_t n_permutations_;
    std::vector<detail::YetiQuery<Swap>> workers_;  // of each thread
  };

  /// Throws std::invalid_argument for a grade that the metric has no value for, and for a bad
  /// weight of a pair.
  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

 private:
  Swap swap_;
  YetiSettings settings_;
  LambdaSettings lambda_;
  std::optional<Metric> metric_;
  PairFunction function_;
};

}  // namespace rankforest
