#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
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

  IterationCase(const IterationCase&) = delete;  // the iteration refers to what is beside it
  IterationCase& operator=(const IterationCase&) = delete;
  ~IterationCase() = default;

  /// Gives out-of-bag predictions, by document; all trees say 0.5 where there is none.
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

/// Three documents of a query in canonical order, of which the last was never out of bag.
struct UpdateCase : IterationCase {
  UpdateCase() : IterationCase(OneFeature({1, 1, 1}, {0, 1, 2}), 0.5) {
    Predict({0.5, 2.0, kNoNumber});
    now.errors = {0.0, 1.0, kNoNumber};
    now.error = 0.25;
    now.beta = 0.25;
  }
};

/// Three documents of grades 0, 1 and 2, the last of which has no prediction.
struct ThreePredicted : IterationCase {
  ThreePredicted() : IterationCase(OneFeature({1, 1, 1}, {0, 1, 2}), 0.5) {
    Predict({0.5, 2.0, kNoNumber});  // 0.5 by all trees
    now.targets = {1.0, 1.0, 1.0};
    now.error = 0.25;
  }
};

/// Predictions with ties, some of them missing.
inline std::vector<double> SomePredictions(std::size_t n, Rng& rng) {
  std::vector<double> predictions(n);
  for (double& each : predictions) each = rng.Below(6) == 0 ? kNoNumber : 0.25 * rng.Below(9);
  return predictions;
}

}  // namespace rankforest::testing
