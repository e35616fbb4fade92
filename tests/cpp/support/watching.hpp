#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest::testing {

/// A metric of the library, as a run watches it.
inline WatchedMetric Watched(const std::string& spelling, const Dataset& data) {
  const Metric metric = Metric::Parse(spelling);
  auto run = std::make_shared<MetricRun>(metric, JudgementsOf(data), Threads{1});
  return {spelling, metric.maximize(),
          [run](Span<const double> scores) { return run->Evaluate(scores).mean; }};
}

/// Remembers the scores of every evaluation.
struct ScoreLog {
  std::vector<std::vector<double>> scores;

  [[nodiscard]] WatchedMetric metric() {
    return {"log", true, [this](Span<const double> now) {
              scores.emplace_back(now.begin(), now.end());
              return 0.0;
            }};
  }
};

/// Gives these values, one per evaluation, whatever the scores are.
inline WatchedMetric Scripted(std::vector<double> values, bool maximize = true) {
  auto next = std::make_shared<std::size_t>(0);
  return {"script", maximize, [values = std::move(values), next](Span<const double> /*scores*/) {
            return values.at((*next)++);
          }};
}

/// Values by canonical position, brought to the caller's rows.
inline std::vector<double> ByRow(const Dataset& data, const std::vector<double>& by_position) {
  std::vector<double> by_row(by_position.size());
  for (std::size_t d = 0; d < by_row.size(); ++d) by_row[data.order()[d]] = by_position[d];
  return by_row;
}

}  // namespace rankforest::testing
