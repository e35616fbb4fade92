#pragma once

#include <pybind11/pybind11.h>

#include "rankforest/core/dataset.hpp"
#include "rankforest/train/run_options.hpp"

// BROOF, whose extension points may be Python functions.

namespace rankforest::bindings {

namespace py = pybind11;

py::dict BroofDefaultSettings();

/// @param functions  Python functions by the name of the extension point, each called with a dict
///                   of the iteration
Trained TrainBroof(const Dataset& data, const py::dict& dict, const py::dict& functions,
                   RunOptions options);

}  // namespace rankforest::bindings
