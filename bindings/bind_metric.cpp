#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/metric/evaluation.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::bindings {
namespace {

/// Values of rows that may be missing; an empty array would mean the same to the core, so one of
/// another length is refused here.
template <class T>
Span<const T> ViewOptional(const std::optional<Array<T>>& values, const char* name,
                           std::size_t n_rows) {
  if (!values) return {};
  const Span<const T> view = View(*values, name);
  if (view.size() == n_rows) return view;
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(view.size()) +
                              " values, grades has " + std::to_string(n_rows));
}

std::vector<Evaluation> EvaluateRows(const std::vector<Metric>& metrics,
                                     const Array<double>& grades, const Array<double>& scores,
                                     const Array<QueryId>& query_codes,
                                     const std::optional<Array<double>>& weights,
                                     const std::optional<Array<RowId>>& canonical_ranks,
                                     const std::optional<Array<RowId>>& docno_ranks,
                                     const std::optional<Array<double>>& pool_grades,
                                     const std::optional<Array<QueryId>>& pool_codes, int n_jobs) {
  JudgedRows rows{View(grades, "grades"), View(query_codes, "query_codes"), {}, {}, {}, nullptr};
  rows.weights = ViewOptional(weights, "weights", rows.grades.size());
  rows.canonical_ranks = ViewOptional(canonical_ranks, "canonical_ranks", rows.grades.size());
  rows.docno_ranks = ViewOptional(docno_ranks, "docno_ranks", rows.grades.size());
  PoolRows pool;
  if (pool_grades) {
    pool.grades = View(*pool_grades, "pool_grades");
    pool.query_of_row = ViewOptional(pool_codes, "pool_codes", pool.grades.size());
    rows.pool = &pool;
  }
  const Span<const double> score_of_row = View(scores, "scores");
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return Evaluate(metrics, rows, score_of_row, threads);
}

/// The metric with some keys set anew: NDCG(gain="linear").
Metric WithKeys(Metric metric, const py::kwargs& keys) {
  for (const auto& [key, value] : keys) {
    metric = metric.With(py::cast<std::string>(key), py::cast<std::string>(py::str(value)));
  }
  return metric;
}

/// NDCG @ 10; any integer of Python or NumPy, however large, gets as far as the check.
Metric AtCutoff(const Metric& metric, const py::object& cutoff) {
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(cutoff.ptr()));
  if (!whole) throw py::error_already_set();
  return metric.WithCutoff(py::cast<std::string>(py::str(whole)));
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
      .def_property_readonly("has_exp2_gain", &Metric::has_exp2_gain,
                             "Whether the gain of a document is 2^grade - 1.")
      .def_property_readonly(
          "needs_canonical_order",
          [](const Metric& self) { return self.settings().ties == Ties::kCanonical; },
          "Whether it can be evaluated on a Dataset only.")
      .def_property_readonly(
          "needs_document_ids",
          [](const Metric& self) { return self.settings().ties == Ties::kDocno; },
          "Whether ids of documents break its ties.")
      .def("__matmul__", &AtCutoff, py::arg("cutoff"), "The metric at a cutoff.")
      .def("__call__", &WithKeys, "The metric with some keys set anew.")
      .def("__str__", &Metric::ToString)
      .def("__repr__", [](const Metric& self) { return "Metric('" + self.ToString() + "')"; })
      .def(
          "__eq__", [](const Metric& self, const Metric& other) { return self == other; },
          py::is_operator())
      .def("__hash__", [](const Metric& self) { return py::hash(py::str(self.ToString())); })
      .def(
          py::pickle([](const Metric& self) { return py::str(self.ToString()); },
                     [](const py::str& spelling) { return Metric::Parse(std::string(spelling)); }));
  module.def(
      "evaluate", &EvaluateRows, py::arg("metrics"), py::kw_only(), py::arg("grades").noconvert(),
      py::arg("scores").noconvert(), py::arg("query_codes").noconvert(),
      py::arg("weights").noconvert().none(true), py::arg("canonical_ranks").noconvert().none(true),
      py::arg("docno_ranks").noconvert().none(true), py::arg("pool_grades").noconvert().none(true),
      py::arg("pool_codes").noconvert().none(true), py::arg("n_jobs"),
      "Evaluate scores of rows in any order by several metrics, which share rankings.");
}

}  // namespace rankforest::bindings
