#include "rankforest/core/value_counts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

TEST_CASE("a value is above smaller thresholds only, and NaN above none") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {0.0F, -infinity, 1.0F, nan, infinity, 2.0F};  // 3 x 2
  const ValueCounts counts =
      CountValues({values.data(), 3, 2, 2}, {0.0F, 1.0F, nan, infinity}, Threads{1});
  CHECK(counts.missing == std::vector<std::uint64_t>{0, 1});
  CHECK(counts.above == std::vector<std::uint64_t>{2, 1, 0, 0});
}

TEST_CASE("counts are those of a loop over all values, whatever the threads and strides") {
  Rng rng(91);
  for (const std::size_t n_rows : {1U, 7U, 1024U, 2500U}) {
    const std::size_t n = 5;
    const std::size_t stride = 7;
    std::vector<float> values(n_rows * stride);
    for (float& value : values) {
      value = static_cast<float>(rng.Below(9)) - 4.0F;
      if (value == 4.0F) value = std::numeric_limits<float>::quiet_NaN();
    }
    std::vector<float> thresholds;
    for (std::size_t i = 0; i < 3 * n; ++i) {
      thresholds.push_back(static_cast<float>(rng.Below(9)) - 4.5F);
    }
    const FeatureMatrix matrix{values.data(), n_rows, n, stride};
    const ValueCounts counts = CountValues(matrix, thresholds, Threads{1});
    CHECK(CountValues(matrix, thresholds, Threads{3}).above == counts.above);
    for (std::size_t f = 0; f < n; ++f) {
      std::uint64_t missing = 0;
      std::vector<std::uint64_t> above(3);
      for (std::size_t row = 0; row < n_rows; ++row) {
        const float value = values[row * stride + f];
        if (std::isnan(value)) ++missing;
        for (std::size_t t = 0; t < 3; ++t) {
          if (!std::isnan(value) && value > thresholds[t * n + f]) ++above[t];
        }
      }
      CHECK(counts.missing[f] == missing);
      for (std::size_t t = 0; t < 3; ++t) CHECK(counts.above[t * n + f] == above[t]);
    }
  }
}

}  // namespace rankforest
