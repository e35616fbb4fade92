#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa.hpp"

namespace rankforest::bindings {

namespace {

Isa ParseIsa(const std::string& isa) {
  if (isa == "best") return BestIsa();
  if (isa == "baseline") return Isa::kBaseline;
  if (isa == "avx2") return Isa::kAvx2;
  throw std::invalid_argument("isa must be best, baseline or avx2, got " + isa);
}

CompiledScorer Compile(const Ensemble& ensemble, const std::string& isa) {
  const Isa parsed = ParseIsa(isa);
  const py::gil_scoped_release release;
  return CompiledScorer(ensemble, parsed);
}

py::array_t<double> Predict(const CompiledScorer& scorer, const Array<float>& features,
                            const std::optional<Array<QueryId>>& codes, int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row =
      codes ? View(*codes, "query_codes") : Span<const QueryId>();
  const Threads threads = RequireThreads(n_jobs);
  std::vector<double> scores;
  {
    const py::gil_scoped_release release;
    scores = scorer.Score(matrix, query_of_row, threads);
  }
  return ToArray(scores);
}

}  // namespace

void BindScorer(py::module_& module) {
  py::class_<CompiledScorer>(module, "CompiledScorer", "An ensemble made ready for scoring.")
      .def(py::init(&Compile), py::arg("ensemble"), py::arg("isa") = "best",
           "isa: best, baseline or avx2; never changes a score.")
      .def("predict", &Predict, py::arg("features").noconvert(), py::arg("query_codes").noconvert(),
           py::arg("n_jobs"), "The bits of Ensemble.predict, and its arguments.");
}

}  // namespace rankforest::bindings
