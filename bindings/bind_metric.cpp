#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::bindings {
namespace {

Evaluation EvaluateData(const Metric& metric, const Dataset& data, const Array<double>& scores,
                        int n_jobs) {
  const Span<const double> score_of_row = View(scores, "scores");
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return Evaluate(metric, data, score_of_row, threads);
}

Evaluation EvaluateRows(const Metric& metric, const Array<double>& grades,
                        const Array<double>& scores, const Array<QueryId>& query_codes,
                        const std::optional<Array<double>>& weights, int n_jobs) {
  const JudgedRows rows{View(grades, "grades"), View(query_codes, "query_codes"),
                        weights ? View(*weights, "weights") : Span<const double>()};
  if (weights && weights->size() != grades.size()) {  // an empty span would mean no weights
    throw std::invalid_argument("weights has " + std::to_string(weights->size()) +
                                " values, grades has " + std::to_string(grades.size()));
  }
  const Span<const double> score_of_row = View(scores, "scores");
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return Evaluate(metric, rows, score_of_row, threads);
}

/// The metric with some keys set anew: NDCG(gain="linear").
Metric WithKeys(Metric metric, const py::kwargs& keys) {
  for (const auto& [key, value] : keys) {
    metric = metric.With(py::cast<std::string>(key), py::cast<std::string>(py::str(value)));
  }
  return metric;
}

void BindEvaluation(py::module_& module) {
  py::class_<Evaluation>(module, "Evaluation", "What a metric says of the scores of some queries.")
      .def_readonly("mean", &Evaluation::mean, "Over the queries that count; NaN if none does.")
      .def_readonly("n_empty", &Evaluation::n_empty, "Queries without a relevant document.")
      .def_property_readonly(
          "values",
          [](const py::object& self) {
            return Expose(Span<const double>(self.cast<const Evaluation&>().values), self);
          },
          "float64 of shape (n_queries,), by query code ascending; NaN where a query is skipped.");
}

}  // namespace

void BindMetric(py::module_& module) {
  BindEvaluation(module);
  py::class_<Metric>(module, "Metric",
                     "A measure of rankings: an immutable value, spelled "
                     "NAME[@K][(KEY=VALUE,...)], such as ndcg@10(gain=linear,empty=0).")
      .def(py::init(&Metric::Parse), py::arg("spelling"))
      .def_static("parse", &Metric::Parse, py::arg("spelling"),
                  "Read a spelling; raises ValueError that names the piece that does not fit.")
      .def_property_readonly("name", &Metric::name, "Without cutoff and keys.")
      .def_property_readonly(
          "cutoff",
          [](const Metric& self) -> std::optional<std::size_t> {
            if (self.cutoff() == kNoCutoff) return std::nullopt;
            return self.cutoff();
          },
          "The k of @k; None for the whole list.")
      .def_property_readonly("maximize", &Metric::maximize, "Whether more is better.")
      .def_property_readonly(
          "needs_canonical_order",
          [](const Metric& self) { return self.settings().ties == Ties::kCanonical; },
          "Whether it can be evaluated on a Dataset only.")
      .def("__matmul__", &Metric::WithCutoff, py::arg("cutoff"), "The metric at a cutoff.")
      .def("__call__", &WithKeys, "The metric with some keys set anew.")
      .def("__str__", &Metric::ToString)
      .def("__repr__", [](const Metric& self) { return "Metric('" + self.ToString() + "')"; })
      .def(
          "__eq__", [](const Metric& self, const Metric& other) { return self == other; },
          py::is_operator())
      .def("__hash__", [](const Metric& self) { return py::hash(py::str(self.ToString())); })
      .def(py::pickle([](const Metric& self) { return py::str(self.ToString()); },
                      [](const py::str& spelling) { return Metric::Parse(std::string(spelling)); }))
      .def("evaluate", &EvaluateRows, py::arg("grades").noconvert(), py::arg("scores").noconvert(),
           py::arg("query_codes").noconvert(), py::arg("weights").noconvert().none(true),
           py::arg("n_jobs"), "Evaluate scores of rows in any order.")
      .def("evaluate_dataset", &EvaluateData, py::arg("data"), py::arg("scores").noconvert(),
           py::arg("n_jobs"), "Evaluate scores of a data set, in the caller's row order.");
}

}  // namespace rankforest::bindings
