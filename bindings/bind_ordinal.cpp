#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/class_probabilities.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"

namespace rankforest::bindings {
namespace {

/// (problem, base, weights of groups) of each member.
using Parts = std::vector<std::tuple<std::uint32_t, double, std::vector<double>>>;

Ordinal MakeOrdinal(std::vector<double> grades, const Parts& parts) {
  Ordinal ordinal{std::move(grades), {}};
  for (const auto& [problem, base, weights] : parts) {
    ordinal.parts.push_back({problem, base, weights});
  }
  return ordinal;
}

Parts PartsOf(const Ordinal& ordinal) {
  Parts parts;
  for (const Ordinal::Part& part : ordinal.parts) {
    parts.emplace_back(part.problem, part.base, part.group_weights);
  }
  return parts;
}

Ensemble ProblemFromPython(const Ensemble& ensemble, const Ordinal& ordinal, std::size_t problem) {
  ValidateOrdinal(ordinal, ensemble);
  if (problem >= ordinal.n_problems()) {
    throw std::invalid_argument("there is no problem " + std::to_string(problem) + " of " +
                                std::to_string(ordinal.n_problems()));
  }
  const py::gil_scoped_release release;
  return ProblemOf(ensemble, ordinal, problem);
}

py::array_t<double> ProbabilitiesFromPython(const std::vector<Array<double>>& cumulative) {
  if (cumulative.empty()) throw std::invalid_argument("there must be a problem");
  std::vector<std::vector<double>> columns;
  for (const Array<double>& of_problem : cumulative) {
    const Span<const double> values = View(of_problem, "cumulative");
    columns.emplace_back(values.begin(), values.end());
    if (columns.back().size() != columns.front().size()) {
      throw std::invalid_argument("all problems must have as many documents");
    }
  }
  const std::size_t n_documents = columns.front().size();
  py::array_t<double> out({n_documents, columns.size() + 1});
  const Span<double> values(out.mutable_data(), static_cast<std::size_t>(out.size()));
  const py::gil_scoped_release release;
  ClassProbabilities(columns, values);
  return out;
}

}  // namespace

void BindOrdinal(py::module_& module) {
  py::class_<Ordinal>(module, "Ordinal", "What the trees of an ordinal model say of grades.")
      .def(py::init(&MakeOrdinal), py::arg("grades"), py::arg("parts"),
           "parts: (problem, base, weights of groups) of each member.")
      .def_readonly("grades", &Ordinal::grades)
      .def_property_readonly("parts", &PartsOf)
      .def(py::self == py::self);
  module.def(
      "ordinal_prefix",
      [](const Ordinal& ordinal, const Ensemble& prefix) { return PrefixOf(ordinal, prefix); },
      py::arg("ordinal"), py::arg("prefix"), "What is left of it for the first rounds.");
  module.def("problem_of", &ProblemFromPython, py::arg("ensemble"), py::arg("ordinal"),
             py::arg("problem"), "The model whose scores are P(grade <= that of the problem).");
  module.def("class_probabilities", &ProbabilitiesFromPython, py::arg("cumulative"),
             "The probability of each grade, float64 of shape (n_documents, n_problems + 1), of\n"
             "the scores of all problems, which are made monotone.");
}

}  // namespace rankforest::bindings
