#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/early_exit.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/model_costs.hpp"

namespace rankforest::bindings {

namespace {

py::array_t<double> CostsOf(const Ensemble& ensemble, double tree_cost,
                            std::vector<double> feature_costs, std::vector<std::uint32_t> groups) {
  const ScoringCosts costs{tree_cost, std::move(feature_costs), std::move(groups)};
  return ToArray(CostsOfRounds(ensemble, costs));
}

void RequireRows(const char* name, std::size_t size, std::size_t n_rows) {
  if (size == n_rows) return;
  throw std::invalid_argument(std::string(name) + " must have one value for each row");
}

std::vector<py::array_t<double>> LazyCosts(
    const Ensemble& ensemble, double tree_cost, std::vector<double> feature_costs,
    std::vector<std::uint32_t> groups, const Array<float>& features, const Array<QueryId>& codes,
    const Array<std::uint32_t>& scored_with, const std::vector<std::size_t>& stages, int n_jobs) {
  const ScoringCosts costs{tree_cost, std::move(feature_costs), std::move(groups)};
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row = View(codes, "query_codes");
  const Span<const std::uint32_t> rounds = View(scored_with, "scored_with");
  const Threads threads = RequireThreads(n_jobs);
  RequireRows("query_codes", query_of_row.size(), matrix.n_rows);
  RequireRows("scored_with", rounds.size(), matrix.n_rows);
  if (matrix.n_features < ensemble.n_features) {
    throw std::invalid_argument("features must have every column of the model");
  }
  if (!std::is_sorted(stages.begin(), stages.end()) ||
      (!stages.empty() && stages.back() > ensemble.n_rounds())) {
    throw std::invalid_argument("stages must be ascending rounds of the model");
  }
  std::vector<std::vector<double>> by_stage;
  {
    const py::gil_scoped_release release;
    by_stage = LazyCostsOfQueries(ensemble, costs, matrix, RowsByQuery(query_of_row), rounds,
                                  stages, threads);
  }
  std::vector<py::array_t<double>> arrays;
  for (const std::vector<double>& of_stage : by_stage) arrays.push_back(ToArray(of_stage));
  return arrays;
}

py::array_t<double> Demoted(const Array<double>& scores, const Array<std::uint32_t>& rounds,
                            const Array<QueryId>& codes) {
  const Span<const double> given = View(scores, "scores");
  const Span<const std::uint32_t> exits = View(rounds, "rounds");
  const Span<const QueryId> query_of_row = View(codes, "query_codes");
  RequireRows("rounds", exits.size(), given.size());
  RequireRows("query_codes", query_of_row.size(), given.size());
  std::vector<double> result(given.begin(), given.end());
  {
    const py::gil_scoped_release release;
    const RowsByQuery queries(query_of_row);
    std::vector<std::size_t> order;
    for (std::size_t q = 0; q < queries.n_queries(); ++q) {
      detail::Demote(queries.Query(q), exits, result, order);
    }
  }
  return ToArray(result);
}

}  // namespace

void BindCosts(py::module_& module) {
  module.def("costs_of_rounds", &CostsOf, py::arg("ensemble"), py::arg("tree_cost"),
             py::arg("feature_costs"), py::arg("groups"),
             "What a document costs with the first 0, 1, ... rounds. groups: features of the same\n"
             "number are paid together; empty: each by itself.");
  module.def(
      "lazy_costs_of_queries", &LazyCosts, py::arg("ensemble"), py::arg("tree_cost"),
      py::arg("feature_costs"), py::arg("groups"), py::kw_only(), py::arg("features").noconvert(),
      py::arg("query_codes").noconvert(), py::arg("scored_with").noconvert(), py::arg("stages"),
      py::arg("n_jobs"),
      "For each stage, a number of rounds, what each query costs by its code where features\n"
      "are computed when a path asks for them. scored_with: the most rounds of each row.");
  module.def("demoted", &Demoted, py::arg("scores").noconvert(), py::arg("rounds").noconvert(),
             py::arg("query_codes").noconvert(),
             "Scores with which documents of fewer rounds rank below the others of their query.");
}

}  // namespace rankforest::bindings
