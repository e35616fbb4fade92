#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <utility>

#include "rankforest/core/dataset.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/train/run_options.hpp"

namespace rankforest::bindings {

/// Trains without the interpreter lock.
template <class Recipe>
Trained TrainUnlocked(const Recipe& recipe, const Dataset& data, std::size_t n_rounds,
                      RunOptions options) {
  const pybind11::gil_scoped_release release;
  return Train(recipe, data, n_rounds, std::move(options));
}

}  // namespace rankforest::bindings
