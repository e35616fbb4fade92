#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/fill_values.hpp"

namespace rankforest::bindings {
namespace {

std::unique_ptr<Dataset> MakeDataset(const Array<float>& features, const Array<double>& grades,
                                     const Array<QueryId>& query_codes, std::size_t n_queries,
                                     const std::optional<Array<double>>& weights, int n_jobs,
                                     const std::optional<Array<std::uint32_t>>& positions) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const double> grade_of_row = View(grades, "grades");
  const Span<const QueryId> query_of_row = View(query_codes, "query_codes");
  const Span<const double> weight_of_row =
      weights ? View(*weights, "weights") : Span<const double>();
  if (weights && weights->size() != features.shape(0)) {  // an empty span would mean no weights
    throw std::invalid_argument("weights has " + std::to_string(weights->size()) +
                                " values, features has " + std::to_string(features.shape(0)) +
                                " rows");
  }
  const Span<const std::uint32_t> position_of_row =
      positions ? View(*positions, "positions") : Span<const std::uint32_t>();
  if (positions && positions->size() != features.shape(0)) {
    throw std::invalid_argument("positions has " + std::to_string(positions->size()) +
                                " values, features has " + std::to_string(features.shape(0)) +
                                " rows");
  }
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  auto data = std::make_unique<Dataset>(matrix, grade_of_row, query_of_row, weight_of_row, threads,
                                        position_of_row);
  if (data->n_queries() != n_queries) {
    throw std::invalid_argument("query_codes names " + std::to_string(data->n_queries()) +
                                " queries, n_queries is " + std::to_string(n_queries));
  }
  return data;
}

FillKind ParseFillKind(const std::string& name) {
  if (name == "mean") return FillKind::kMean;
  if (name == "median") return FillKind::kMedian;
  throw std::invalid_argument("kind must be 'mean' or 'median', got '" + name + "'");
}

py::array_t<float> MeasureFillValues(const Array<float>& features, const std::string& kind,
                                     int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const FillKind of = ParseFillKind(kind);
  const Threads threads = RequireThreads(n_jobs);
  std::vector<float> values;
  {
    const py::gil_scoped_release release;
    values = FillValues(matrix, of, threads);
  }
  return ToArray(values);
}

/// A read-only property: an array that the data set owns.
template <class T>
auto Property(Span<const T> (Dataset::*values)() const) {
  return [values](const py::object& self) {
    return Expose((self.cast<const Dataset&>().*values)(), self);
  };
}

/// What tells the features of documents apart, in canonical order.
py::array_t<std::uint64_t> FeatureHashes(const Dataset& data) {
  std::vector<std::uint64_t> hashes(data.n_documents());
  {
    const py::gil_scoped_release release;
    const FeatureHash hash(data.n_features());
    for (std::size_t d = 0; d < hashes.size(); ++d) {
      hashes[d] = hash(data.features().Row(data.order()[d]));
    }
  }
  return ToArray(hashes);
}

}  // namespace

void BindDataset(py::module_& module) {
  py::class_<Dataset>(module, "Dataset", "Graded documents in queries, in canonical order.")
      .def(py::init(&MakeDataset), py::arg("features").noconvert(), py::arg("grades").noconvert(),
           py::arg("query_codes").noconvert(), py::arg("n_queries"),
           py::arg("weights").noconvert().none(true), py::arg("n_jobs"),
           py::arg("positions").noconvert().none(true) = py::none(), py::keep_alive<1, 2>(),
           "Borrows `features` and copies the rest; raises ValueError for the first bad row.\n\n"
           "positions: uint32 for each row, which order what is equal but for them.")
      .def_property_readonly("n_documents", &Dataset::n_documents)
      .def_property_readonly("n_queries", &Dataset::n_queries)
      .def_property_readonly("n_features", &Dataset::n_features)
      .def_property_readonly(
          "features",
          [](const py::object& self) {
            return ExposeMatrix(self.cast<const Dataset&>().features(), self);
          },
          "float32 of shape (n_documents, n_features): the borrowed array, read-only.")
      .def_property_readonly("order", Property(&Dataset::order),
                             "uint32: canonical position -> row of the caller.")
      .def_property_readonly("offsets", Property(&Dataset::offsets),
                             "uint32: where each query begins, and the number of documents.")
      .def_property_readonly("grades", Property(&Dataset::grades), "float64, in canonical order.")
      .def_property_readonly(
          "weights",
          [](const py::object& self) -> py::object {
            const Span<const double> weights = self.cast<const Dataset&>().weights();
            return weights.empty() ? py::none() : py::object(Expose(weights, self));
          },
          "float64, in canonical order; None where every weight is 1.")
      .def("feature_hashes", &FeatureHashes,
           "uint64: a hash of the features of each document, in canonical order.")
      .def_property_readonly("query_codes", Property(&Dataset::query_codes),
                             "uint32: canonical query -> code of the caller.");
  module.def("fill_values", &MeasureFillValues, py::arg("features").noconvert(), py::arg("kind"),
             py::arg("n_jobs"),
             "float32: the mean or median of the values of each column that are not NaN; 0 where\n"
             "there are none.");
}

}  // namespace rankforest::bindings
