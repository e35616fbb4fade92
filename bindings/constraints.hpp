#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::bindings {

namespace py = pybind11;

/// Constraints of a dict: "directions" and "weights" by feature, "interactions" as lists of
/// features, "most_features"; what is left out is free.
inline FeatureConstraints ToConstraints(const py::dict& given) {
  FeatureConstraints constraints;
  if (given.contains("directions")) {
    constraints.directions = given["directions"].cast<std::vector<std::int8_t>>();
  }
  if (given.contains("interactions")) {
    constraints.interactions = given["interactions"].cast<std::vector<std::vector<FeatureId>>>();
  }
  if (given.contains("weights")) {
    constraints.weights = given["weights"].cast<std::vector<double>>();
  }
  if (given.contains("most_features")) {
    constraints.most_features = given["most_features"].cast<std::uint32_t>();
  }
  return constraints;
}

}  // namespace rankforest::bindings
