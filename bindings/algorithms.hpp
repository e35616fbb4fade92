#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>

#include "callbacks.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/train/learned_positions.hpp"
#include "rankforest/train/run_options.hpp"

// The algorithms by their names.

namespace rankforest::bindings {

namespace py = pybind11;

/// What a caller's functions and positions change in an objective, if anything.
struct Callbacks {
  std::optional<CallbackObjective> objective;
  PairFunction pair_weights;  ///< empty: none
  std::optional<LearnedPositions> positions;
  py::dict functions;  ///< other ones, by what they replace
};

/// One algorithm: its defaults as Python sees them, and a run with a dict of settings.
struct Algorithm {
  const char* name;
  std::function<py::dict()> defaults;
  std::function<Trained(const Dataset&, const py::dict&, const Callbacks&, RunOptions)> train;
  bool has_parts = false;         ///< that Callbacks::functions may replace
  bool learns_positions = false;  ///< where Callbacks::positions says
};

/// @throws std::invalid_argument  where none has the name
const Algorithm& FindAlgorithm(const std::string& name);

}  // namespace rankforest::bindings
