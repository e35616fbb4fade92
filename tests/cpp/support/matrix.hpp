#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"

namespace rankforest::testing {

/// Rows of `n_features` values each.
inline FeatureMatrix Matrix(const std::vector<float>& values, std::size_t n_features) {
  return {values.data(), values.size() / n_features, n_features, n_features};
}

}  // namespace rankforest::testing
