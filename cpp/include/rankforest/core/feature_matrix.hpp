#pragma once

#include <cstddef>

namespace rankforest {

/// A borrowed row-major float32 matrix: one document per row, NaN where a value is missing.
struct FeatureMatrix {
  const float* data = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_features = 0;
  std::size_t row_stride = 0;  ///< elements from one row to the next, >= n_features

  [[nodiscard]] const float* Row(std::size_t row) const { return data + row * row_stride; }
};

}  // namespace rankforest
