#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "ensemble_arrays.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/score/normalized_rows.hpp"

namespace rankforest::bindings {

namespace {

py::array_t<float> Normalized(const std::string& kind, const Array<float>& features,
                              const Array<QueryId>& codes, int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row = View(codes, "query_codes");
  if (query_of_row.size() != matrix.n_rows) {
    throw std::invalid_argument("query_codes must have one code for each row of features");
  }
  const QueryNormalization normalization = ParseNormalization(kind);
  const Threads threads = RequireThreads(n_jobs);
  std::vector<float> values;
  {
    const py::gil_scoped_release release;
    values = NormalizedRows(normalization, matrix, query_of_row, threads);
  }
  py::array_t<float> result({matrix.n_rows, matrix.n_features});
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

}  // namespace

void BindNormalization(py::module_& module) {
  module.def("normalized_in_queries", &Normalized, py::arg("kind"), py::arg("features").noconvert(),
             py::arg("query_codes").noconvert(), py::arg("n_jobs"),
             "float32 features, each normalised within queries: none, sum, minmax or zscore.");
}

}  // namespace rankforest::bindings
