#pragma once

#include <pybind11/pybind11.h>

namespace rankforest::bindings {

namespace py = pybind11;

// One function for each area, in bind_<area>.cpp; module.cpp calls them.
void BindDataset(py::module_& module);
void BindImportance(py::module_& module);
void BindLetor(py::module_& module);
void BindEnsemble(py::module_& module);
void BindExplain(py::module_& module);
void BindCosts(py::module_& module);
void BindMetric(py::module_& module);
void BindModelInfo(py::module_& module);
void BindNormalization(py::module_& module);
void BindOrdinal(py::module_& module);
void BindPruning(py::module_& module);
void BindRefit(py::module_& module);
void BindScorer(py::module_& module);
void BindSignificance(py::module_& module);
void BindTrainers(py::module_& module);

}  // namespace rankforest::bindings
