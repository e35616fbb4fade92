#pragma once

#include <pybind11/pybind11.h>

#include "rankforest/core/dataset.hpp"
#include "rankforest/train/run_options.hpp"

// Algorithms that call no function of the user's: their defaults as Python sees them, and a run
// with a dict of settings.

namespace rankforest::bindings {

namespace py = pybind11;

py::dict RankSvmDefaults();
py::dict CoordinateAscentDefaults();
py::dict AdaRankDefaults();
py::dict RankBoostDefaults();

Trained TrainRankSvm(const Dataset& data, const py::dict& dict, RunOptions options);
Trained TrainCoordinateAscent(const Dataset& data, const py::dict& dict, RunOptions options);
Trained TrainAdaRank(const Dataset& data, const py::dict& dict, RunOptions options);
Trained TrainRankBoost(const Dataset& data, const py::dict& dict, RunOptions options);

}  // namespace rankforest::bindings
