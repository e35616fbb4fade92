#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest {

/// How the lambdas of a query are scaled.
enum class LambdaNorm : std::uint8_t {
  kNone = 0,
  kLog = 1,  ///< sum of lambdas S becomes log2(1 + S): long queries count less
  kGap = 2,  ///< each pair is divided by 0.01 + the difference of its scores
  kGapLog = 3,
};

/// Which leaf values a tree on lambdas gets.
enum class LambdaLeaf : std::uint8_t {
  kNewton = 0,  ///< -G / (H + l2)
  kMean = 1,    ///< the mean of -lambda: trees fit the lambdas by squared error
};

struct LambdaSettings {
  double sigma = 1.0;                            ///< steepness of the logistic; > 0
  std::optional<std::uint32_t> truncation = 30;  ///< see LambdaRank; none: all pairs
  LambdaNorm norm = LambdaNorm::kLog;            ///< ranks best on MQ2008 and OHSUMED
  LambdaLeaf leaf = LambdaLeaf::kNewton;
};

/// Pairwise logistic loss, each pair weighted by the change of a metric if the two swapped
/// ranks.
///
/// Burges, "From RankNet to LambdaRank to LambdaMART: An Overview", MSR-TR-2010-82, sections 4
/// and 7. *Rank* is a position in the current ranking from 0: by score, descending, equal scores
/// in canonical order. rho is the probability that a pair is in the wrong order. With truncation
/// t, only pairs with at least one document of rank below t count.
///
/// Lists are the sampled documents of each query: a sampler that drops documents shortens the
/// lists that lambdas are computed on.
///
/// @tparam Swap  change of the metric by a swap: Reset(ranked grades), then (rank, rank)
template <class Swap>
class LambdaRank {
 public:
  LambdaRank(Swap swap, Metric metric, LambdaSettings settings = {})
      : swap_(std::move(swap)), metric_(std::move(metric)), settings_(settings) {}

  class Run;

  /// Throws std::invalid_argument for a grade that the metric has no value for, and where the
  /// documents of a query differ in weight.
  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

 private:
  Swap swap_;
  Metric metric_;
  LambdaSettings settings_;
};

template <class Swap>
class LambdaRank<Swap>::Run {
 public:
  Run(const LambdaRank& settings, const TrainingSet& training)
      : settings_(settings.settings_), data_(training.data), threads_(training.threads) {
    (void)MetricRun(settings.metric_, JudgementsOf(data_), threads_);  // checks the grades
    RequireQueryWeights(data_);
    workers_.resize(static_cast<std::size_t>(threads_.count), Worker(settings.swap_));
  }

  [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

  /// Writes out[r] for each document of the sample.
  void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out) {
    const std::vector<QueryRange> queries = QueryRanges(data_, sample);
    ParallelChunks(threads_, queries.size(), kQueriesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t w) {
                     for (std::size_t q = begin; q < end; ++q) {
                       const auto [first, last] = queries[q];
                       const Span<const RowId> rows(sample.rows.data() + first, last - first);
                       workers_[w].Query(settings_, data_, rows, scores, out);
                     }
                   });
  }

 private:
  static constexpr std::size_t kQueriesPerTask = 16;

  static void RequireQueryWeights(const Dataset& data) {
    const Span<const double> weights = data.weights();
    if (weights.empty()) return;
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      const RowId first = data.offsets()[q];
      for (RowId d = first + 1; d < data.offsets()[q + 1]; ++d) {
        if (weights[d] == weights[first]) continue;
        throw std::invalid_argument(
            "weights must be the same for all documents of a query where an objective ranks; "
            "rows " +
            std::to_string(data.order()[first]) + " and " + std::to_string(data.order()[d]) +
            " (counted from 0) are of one query and have " +
            detail::NumberToString(weights[first]) + " and " + detail::NumberToString(weights[d]));
      }
    }
  }

  /// Memory of one thread.
  class Worker {
   public:
    explicit Worker(Swap swap) : swap_(std::move(swap)) {}

    void Query(const LambdaSettings& settings, const Dataset& data, Span<const RowId> rows,
               Span<const double> scores, Span<GradientPair> out) {
      Rank(data, rows, scores);
      pairs_.assign(rows.size(), GradientPair{});
      swap_.Reset(grades_);
      if (!swap_.is_flat()) Pull(settings);
      const double weight = data.weights().empty() ? 1.0 : data.weights()[rows[0]];
      const double factor = weight * Normalise(settings.norm);
      for (std::size_t i = 0; i < ranked_.size(); ++i) {
        const GradientPair& pair = pairs_[i];
        const double hess = settings.leaf == LambdaLeaf::kMean ? weight : pair.hess * factor;
        out[ranked_[i]] = {pair.grad * factor, hess};
      }
    }

   private:
    /// Fills ranked_, scores_ and grades_, best first.
    void Rank(const Dataset& data, Span<const RowId> rows, Span<const double> scores) {
      ranked_.assign(rows.begin(), rows.end());
      std::stable_sort(ranked_.begin(), ranked_.end(),
                       [&](RowId a, RowId b) { return scores[a] > scores[b]; });
      scores_.clear();
      grades_.clear();
      for (const RowId r : ranked_) {
        scores_.push_back(scores[r]);
        grades_.push_back(data.grades()[r]);
      }
    }

    /// Adds the lambda of every pair to its two documents.
    void Pull(const LambdaSettings& settings) {
      const std::size_t n = ranked_.size();
      const std::size_t top = std::min<std::size_t>(n, settings.truncation.value_or(n));
      const bool by_gap =
          (settings.norm == LambdaNorm::kGap || settings.norm == LambdaNorm::kGapLog) &&
          scores_.front() != scores_.back();
      for (std::size_t i = 0; i < top; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
          if (grades_[i] == grades_[j]) continue;
          double delta = swap_(i, j);
          if (delta == 0.0) continue;
          const bool in_order = grades_[i] > grades_[j];
          const std::size_t better = in_order ? i : j;
          const std::size_t worse = in_order ? j : i;
          const double gap = scores_[better] - scores_[worse];
          if (by_gap) delta /= 0.01 + std::abs(gap);
          const double rho = Sigmoid(-settings.sigma * gap);
          const double lambda = settings.sigma * rho * delta;
          const double hess = settings.sigma * lambda * (1.0 - rho);
          pairs_[better].grad -= lambda;
          pairs_[worse].grad += lambda;
          pairs_[better].hess += hess;
          pairs_[worse].hess += hess;
          total_ += 2.0 * lambda;
        }
      }
    }

    /// The factor of the query's lambdas.
    double Normalise(LambdaNorm norm) {
      const double total = std::exchange(total_, 0.0);
      if ((norm != LambdaNorm::kLog && norm != LambdaNorm::kGapLog) || total <= 0.0) return 1.0;
      return Log2(1.0 + total) / total;
    }

    Swap swap_;
    std::vector<RowId> ranked_;
    std::vector<double> scores_;
    std::vector<double> grades_;
    std::vector<GradientPair> pairs_;  // of each rank
    double total_ = 0.0;
  };

  LambdaSettings settings_;
  const Dataset& data_;
  Threads threads_;
  std::vector<Worker> workers_;
};

}  // namespace rankforest
