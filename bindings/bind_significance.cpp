#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/metric/bootstrap.hpp"
#include "rankforest/metric/randomisation.hpp"

namespace rankforest::bindings {
namespace {

RandomisationTest TestDifferences(const Array<double>& differences, std::uint64_t n_permutations,
                                  std::uint64_t seed, int n_jobs) {
  const Span<const double> values = View(differences, "differences");
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return TestByRandomisation(values, n_permutations, seed, threads);
}

py::array_t<double> ResampleMeans(const Array<double>& values, std::size_t n_resamples,
                                  std::uint64_t seed, int n_jobs) {
  const Span<const double> drawn_from = View(values, "values");
  const Threads threads = RequireThreads(n_jobs);
  std::vector<double> means;
  {
    const py::gil_scoped_release release;
    means = BootstrapMeans(drawn_from, n_resamples, seed, threads);
  }
  return ToArray(means);
}

}  // namespace

void BindSignificance(py::module_& module) {
  py::class_<RandomisationTest>(module, "RandomisationTest",
                                "What a randomisation test of paired differences says.")
      .def_readonly("p_value", &RandomisationTest::p_value, "Two-sided, in (0, 1].")
      .def_readonly("n_permutations", &RandomisationTest::n_permutations,
                    "How many assignments of signs were drawn, or all that there are.")
      .def_readonly("exact", &RandomisationTest::exact, "Whether all of them were counted.");
  module.def("randomisation_test", &TestDifferences, py::arg("differences").noconvert(),
             py::arg("n_permutations"), py::arg("seed"), py::arg("n_jobs"),
             "Fisher's randomisation test of paired differences, in any order.");
  module.def("bootstrap_means", &ResampleMeans, py::arg("values").noconvert(),
             py::arg("n_resamples"), py::arg("seed"), py::arg("n_jobs"),
             "The means of bootstrap resamples; the order of the values matters.");
}

}  // namespace rankforest::bindings
