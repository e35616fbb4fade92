#pragma once

#include <string>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"

namespace rankforest::testing {

/// A few queries that own their judgements.
struct Queries {
  std::vector<RowId> offsets{0};
  std::vector<double> grades;
  std::vector<double> scores;
  std::vector<double> weights;

  void Add(const std::vector<double>& query_scores, const std::vector<double>& query_grades,
           double weight = 1.0) {
    scores.insert(scores.end(), query_scores.begin(), query_scores.end());
    grades.insert(grades.end(), query_grades.begin(), query_grades.end());
    weights.resize(grades.size(), weight);
    offsets.push_back(static_cast<RowId>(grades.size()));
  }

  [[nodiscard]] JudgedQueries View() const { return {offsets, grades, weights, {}}; }

  [[nodiscard]] Evaluation Evaluate(const std::string& metric, int threads = 1) const {
    MetricRun run(Metric::Parse(metric), View(), Threads{threads});
    return run.Evaluate(scores);
  }
};

/// The value of one query.
inline double ValueOf(const std::string& metric, const std::vector<double>& scores,
                      const std::vector<double>& grades) {
  Queries queries;
  queries.Add(scores, grades);
  return queries.Evaluate(metric).values[0];
}

}  // namespace rankforest::testing
