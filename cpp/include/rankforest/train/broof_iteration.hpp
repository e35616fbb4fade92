#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"

namespace rankforest {

/// What an iteration of BROOF knows when an extension point is asked, and what the points have
/// answered so far. Entry i of a vector is that of document `rows.rows[i]`.
struct BroofIteration {
  BroofIteration(const Dataset& dataset, const RowSample& documents, double shrinkage)
      : data(dataset), rows(documents), learning_rate(shrinkage) {}

  const Dataset& data;
  const RowSample& rows;             ///< the documents that are trained on, each once
  double learning_rate;              ///< eta in the paper
  std::size_t number = 0;            ///< of the iteration, from 0
  std::vector<double> weights;       ///< what the trees' draws go by; >= 0, of sum 1
  std::vector<double> targets;       ///< what the forest learnt
  std::vector<double> out_of_bag;    ///< mean of the trees that did not draw it; NaN: all did
  std::vector<double> of_all_trees;  ///< mean of all trees, those that drew it among them
  std::vector<double> predictions;   ///< the validation set's; NaN where a document is not in it
  std::vector<double> errors;        ///< e in the paper, >= 0; NaN where there is no prediction
  /// Epsilon in the paper: the mean of the errors by `weights` (times the documents' weights in the
  /// data set, where it has any). NaN where no document has an error.
  double error = 0.0;
  double beta = 0.0;            ///< what the weights of documents are updated by, > 0
  double learner_weight = 0.0;  ///< what the forest counts in the model; 0 where it is left out
};

namespace detail {

/// The grade of document i of an iteration.
inline double GradeOf(const BroofIteration& now, std::size_t i) {
  return now.data.grades()[now.rows.rows[i]];
}

}  // namespace detail

/// What the learner weight says.
struct BroofLearner {
  double beta = 0.0;    ///< > 0
  double weight = 0.0;  ///< finite
};

/// The extension points of BROOF, each a small object or any function of the same kind. A point
/// sees the fields that are before its own in BroofIteration. The fourth has two halves, the errors
/// and what is made of their mean.
struct BroofParts {
  /// Of the documents before the first iteration, of which `data` and `rows` alone are known: >= 0,
  /// not all 0; they are divided by their sum.
  std::function<std::vector<double>(const BroofIteration& start, Rng rng)> initial_weights;
  /// Targets of the next iteration. Those of the first are the grades.
  std::function<std::vector<double>(const BroofIteration& last)> examples;
  /// Predictions that errors are measured on; NaN leaves a document out.
  std::function<std::vector<double>(const BroofIteration& now)> validation_set;
  /// Of the predictions, >= 0; NaN leaves a document out.
  std::function<std::vector<double>(const BroofIteration& now)> errors;
  std::function<BroofLearner(const BroofIteration& now)> learner_weight;
  /// Of the documents in the next iteration: >= 0, not all 0; they are divided by their sum.
  std::function<std::vector<double>(const BroofIteration& last)> example_weights;
};

/// Sees each iteration when it has ended, one that is left out of the model too.
using BroofObserver = std::function<void(const BroofIteration& iteration)>;

}  // namespace rankforest
