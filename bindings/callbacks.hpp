#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/objective/callback.hpp"
#include "rankforest/objective/pair_weights.hpp"
#include "rankforest/train/monitor.hpp"

// Python functions as parts of a run: each call takes the interpreter lock, and all happen on
// the thread that called train().

namespace rankforest::bindings {

/// A Python function whose owners come and go without the interpreter lock: runs copy and drop
/// their parts while other Python threads work.
class SharedFunction {
 public:
  explicit SharedFunction(py::function function)
      : function_(std::make_unique<py::function>(std::move(function)).release(), &Drop) {}

  /// Calls it; the caller holds the lock.
  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) const {
    return (*function_)(std::forward<Arguments>(arguments)...);
  }

 private:
  static void Drop(py::function* function) {
    const py::gil_scoped_acquire acquire;
    const std::unique_ptr<py::function> dropped(function);
  }

  std::shared_ptr<py::function> function_;
};

template <class T>
py::array Copied(Span<const T> values) {
  return Array<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// A metric of our own, or (name, function of grades, scores and offsets, maximize).
inline WatchedMetric ToWatchedMetric(const py::handle& metric, const Dataset& data,
                                     Threads threads) {
  if (py::isinstance<Metric>(metric)) {
    const auto value = metric.cast<Metric>();
    const auto renew = [value, &data, threads] {
      auto run = std::make_shared<MetricRun>(value, JudgementsOf(data), threads);
      return [run](Span<const double> scores) { return run->Evaluate(scores).mean; };
    };
    return {value.ToString(), value.maximize(), renew(), renew};
  }
  auto [name, function, maximize] = metric.cast<std::tuple<std::string, py::function, bool>>();
  return {name,
          maximize,
          [function = SharedFunction(std::move(function)), &data](Span<const double> scores) {
            const py::gil_scoped_acquire acquire;
            return function(Copied(data.grades()), Copied(scores), Copied(data.offsets()))
                .template cast<double>();
          },
          {}};
}

/// The values of a vector or sequence of numbers.
inline std::vector<double> ToVector(const py::handle& values) {
  const auto array = py::array_t < double,
             py::array::c_style | py::array::forcecast > ::ensure(values);
  if (!array) throw py::error_already_set();
  return std::vector<double>(array.data(), array.data() + array.size());
}

/// A function of (grades of the better document of each pair, of the worse one, rows of the better,
/// of the worse) that returns weights.
inline PairFunction ToPairFunction(py::function function) {
  return [function = SharedFunction(std::move(function))](GradedPairs& pairs) {
    const py::gil_scoped_acquire acquire;
    pairs.weights =
        ToVector(function(Copied<double>(pairs.grades_better), Copied<double>(pairs.grades_worse),
                          Copied<RowId>(pairs.rows_better), Copied<RowId>(pairs.rows_worse)));
  };
}

/// A function of (grades, scores, offsets, rows) that returns gradients and hessians.
inline CallbackObjective ToObjective(py::function function) {
  return CallbackObjective([function = SharedFunction(std::move(function))](CallbackRound& round) {
    const py::gil_scoped_acquire acquire;
    const py::object answer = function(Copied<double>(round.grades), Copied<double>(round.scores),
                                       Copied<RowId>(round.offsets), Copied<RowId>(round.rows));
    const auto [gradients, hessians] = answer.cast<std::pair<py::object, py::object>>();
    round.gradients = ToVector(gradients);
    round.hessians = ToVector(hessians);
  });
}

/// What Python sees of a round: {"round", "n_rounds", "values": {set: {metric: value}}}.
inline py::dict ToDict(const RoundReport& report, const std::vector<Watch>& watches) {
  py::dict values;
  for (std::size_t w = 0; w < report.values.size(); ++w) {
    py::dict of_watch;
    for (std::size_t m = 0; m < report.values[w].size(); ++m) {
      of_watch[py::str(watches[w].metrics[m].name)] = report.values[w][m];
    }
    values[py::str(watches[w].name)] = of_watch;
  }
  using namespace pybind11::literals;
  return py::dict("round"_a = report.round, "n_rounds"_a = report.n_rounds, "values"_a = values);
}

}  // namespace rankforest::bindings
