#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

#include "rankforest/train/training_state.hpp"

// States of a training as Python keeps them, and back.

namespace rankforest::bindings {

namespace py = pybind11;

/// {"round", "model", "kept", "history", "best", "bag", "ordinal"}: the models are ensembles whose
/// members TrainingState explains, histories are lists of (round, values by set and metric). Where
/// there are any also "place_effects", (first round, values by round and place).
py::dict ToDict(const TrainingState& state, std::size_t n_features);

/// The reverse.
///
/// @throws std::invalid_argument  for a model with other features
TrainingState ToTrainingState(const py::dict& dict, std::size_t n_features);

}  // namespace rankforest::bindings
