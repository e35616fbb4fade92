#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/sample/permutation.hpp"
#include "rankforest/train/out_of_bag_importance.hpp"
#include "rankforest/train/samplers.hpp"
#include "settings.hpp"

namespace rankforest::bindings {
namespace {

PermutationScope ParseScope(const std::string& scope) {
  if (scope == "query") return PermutationScope::kQuery;
  if (scope == "data") return PermutationScope::kData;
  throw std::invalid_argument("permute must be query or data, got " + scope);
}

/// For each of the caller's rows the row whose value it takes.
py::array_t<RowId> PermutationFromPython(const Dataset& data, const std::string& scope,
                                         std::uint64_t seed, FeatureId feature,
                                         std::uint64_t repeat) {
  const std::vector<RowId> source =
      Permutation(data.offsets(), ParseScope(scope), PermutationRng(Rng(seed), feature, repeat));
  std::vector<RowId> of_row(source.size());
  for (std::size_t d = 0; d < source.size(); ++d) {
    of_row[data.order()[d]] = data.order()[source[d]];
  }
  return ToArray(of_row);
}

py::array_t<double> OutOfBagLossesFromPython(const Dataset& data, const py::dict& settings,
                                             std::uint64_t seed, const Ensemble& forest,
                                             const Metric& metric, const std::string& scope,
                                             std::uint64_t permutation_seed, int n_jobs) {
  const Threads threads = RequireThreads(n_jobs);
  const Sampler sampler = SamplerOf(FromDict(RandomForestDefaults(), settings).sample);
  const ImportanceSettings importance{metric, ParseScope(scope)};
  const std::vector<Tree> trees = TreesOf(forest.members.front());
  std::vector<std::vector<double>> losses;
  {
    const py::gil_scoped_release release;
    losses =
        OutOfBagLosses(sampler, data, Rng(seed), trees, importance, Rng(permutation_seed), threads);
  }
  py::array_t<double> result({losses.size(), data.n_features()});
  for (std::size_t i = 0; i < losses.size(); ++i) {
    std::copy(losses[i].begin(), losses[i].end(), result.mutable_data(i, 0));
  }
  return result;
}

}  // namespace

void BindImportance(py::module_& module) {
  module.def(
      "permutation", &PermutationFromPython, py::arg("data"), py::arg("scope"), py::kw_only(),
      py::arg("seed"), py::arg("feature"), py::arg("repeat"),
      "For each row the row whose value it takes, of the same query by scope=\"query\", any\n"
      "by \"data\". Neither the order of rows nor names of queries change what it does.");
  module.def(
      "out_of_bag_losses", &OutOfBagLossesFromPython, py::arg("data"), py::arg("settings"),
      py::kw_only(), py::arg("seed"), py::arg("forest"), py::arg("metric"), py::arg("scope"),
      py::arg("permutation_seed"), py::arg("n_jobs"),
      "For each tree of a forest and each feature how much worse the tree ranks the training\n"
      "documents that it did not draw once the feature is permuted among them; NaN where it\n"
      "drew all. Settings (all of them) and seed are those of the training.");
}

}  // namespace rankforest::bindings
