#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/train/line_metric.hpp"

namespace rankforest {

/// Maximises a metric over the weights of columns, one weight at a time.
///
/// A pass goes through the columns in order. For each, it tries `n_points` weights spread evenly
/// over [w - window, w + window] around the present weight w, and takes the best if it is better
/// than w; of equally good ones the nearest to w. After every pass the window shrinks.
///
/// Where steps double, it tries 0 and n_points / 2 weights on each side, at distances 1, 3, 7, 15,
/// ... times a twentieth of |w|, or of 1 if w is 0: there is no window.
///
/// Metzler and Croft, "Linear feature-based models for information retrieval", Information
/// Retrieval 10(3), 2007, section 5 (coordinate ascent); Lucchese et al., "Post-learning
/// optimization of tree ensembles for efficient ranking", SIGIR 2016.
struct LineSearch {
  std::uint32_t max_iterations = 10;  ///< passes through all columns
  std::uint32_t n_points = 10;        ///< weights tried on a line, >= 2
  double window = 1.0;                ///< in the first pass, finite, > 0
  double shrink = 0.7;                ///< of the window after each pass, in (0, 1]
  double tolerance = 1e-4;            ///< a pass that gains less is the last one, >= 0
  double min_gain = 0.0;              ///< a weight that gains no more than this stays, >= 0
  double lowest = 0.0;                ///< no weight goes below it; may be -infinity, not NaN
  bool steps_double = false;          ///< in place of equal distances within the window

  /// Throws std::invalid_argument that names the setting.
  void Check() const {
    Require(n_points >= 2, "n_points must be >= 2", static_cast<double>(n_points));
    Require(std::isfinite(window) && window > 0.0, "window must be finite and > 0", window);
    Require(shrink > 0.0 && shrink <= 1.0, "shrink must be in (0, 1]", shrink);
    Require(tolerance >= 0.0, "tolerance must be >= 0", tolerance);
    Require(min_gain >= 0.0, "min_gain must be >= 0", min_gain);
    Require(lowest < std::numeric_limits<double>::infinity(),
            "lowest must be a number below infinity", lowest);
  }

  /// Improves the weights of some columns.
  ///
  /// @param metric   starts from its weights, and has the best ones in the end
  /// @param columns  which ones, in the order in which they take turns
  /// @returns the metric before the first pass and after each
  template <class Metric>
  std::vector<double> Run(Metric& metric, Span<const std::size_t> columns) const {
    Check();
    std::vector<double> history{metric.value()};
    double width = window;
    for (std::uint32_t pass = 0; pass < max_iterations; ++pass, width *= shrink) {
      for (const std::size_t column : columns) Improve(metric, column, width);
      metric.SetWeights(metric.weights());  // sums that were moved step by step are off by rounding
      history.push_back(metric.value());
      if (history[pass + 1] - history[pass] < tolerance) break;
    }
    return history;
  }

 private:
  static void Require(bool holds, const char* rule, double got) {
    if (holds) return;
    throw std::invalid_argument(std::string(rule) + ", got " + detail::Shown(got));
  }

  /// The weights to try, by their distance from the present one.
  [[nodiscard]] std::vector<double> Candidates(double weight, double width) const {
    std::vector<double> points = steps_double ? DoublingPoints(weight) : EvenPoints(weight, width);
    for (double& point : points) point = std::max(point, lowest);
    std::sort(points.begin(), points.end());
    std::vector<double> candidates;
    for (const double point : points) {
      const bool is_new = point != weight && (candidates.empty() || candidates.back() != point);
      if (is_new) candidates.push_back(point);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](double a, double b) {
      return std::abs(a - weight) < std::abs(b - weight);
    });
    return candidates;
  }

  [[nodiscard]] std::vector<double> EvenPoints(double weight, double width) const {
    std::vector<double> points;
    for (std::uint32_t p = 0; p < n_points; ++p) {
      const double part = 2.0 * static_cast<double>(p) / static_cast<double>(n_points - 1) - 1.0;
      points.push_back(weight + part * width);
    }
    return points;
  }

  [[nodiscard]] std::vector<double> DoublingPoints(double weight) const {
    std::vector<double> points{0.0};
    double step = (weight == 0.0 ? 1.0 : std::abs(weight)) / 20.0;
    double distance = 0.0;
    for (std::uint32_t p = 0; p < n_points / 2 && std::isfinite(distance + step); ++p) {
      distance += step;
      step *= 2.0;
      points.push_back(weight - distance);
      points.push_back(weight + distance);
    }
    return points;
  }

  template <class Metric>
  void Improve(Metric& metric, std::size_t column, double width) const {
    const std::vector<double> candidates = Candidates(metric.weights()[column], width);
    if (candidates.empty()) return;
    const std::vector<double>& means = metric.Try(column, candidates);
    const auto best = std::max_element(means.begin(), means.end());
    if (*best > metric.value() + min_gain) {
      metric.Take(static_cast<std::size_t>(best - means.begin()));
    }
  }
};

/// Columns that are held as numbers.
struct DenseColumns {
  std::vector<std::vector<double>> values;  ///< [column][document]

  [[nodiscard]] std::size_t size() const { return values.size(); }
  [[nodiscard]] double Value(std::size_t j, std::size_t d) const { return values[j][d]; }
  [[nodiscard]] double Largest(std::size_t j) const {
    double largest = 0.0;
    for (const double value : values[j]) largest = std::max(largest, std::abs(value));
    return largest;
  }
};

}  // namespace rankforest
