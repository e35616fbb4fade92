#include "broof_trainer.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "callbacks.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/train/broof.hpp"
#include "rankforest/train/run.hpp"
#include "settings.hpp"
#include "train_unlocked.hpp"

namespace rankforest::bindings {

namespace {

/// What Python sees of an iteration: copies, for functions may keep them.
py::dict ToDict(const BroofIteration& it) {
  std::vector<double> grades;
  std::vector<RowId> rows;
  std::vector<RowId> offsets = {0};
  for (const RowId row : it.rows.rows) {
    grades.push_back(it.data.grades()[row]);
    rows.push_back(it.data.order()[row]);
  }
  for (const QueryRange& query : QueryRanges(it.data, it.rows)) {
    offsets.push_back(static_cast<RowId>(query.end));
  }
  using namespace pybind11::literals;
  return py::dict("number"_a = it.number, "learning_rate"_a = it.learning_rate,
                  "grades"_a = ToArray(grades), "offsets"_a = ToArray(offsets),
                  "rows"_a = ToArray(rows), "weights"_a = ToArray(it.weights),
                  "targets"_a = ToArray(it.targets), "out_of_bag"_a = ToArray(it.out_of_bag),
                  "of_all_trees"_a = ToArray(it.of_all_trees),
                  "predictions"_a = ToArray(it.predictions), "errors"_a = ToArray(it.errors),
                  "error"_a = it.error, "beta"_a = it.beta, "learner_weight"_a = it.learner_weight);
}

/// A Python function of an iteration that returns a number for each document.
auto ToVectorPart(const py::handle& function) {
  return [function = SharedFunction(function.cast<py::function>())](const BroofIteration& now,
                                                                    const auto&... /*rng*/) {
    const py::gil_scoped_acquire acquire;
    return ToVector(function(ToDict(now)));
  };
}

/// A Python function of an iteration that returns what its forest counts. Weights of documents are
/// updated by the paper's beta.
auto ToLearnerWeight(const py::handle& function) {
  return [function = SharedFunction(function.cast<py::function>())](const BroofIteration& now) {
    const py::gil_scoped_acquire acquire;
    return BroofLearner{BetaOf(now), function(ToDict(now)).template cast<double>()};
  };
}

/// A Python function that sees each iteration when it has ended.
BroofObserver ToObserver(const py::handle& function) {
  return [function = SharedFunction(function.cast<py::function>())](const BroofIteration& now) {
    const py::gil_scoped_acquire acquire;
    function(ToDict(now));
  };
}

void Replace(BroofParts& parts, const std::string& name, const py::handle& function,
             const BroofSettings& settings) {
  if (name == "initial_weights") {
    parts.initial_weights = ToVectorPart(function);
  } else if (name == "examples") {
    parts.examples = ToVectorPart(function);
  } else if (name == "validation_set") {
    parts.validation_set = ToVectorPart(function);
  } else if (name == "errors") {
    parts.errors = Normalized(ToVectorPart(function), settings.error_normalization);
  } else if (name == "learner_weight") {
    parts.learner_weight = ToLearnerWeight(function);
  } else if (name == "example_weights") {
    parts.example_weights = ToVectorPart(function);
  } else {
    throw std::invalid_argument("BROOF has no extension point '" + name + "'");
  }
}

}  // namespace

py::dict BroofDefaultSettings() { return ToDict(BroofDefaults()); }

Trained TrainBroof(const Dataset& data, const py::dict& dict, const py::dict& functions,
                   RunOptions options) {
  const BroofSettings settings = FromDict(BroofDefaults(), dict);
  Check(settings);
  options.monitor.early_stopping_rounds = settings.early_stopping_rounds;
  options.monitor.min_delta = settings.min_delta;
  BroofParts parts = PartsOf(settings);
  BroofObserver watching;
  for (const auto& [key, function] : functions) {
    const auto name = py::str(key).cast<std::string>();
    if (name == "observer") {
      watching = ToObserver(function);
    } else {
      Replace(parts, name, function, settings);
    }
  }
  const bool is_one = !options.bag.has_value();
  std::vector<double> errors;
  std::vector<double> weights;
  const BroofObserver observer = [&](const BroofIteration& it) {
    if (watching) watching(it);
    if (!is_one) return;  // members of a bag are trained side by side
    errors.push_back(it.error);
    weights.push_back(it.learner_weight);
  };
  const Broof recipe(settings, std::move(parts), observer);
  Trained trained = TrainUnlocked(recipe, data, settings.max_iter, std::move(options));
  if (is_one) trained.series = {{"errors", errors}, {"weights", weights}};
  return trained;
}

}  // namespace rankforest::bindings
