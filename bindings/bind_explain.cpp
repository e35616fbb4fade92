#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/leaf_counts.hpp"
#include "rankforest/explain/shapley.hpp"
#include "rankforest/score/reference.hpp"

namespace rankforest::bindings {

namespace {

/// Rows of features that have the columns of a model.
FeatureMatrix DocumentsOf(const Ensemble& model, const Array<float>& features, const char* name) {
  const FeatureMatrix matrix = ViewMatrix(features, name);
  RequireScorable(false, model.n_features, matrix, 0);
  return matrix;
}

std::pair<py::array_t<double>, double> Explain(const Ensemble& model, const Array<float>& features,
                                               const std::optional<Array<float>>& background,
                                               int n_jobs) {
  const FeatureMatrix documents = DocumentsOf(model, features, "features");
  const FeatureMatrix others =
      background ? DocumentsOf(model, *background, "background") : FeatureMatrix{};
  const Threads threads = RequireThreads(n_jobs);
  ShapleyValues explained;
  {
    const py::gil_scoped_release release;
    explained = background ? ExplainAgainst(model, documents, others, threads)
                           : ExplainByPaths(model, documents, threads);
  }
  py::array_t<double> values = ToArray(explained.values);
  return {values.reshape({static_cast<py::ssize_t>(documents.n_rows),
                          static_cast<py::ssize_t>(model.n_features)}),
          explained.base};
}

py::array_t<std::int32_t> LeavesFromPython(const Ensemble& model, const Array<float>& features,
                                           int n_jobs) {
  const FeatureMatrix documents = DocumentsOf(model, features, "features");
  const Threads threads = RequireThreads(n_jobs);
  py::array_t<std::int32_t> leaves({documents.n_rows, model.n_trees()});
  const Span<std::int32_t> out(leaves.mutable_data(), static_cast<std::size_t>(leaves.size()));
  {
    const py::gil_scoped_release release;
    FindLeaves(model, documents, threads, out);
  }
  return leaves;
}

Ensemble CountedFromPython(const Ensemble& model, const Array<float>& features, int n_jobs) {
  const FeatureMatrix documents = DocumentsOf(model, features, "features");
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return WithLeafCounts(model, documents, threads);
}

}  // namespace

void BindExplain(py::module_& module) {
  module.def(
      "explain", &Explain, py::arg("model"), py::arg("features").noconvert(), py::kw_only(),
      py::arg("background").noconvert().none(true), py::arg("n_jobs"),
      "(values, base): Shapley values of each document and feature, and the expected score; by\n"
      "the counts of leaves, or against the background documents where there are some.");
  module.def("find_leaves", &LeavesFromPython, py::arg("model"), py::arg("features").noconvert(),
             py::arg("n_jobs"), "The leaf of each document in each tree.");
  module.def("has_leaf_counts", &HasLeafCounts, py::arg("model"),
             "Whether all trees know how many documents their leaves have.");
  module.def("with_leaf_counts", &CountedFromPython, py::arg("model"),
             py::arg("features").noconvert(), py::arg("n_jobs"),
             "The same trees with the counts of these documents.");
}

}  // namespace rankforest::bindings
