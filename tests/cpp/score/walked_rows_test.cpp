#include "rankforest/score/walked_rows.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace rankforest::detail {

TEST_CASE("features are numbered from 1 in ascending order, each once") {
  const WalkedFeatures features({7, 2, 7, 5});
  CHECK(features.ids() == std::vector<FeatureId>{2, 5, 7});
  CHECK(features.NumberOf(2) == 1);
  CHECK(features.NumberOf(7) == 3);
}

TEST_CASE("documents lie in groups, value by value, and those left over one by one") {
  const WalkedFeatures features({1, 3});
  constexpr std::size_t kRows = 2 * kWalks + 3;
  std::vector<float> x;
  for (std::size_t i = 0; i < kRows * 5; ++i) x.push_back(static_cast<float>(i));
  WalkedRows rows;
  for (const std::size_t n_rows : {kRows, kRows - 1, kRows}) {  // memory is used again
    rows.Fill(features, {x.data(), n_rows, 4, 5});
    CHECK(rows.n_rows() == n_rows);
    CHECK(rows.n_groups() == 2);
    CHECK_FALSE(rows.has_nan());
    for (std::size_t i = 0; i < n_rows; ++i) {
      const std::size_t k = i % kWalks;
      const bool single = i >= 2 * kWalks;
      const float* values = single ? rows.Single(i) : rows.Group(i / kWalks) + k;
      const std::size_t stride = single ? 1 : kWalks;
      CHECK(values[0] == -std::numeric_limits<float>::infinity());
      CHECK(values[stride] == x[5 * i + 1]);
      CHECK(values[2 * stride] == x[5 * i + 3]);
    }
  }
}

TEST_CASE("NaN counts where the trees look at it") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{1.0F, nan, nan, 2.0F};
  WalkedRows rows;
  rows.Fill(WalkedFeatures({0}), {x.data(), 1, 2, 2});
  CHECK_FALSE(rows.has_nan());
  rows.Fill(WalkedFeatures({0}), {x.data(), 2, 2, 2});
  CHECK(rows.has_nan());
  rows.Fill(WalkedFeatures(), {nullptr, 3, 0, 0});
  CHECK_FALSE(rows.has_nan());
  CHECK(rows.n_rows() == 3);
}

}  // namespace rankforest::detail
