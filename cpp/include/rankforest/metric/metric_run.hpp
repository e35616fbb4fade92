#pragma once

#include <utility>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/evaluation.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metrics_run.hpp"

namespace rankforest {

/// One metric on given judgements, for many sets of scores: see MetricsRun.
class MetricRun {
 public:
  MetricRun(Metric metric, JudgedQueries queries, Threads threads)
      : metric_(std::move(metric)), run_({metric_}, queries, threads) {}

  [[nodiscard]] const Metric& metric() const { return metric_; }

  const Evaluation& Evaluate(Span<const double> scores) { return run_.Evaluate(scores).front(); }

 private:
  Metric metric_;
  MetricsRun run_;
};

}  // namespace rankforest
