#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/train/line_metric.hpp"
#include "rankforest/train/line_search.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/linear_rounds.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest {

/// The features of a data set as columns for LineMetric, each in units of its own: the mean over
/// queries of the difference between its largest and its smallest value. So one step of a weight
/// means about as much for each, and scaling a feature by a power of two changes nothing.
class FeatureColumns {
 public:
  explicit FeatureColumns(const LinearData& data)
      : n_documents_(data.n_documents()),
        values_(data.n_features() * data.n_documents()),
        units_(data.n_features()),
        largest_(data.n_features()) {
    ParallelFor(data.threads(), data.n_features(), [&](std::size_t f) { Fill(data, f); });
  }

  [[nodiscard]] std::size_t size() const { return units_.size(); }
  [[nodiscard]] double Value(std::size_t j, std::size_t d) const {
    return static_cast<double>(values_[j * n_documents_ + d]) / units_[j];
  }
  [[nodiscard]] double Largest(std::size_t j) const { return largest_[j]; }

  /// 1 for a feature that is the same all over each query.
  [[nodiscard]] double unit(std::size_t j) const { return units_[j]; }
  /// Whether a feature tells any two documents of a query apart.
  [[nodiscard]] bool tells(std::size_t j) const { return largest_[j] > 0.0; }

 private:
  void Fill(const LinearData& data, std::size_t f) {
    double ranges = 0.0;
    double largest = 0.0;
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      float low = std::numeric_limits<float>::infinity();
      float high = -low;
      for (std::size_t d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
        const float value = data.Row(d)[f];
        values_[f * n_documents_ + d] = value;
        low = std::min(low, value);
        high = std::max(high, value);
        largest = std::max(largest, std::abs(static_cast<double>(value)));
      }
      ranges += static_cast<double>(high) - static_cast<double>(low);
    }
    units_[f] = ranges > 0.0 ? ranges / static_cast<double>(data.n_queries()) : 1.0;
    largest_[f] = ranges > 0.0 ? largest / units_[f] : 0.0;
  }

  std::size_t n_documents_;
  std::vector<float> values_;    // [feature][document]
  std::vector<double> units_;    // of each feature
  std::vector<double> largest_;  // in these units; 0 for a feature that tells nothing
};

/// A linear model whose weights maximise a metric, one weight at a time (LineSearch), from several
/// starting points: the first has all weights 1, in units of FeatureColumns, the others are drawn
/// from -1 to 1. Each goes through the features in an order of its own, anew in each pass. A pass
/// is a round. The best pass by the training metric is kept, or what early stopping keeps.
///
/// Metzler and Croft, "Linear feature-based models for information retrieval", Information
/// Retrieval 10(3), 2007, section 5.
class CoordinateAscent {
 public:
  explicit CoordinateAscent(const CoordinateAscentSettings& settings) : settings_(settings) {}

  void Prepare(const TrainingSet& /*training*/) const {}

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& sample, const Rng& rng,
                             Monitor& monitor) const {
    const QueryNormalization kind = settings_.linear.query_normalization;
    const LinearData data(training, sample, kind);
    const FeatureColumns columns(data);
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns.tells(j)) order.push_back(j);
    }
    if (order.empty()) {
      throw std::invalid_argument(
          "CoordinateAscent needs a feature that differs within a query, and there is none");
    }
    LineMetric<FeatureColumns> metric(settings_.metric, data.judgements(), columns,
                                      training.threads);
    if (std::isnan(metric.value())) {
      throw std::invalid_argument(
          "CoordinateAscent needs a query that its metric can be evaluated on, and there is none");
    }
    LinearRounds rounds(monitor, training.threads);
    Best best;
    for (std::uint32_t r = 0; r < settings_.n_restarts; ++r) {
      Rng own = rng.Child(Purpose::kStage, r);
      metric.SetWeights(Start(order, columns.size(), r, own));
      if (!Climb(metric, order, own, rounds, best)) break;
    }
    return rounds.Kept(best.round);
  }

  [[nodiscard]] Member Continue(const TrainingSet& /*training*/, const RowSample& /*sample*/,
                                const Rng& /*rng*/, Monitor& /*monitor*/, Member /*start*/) const {
    throw std::invalid_argument("CoordinateAscent does not go on from a model");
  }

 private:
  struct Best {
    std::size_t round = 0;
    double value = 0.0;
  };

  static std::vector<double> Start(const std::vector<std::size_t>& columns, std::size_t size,
                                   std::uint32_t restart, Rng& rng) {
    std::vector<double> weights(size, 0.0);
    for (const std::size_t j : columns) {
      weights[j] = restart == 0 ? 1.0 : 2.0 * rng.Uniform() - 1.0;
    }
    return weights;
  }

  /// The search of one pass, in which a weight may become anything.
  [[nodiscard]] LineSearch LineOfPass(double width) const {
    LineSearch line;
    line.max_iterations = 1;
    line.n_points = settings_.n_points;
    line.window = width;
    line.shrink = 1.0;
    line.tolerance = 0.0;
    line.lowest = -std::numeric_limits<double>::infinity();
    line.steps_double = settings_.steps == LineSteps::kDoubling;
    return line;
  }

  /// Goes up from the weights of `metric`. Returns whether training goes on.
  bool Climb(LineMetric<FeatureColumns>& metric, std::vector<std::size_t> order, Rng& rng,
             LinearRounds& rounds, Best& best) const {
    double width = settings_.window;
    for (std::uint32_t pass = 0; pass < settings_.max_iterations; ++pass) {
      rng.Shuffle(Span<std::size_t>(order));
      const std::vector<double> history = LineOfPass(width).Run(metric, order);
      const bool goes_on = rounds.Add(ModelOf(metric));
      if (best.round == 0 || history[1] > best.value) best = {rounds.size(), history[1]};
      if (!goes_on) return false;
      if (history[1] - history[0] < settings_.tolerance) break;
      width *= settings_.shrink;
    }
    return true;
  }

  [[nodiscard]] Linear ModelOf(const LineMetric<FeatureColumns>& metric) const {
    std::vector<double> weights = metric.weights();
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] /= metric.columns().unit(j);
    return LinearOf(weights, settings_.linear.query_normalization);
  }

  CoordinateAscentSettings settings_;
};

}  // namespace rankforest
