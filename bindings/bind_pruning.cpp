#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/train/line_metric.hpp"
#include "rankforest/train/line_search.hpp"
#include "rankforest/train/pruning.hpp"
#include "rankforest/train/tree_columns.hpp"

namespace rankforest::bindings {
namespace {

PruneBy ParsePruneBy(const std::string& name) {
  constexpr const char* kNames[] = {"quality_loss", "score_loss", "low_weight",
                                    "last",         "skip",       "random"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<PruneBy>(i);
  }
  throw std::invalid_argument("unknown method " + name);
}

LineSearch Search(std::uint32_t max_iterations, std::uint32_t n_points, double window,
                  double shrink, double tolerance, double min_gain, double lowest) {
  const LineSearch search{max_iterations, n_points, window, shrink, tolerance, min_gain, lowest};
  search.Check();
  return search;
}

template <class T>
std::vector<T> Copied(const Array<T>& array, const char* name) {
  const Span<const T> view = View(array, name);
  return {view.begin(), view.end()};
}

/// The trees of a model as columns whose weights can change. Keeps alive what it borrows.
class WeightedTrees {
 public:
  WeightedTrees(const Ensemble& model, const Dataset& data, const Metric& metric, int n_jobs)
      : threads_(RequireThreads(n_jobs)),
        columns_(model, data, threads_),
        metric_(metric, JudgementsOf(data), columns_, threads_) {}

  [[nodiscard]] py::array_t<double> weights() const { return ToArray(metric_.weights()); }
  void SetWeights(const Array<double>& weights) {
    std::vector<double> copy = Copied(weights, "weights");
    if (copy.size() != columns_.size()) {
      throw std::invalid_argument("there must be a weight for each tree");
    }
    const py::gil_scoped_release release;
    metric_.SetWeights(std::move(copy));
  }
  [[nodiscard]] double value() const { return metric_.value(); }
  [[nodiscard]] py::array_t<double> values() const { return ToArray(metric_.values()); }
  [[nodiscard]] py::array_t<double> query_weights() const {
    return ToArray(metric_.query_weights());
  }
  void UseQueries(const std::vector<bool>& used) {
    if (used.size() != metric_.values().size()) {
      throw std::invalid_argument("used must say of each query whether it is");
    }
    metric_.UseQueries(used);
  }
  py::array_t<double> Importances(const std::string& method, std::uint64_t seed) {
    const PruneBy by = ParsePruneBy(method);
    if (by == PruneBy::kSkip) throw std::invalid_argument("skip does not order trees");
    std::vector<double> importances;
    {
      const py::gil_scoped_release release;
      importances = TreeImportances(by, metric_, Rng(seed), threads_);
    }
    return ToArray(importances);
  }
  std::vector<double> Run(const LineSearch& search, const std::vector<std::size_t>& columns) {
    for (const std::size_t column : columns) {
      if (column >= columns_.size()) throw std::invalid_argument("there is no such tree");
    }
    const py::gil_scoped_release release;
    return search.Run(metric_, columns);
  }

 private:
  Threads threads_;
  TreeColumns columns_;
  LineMetric<TreeColumns> metric_;
};

/// Returns (weights, the metric before the first pass and after each).
py::tuple SearchWeights(const LineSearch& search, const Metric& metric, const Dataset& data,
                        const std::vector<Array<double>>& columns, const Array<double>& start,
                        int n_jobs) {
  const Threads threads = RequireThreads(n_jobs);
  DenseColumns dense;
  for (const Array<double>& column : columns) {
    const Span<const double> of_row = View(column, "scores");
    if (of_row.size() != data.n_documents()) {
      throw std::invalid_argument("scores must have one value for each document");
    }
    dense.values.emplace_back();
    for (const RowId row : data.order()) dense.values.back().push_back(of_row[row]);
  }
  std::vector<double> weights = Copied(start, "weights");
  if (weights.size() != columns.size()) {
    throw std::invalid_argument("there must be a weight for each column");
  }
  std::vector<double> history;
  {
    const py::gil_scoped_release release;
    LineMetric<DenseColumns> line(metric, JudgementsOf(data), dense, threads);
    line.SetWeights(std::move(weights));
    std::vector<std::size_t> all;
    for (std::size_t j = 0; j < columns.size(); ++j) all.push_back(j);
    history = search.Run(line, all);
    weights = line.weights();
  }
  return py::make_tuple(ToArray(weights), history);
}

Ensemble ReweightedTrees(const Ensemble& model, const Array<double>& weights) {
  const Span<const double> view = View(weights, "weights");
  if (!model.is_sum() || view.size() != model.n_trees()) {
    throw std::invalid_argument("a model that sums and a weight for each of its trees are needed");
  }
  Ensemble changed = Reweighted(model, view);
  Validate(changed);
  return changed;
}

}  // namespace

void BindPruning(py::module_& module) {
  py::class_<LineSearch>(module, "LineSearch", "How weights are searched.")
      .def(py::init(&Search), py::kw_only(), py::arg("max_iterations"), py::arg("n_points"),
           py::arg("window"), py::arg("shrink"), py::arg("tolerance"), py::arg("min_gain"),
           py::arg("lowest"))
      .def_static("defaults", [] {
        const LineSearch search;
        py::dict values;
        values["max_iterations"] = search.max_iterations;
        values["n_points"] = search.n_points;
        values["window"] = search.window;
        values["shrink"] = search.shrink;
        values["tolerance"] = search.tolerance;
        values["min_gain"] = search.min_gain;
        values["lowest"] = search.lowest;
        return values;
      });
  py::class_<WeightedTrees>(module, "WeightedTrees",
                            "A metric of a data set as the weights of a model's trees change.")
      .def(py::init<const Ensemble&, const Dataset&, const Metric&, int>(), py::arg("model"),
           py::arg("data"), py::arg("metric"), py::arg("n_jobs"), py::keep_alive<1, 2>(),
           py::keep_alive<1, 3>())
      .def_property("weights", &WeightedTrees::weights, &WeightedTrees::SetWeights,
                    "float64, one for each tree: factors, 1 at first.")
      .def_property_readonly("value", &WeightedTrees::value, "The mean over the queries in use.")
      .def_property_readonly("values", &WeightedTrees::values,
                             "float64 of each query in canonical order, after weights were set.")
      .def_property_readonly("query_weights", &WeightedTrees::query_weights,
                             "float64: how much each query counts in the mean.")
      .def("use_queries", &WeightedTrees::UseQueries, py::arg("used"),
           "A bool for each query in canonical order; what follows looks at these alone.")
      .def("importances", &WeightedTrees::Importances, py::arg("method"), py::arg("seed"),
           "What there is to keep each tree for, as the method measures it.")
      .def("search", &WeightedTrees::Run, py::arg("search"), py::arg("columns"),
           "Searches the weights of some trees; the metric before and after each pass.");
  module.def("search_weights", &SearchWeights, py::arg("search"), py::arg("metric"),
             py::arg("data"), py::arg("columns"), py::arg("weights"), py::arg("n_jobs"),
             "(weights, history) of columns of scores in the order of rows.");
  module.def("skipping_trees", &SkippingTrees, py::arg("n_trees"), py::arg("n_kept"),
             "Whether each tree is among those at equal distances.");
  module.def("reweighted", &ReweightedTrees, py::arg("model"), py::arg("weights"),
             "The model with each tree's weight multiplied; trees of weight 0 are dropped.");
}

}  // namespace rankforest::bindings
