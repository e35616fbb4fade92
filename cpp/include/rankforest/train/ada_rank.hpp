#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/metric/metrics_run.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/linear_rounds.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest {

namespace detail {

/// How well each feature alone ranks each query: a weak ranker is a feature, or its opposite.
class FeatureRankers {
 public:
  struct Ranker {
    std::size_t feature = 0;
    double sign = 1.0;
  };

  /// @param run  of the metric, on the judgements of `data`
  FeatureRankers(const LinearData& data, MetricsRun& run) {
    std::vector<double> scores(data.n_documents());
    for (std::size_t f = 0; f < data.n_features(); ++f) {
      for (const double sign : {1.0, -1.0}) {
        bool differs = false;
        for (std::size_t d = 0; d < scores.size(); ++d) {
          scores[d] = sign * static_cast<double>(data.Row(d)[f]);
          differs = differs || scores[d] != scores[0];
        }
        if (!differs) break;
        rankers_.push_back({f, sign});
        values_.push_back(run.Evaluate(scores).front().values);
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return rankers_.size(); }
  [[nodiscard]] const Ranker& operator[](std::size_t i) const { return rankers_[i]; }
  /// Of each query.
  [[nodiscard]] const std::vector<double>& values(std::size_t i) const { return values_[i]; }

 private:
  std::vector<Ranker> rankers_;
  std::vector<std::vector<double>> values_;
};

/// How much each query counts for the next weak ranker.
class QueryDistribution {
 public:
  /// @param weights  of the queries in the metric; those that cannot be evaluated are left out
  QueryDistribution(Span<const double> weights, const std::vector<double>& values)
      : given_(weights.begin(), weights.end()) {
    for (std::size_t q = 0; q < given_.size(); ++q) {
      if (values[q] != values[q]) given_[q] = 0.0;
    }
    shares_ = given_;
    Normalize();
  }

  /// Of values of the queries.
  [[nodiscard]] double Mean(const std::vector<double>& values) const {
    double mean = 0.0;
    for (std::size_t q = 0; q < shares_.size(); ++q) {
      if (shares_[q] > 0.0) mean += shares_[q] * values[q];
    }
    return mean;
  }

  /// Lets queries that the model ranks badly count more: in proportion to e^-value.
  void Set(const std::vector<double>& values) {
    for (std::size_t q = 0; q < shares_.size(); ++q) {
      shares_[q] = given_[q] > 0.0 ? given_[q] * Exp(-values[q]) : 0.0;
    }
    Normalize();
  }

 private:
  void Normalize() {
    double total = 0.0;
    for (const double share : shares_) total += share;
    if (!(total > 0.0)) {
      throw std::invalid_argument(
          "AdaRank needs a query that its metric can be evaluated on, and there is none");
    }
    for (double& share : shares_) share /= total;
  }

  std::vector<double> given_;
  std::vector<double> shares_;
};

}  // namespace detail

/// A linear model that boosting makes of single features: each round adds the feature, or its
/// opposite, that ranks best where the model so far ranks badly. With E(q) a metric of query q,
/// from 0 to 1, and P the weights of the queries, it is the one with the largest mean of E, and
/// counts 1/2 ln(sum P (1 + E) / sum P (1 - E)); then P(q) becomes proportional to e^-E(q) of the
/// model.
///
/// A feature that the last `max_repeats` rounds chose is out from then on: the weights of the
/// queries could choose it for ever. Training ends after `n_iter_no_change` rounds that did not
/// raise the best training metric by more than `tolerance`; the round with the best is kept, or
/// what early stopping keeps.
///
/// Xu and Li, "AdaRank: a boosting algorithm for information retrieval", SIGIR 2007.
class AdaRank {
 public:
  explicit AdaRank(const AdaRankSettings& settings) : settings_(settings) {}

  void Prepare(const TrainingSet& /*training*/) const {}

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& sample,
                             const Rng& /*rng*/, Monitor& monitor) const {
    const LinearData data(training, sample, settings_.linear.query_normalization);
    MetricsRun metric({settings_.metric}, data.judgements(), training.threads);
    const detail::FeatureRankers rankers(data, metric);
    if (rankers.size() == 0) {
      throw std::invalid_argument(
          "AdaRank needs a feature that is not constant, and there is none");
    }
    LinearRounds rounds(monitor, training.threads);
    return Boost(data, metric, rankers, rounds);
  }

