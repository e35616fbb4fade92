#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/train/broof_iteration.hpp"
#include "support/small_data.hpp"

namespace rankforest::testing {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// A data set, and an iteration of BROOF on all of it.
struct IterationCase {
  IterationCase(const RawData& raw, double learning_rate)
      : data(raw.Make()), rows(WholeSample(data.n_documents())), now(data, rows, learning_rate) {
    now.weights.assign(rows.rows.size(), 1.0 / static_cast<double>(rows.rows.size()));
    now.targets.assign(data.grades().begin(), data.grades().end());
  }

  /// Gives out-of-bag predictions by grade and position among those of the grade: enough for data
  /// whose documents are told apart so.
  void Predict(std::vector<double> out_of_bag) {
    now.out_of_bag = out_of_bag;
    now.of_all_trees = out_of_bag;
    for (double& each : now.of_all_trees) each = std::isnan(each) ? 0.5 : each;
    now.predictions = std::move(out_of_bag);
  }

  Dataset data;
  RowSample rows;
  BroofIteration now;
};

/// Predictions with ties, some of them missing.
inline std::vector<double> SomePredictions(std::size_t n, Rng& rng) {
  std::vector<double> predictions(n);
  for (double& each : predictions) each = rng.Below(6) == 0 ? kNoNumber : 0.25 * rng.Below(9);
  return predictions;
}

}  // namespace rankforest::testing
