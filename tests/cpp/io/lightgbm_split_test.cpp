#include "rankforest/io/lightgbm_split.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/tree.hpp"
#include "support/lightgbm_model.hpp"

namespace rankforest::detail {

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr LightGbmMissing kTypes[] = {LightGbmMissing::kNone, LightGbmMissing::kZero,
                                      LightGbmMissing::kNan};

/// Thresholds that decide where zeros go, that float32 cannot hold, or that are beyond it.
std::vector<double> TrickyThresholds(Rng& rng) {
  const double zero = static_cast<double>(kLightGbmZero);
  std::vector<double> thresholds{0.0,   -0.0,   1e-40, -1e-40, 1e-36,  -1e-36,
                                 1e-35, -1e-35, zero,  -zero,  0.1,    -0.1,
                                 5.0,   -5.0,   1e300, -1e300, 3.5e38, -3.5e38};
  for (int i = 0; i < 40; ++i) {
    const double size = std::ldexp(rng.Uniform(), static_cast<int>(rng.Below(260)) - 130);
    thresholds.push_back(i % 2 == 0 ? size : -size);
  }
  const std::size_t n = thresholds.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto narrow = static_cast<float>(std::min(std::max(thresholds[i], -3e38), 3e38));
    thresholds.push_back(static_cast<double>(narrow));
    thresholds.push_back(std::nextafter(static_cast<double>(narrow), -1e308));
    thresholds.push_back(std::nextafter(static_cast<double>(narrow), 1e308));
  }
  return thresholds;
}

/// Values around zero and around a threshold, and what is no number.
std::vector<float> TrickyValues(double threshold) {
  const float up_to = FloatUpTo(threshold);
  std::vector<float> values{
      -kInf, -kLargest, -1.0F, 1.0F, kLargest, kInf, std::numeric_limits<float>::quiet_NaN()};
  for (const float middle : {0.0F, -0.0F, kLightGbmZero, -kLightGbmZero, 1e-40F, -1e-40F, up_to}) {
    for (const float x : {middle, std::nextafter(middle, kInf), std::nextafter(middle, -kInf)}) {
      values.push_back(x);
    }
  }
  return values;
}

}  // namespace

TEST_CASE("the largest float32 up to a number is found") {
  CHECK(FloatUpTo(0.5) == 0.5F);
  CHECK(FloatUpTo(0.1) == 0x1.999998p-4F);  // 0.1F is above 0.1
  CHECK(FloatUpTo(-0.1) == -0x1.99999ap-4F);
  CHECK(FloatUpTo(1e-50) == 0.0F);
  CHECK(FloatUpTo(-1e-50) == -std::numeric_limits<float>::denorm_min());
  CHECK(FloatUpTo(1e300) == kLargest);
  CHECK(FloatUpTo(static_cast<double>(kLargest)) == kLargest);
  CHECK(FloatUpTo(-1e300) == -kInf);
  CHECK(FloatUpTo(HUGE_VAL) == kInf);
  CHECK(FloatUpTo(-HUGE_VAL) == -kInf);
}

TEST_CASE("splits have the thresholds and the sides that were worked out by hand") {
  const auto check = [](double threshold, LightGbmMissing missing, bool default_left,
                        float expected, bool nan_left) {
    const std::optional<FloatSplit> split = ToFloatSplit({threshold, missing, default_left});
    REQUIRE(split.has_value());
    CHECK(split->threshold == expected);
    CHECK(split->nan_left == nan_left);
  };
  const float below_zero = std::nextafter(-1e-35F, -1.0F);
  check(2.5, LightGbmMissing::kNone, false, 2.5F, true);  // NaN is 0 there, and 0 <= 2.5
  check(-2.5, LightGbmMissing::kNone, true, -2.5F, false);
  check(2.5, LightGbmMissing::kNan, false, 2.5F, false);
  check(-2.5, LightGbmMissing::kNan, true, -2.5F, true);
  check(2.5, LightGbmMissing::kZero, true, 2.5F, true);
  check(-2.5, LightGbmMissing::kZero, false, -2.5F, false);
  check(0.0, LightGbmMissing::kNone, false, 1e-35F, true);  // 1e-40 is 0 there
  check(-1e-40, LightGbmMissing::kNan, true, below_zero, true);
  check(1.0000000180025095e-35, LightGbmMissing::kZero, false, below_zero, false);
  check(1e300, LightGbmMissing::kNan, true, kLargest, true);
  check(HUGE_VAL, LightGbmMissing::kNan, false, kInf, false);
}

TEST_CASE("zeros apart from the numbers on both sides, and -infinity alone, are not split") {
  CHECK_FALSE(ToFloatSplit({2.5, LightGbmMissing::kZero, false}).has_value());
  CHECK_FALSE(ToFloatSplit({-2.5, LightGbmMissing::kZero, true}).has_value());
  for (const LightGbmMissing missing : kTypes) {
    CHECK_FALSE(ToFloatSplit({-1e300, missing, false}).has_value());
    CHECK_FALSE(ToFloatSplit({-HUGE_VAL, missing, false}).has_value());
  }
}

TEST_CASE("every float32 goes where LightGBM sends it") {
  Rng rng(71);
  int n_splits = 0;
  for (const double threshold : TrickyThresholds(rng)) {
    for (const LightGbmMissing missing : kTypes) {
      for (const bool default_left : {false, true}) {
        const std::optional<FloatSplit> split = ToFloatSplit({threshold, missing, default_left});
        if (!split) continue;
        ++n_splits;
        const Tree::Node node{0, split->threshold, 1, 2, split->nan_left ? 1 : 2};
        bool same = true;
        for (const float x : TrickyValues(threshold)) {
          const auto type = static_cast<int>(missing) * 4 + (default_left ? 2 : 0);
          same = same && (node.Next(x) == 1) == testing::LightGbmGoesLeft(x, threshold, type);
        }
        CHECK(same);
      }
    }
  }
  CHECK(n_splits > 900);
}

TEST_CASE("a split that is refused cannot be had with any threshold") {
  Rng rng(72);
  for (const double threshold : TrickyThresholds(rng)) {
    for (const bool default_left : {false, true}) {
      if (ToFloatSplit({threshold, LightGbmMissing::kZero, default_left})) continue;
      // A threshold sends a number right only if it sends all greater ones right.
      const auto left = [&](float x) {
        return testing::LightGbmGoesLeft(x, threshold, default_left ? 6 : 4);
      };
      const float up_to = FloatUpTo(threshold);
      const bool falls_back = default_left ? left(0.0F) && !left(std::nextafter(up_to, kInf))
                                           : !left(0.0F) && left(up_to);
      CHECK((falls_back || up_to == -kInf));
    }
  }
}

}  // namespace rankforest::detail