  [[nodiscard]] Member Continue(const TrainingSet& /*training*/, const RowSample& /*sample*/,
                                const Rng& /*rng*/, Monitor& /*monitor*/, Member /*start*/) const {
    throw std::invalid_argument("AdaRank does not go on from a model");
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Which features are out, and how often the last one was chosen in a row.
  struct Choices {
    std::vector<bool> is_out;
    std::size_t last = kNone;
    std::uint32_t repeats = 0;

    void Note(std::size_t feature, const std::optional<std::uint32_t>& most) {
      repeats = feature == last ? repeats + 1 : 1;
      last = feature;
      if (most && repeats >= *most) is_out[feature] = true;
    }
  };

  Member Boost(const LinearData& data, MetricsRun& metric, const detail::FeatureRankers& rankers,
               LinearRounds& rounds) const {
    RequireShares(rankers);
    detail::QueryDistribution queries(metric.query_weights(), rankers.values(0));
    const detail::QueryDistribution all = queries;
    Choices choices{std::vector<bool>(data.n_features(), false)};
    std::vector<double> weights(data.n_features(), 0.0);
    std::vector<double> scores(data.n_documents(), 0.0);
    std::size_t best = 0;
    double best_value = 0.0;
    double last_gain = 0.0;  // the best value when it last rose by more than the tolerance
    std::uint32_t in_vain = 0;
    for (std::uint32_t t = 0; t < settings_.n_estimators && in_vain < settings_.n_iter_no_change;
         ++t) {
      const std::size_t chosen = Choose(rankers, queries, choices);
      if (chosen == kNone) break;
      const auto [feature, sign] = rankers[chosen];
      choices.Note(feature, settings_.max_repeats);
      const double weight = sign * WeightOf(queries.Mean(rankers.values(chosen)));
      weights[feature] += weight;
      for (std::size_t d = 0; d < scores.size(); ++d) {
        scores[d] += weight * static_cast<double>(data.Row(d)[feature]);
      }
      const std::vector<double>& values = metric.Evaluate(scores).front().values;
      queries.Set(values);
      const double value = all.Mean(values);
      const bool goes_on = rounds.Add(LinearOf(weights, settings_.linear.query_normalization));
      if (best == 0 || value > best_value) {
        best = rounds.size();
        best_value = value;
      }
      in_vain = t > 0 && best_value <= last_gain + settings_.tolerance ? in_vain + 1 : 0;
      if (in_vain == 0) last_gain = best_value;
      if (!goes_on) break;
    }
    return rounds.Kept(best);
  }

  /// The ranker with the largest mean value, the first of several; kNone where all are out.
  static std::size_t Choose(const detail::FeatureRankers& rankers,
                            const detail::QueryDistribution& queries, const Choices& choices) {
    std::size_t chosen = kNone;
    double best = 0.0;
    for (std::size_t i = 0; i < rankers.size(); ++i) {
      if (choices.is_out[rankers[i].feature]) continue;
      const double mean = queries.Mean(rankers.values(i));
      if (chosen == kNone || mean > best) {
        chosen = i;
        best = mean;
      }
    }
    return chosen;
  }

  /// 1/2 ln((1 + mean) / (1 - mean)); as if the mean were a little less than 1 where it is 1.
  static double WeightOf(double mean) {
    constexpr double kHalfLn2 = 0.34657359027997264;
    constexpr double kLeast = 1e-6;
    return kHalfLn2 * Log2((1.0 + mean) / std::max(1.0 - mean, kLeast));
  }

  void RequireShares(const detail::FeatureRankers& rankers) const {
    for (std::size_t i = 0; i < rankers.size(); ++i) {
      for (const double value : rankers.values(i)) {
        if (!(value < 0.0 || value > 1.0 + 1e-9)) continue;
        throw std::invalid_argument("metric must have values from 0 to 1 for AdaRank; " +
                                    settings_.metric.ToString() + " of a query is " +
                                    detail::Shown(value));
      }
    }
  }

  AdaRankSettings settings_;
};

}  // namespace rankforest
