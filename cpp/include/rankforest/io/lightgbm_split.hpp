#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace rankforest::detail {

// How LightGBM sends a value x through a numerical split, and which split of ours sends every
// float32 the same way. Its `predict` for dense rows takes |x| <= kLightGbmZero as 0 before it
// looks at a tree. Then, with the threshold t in float64:
//
//   missing type   NaN                x = 0             other x
//   None           as 0               left if 0 <= t    left if x <= t
//   NaN            the default side   left if 0 <= t    left if x <= t
//   Zero           the default side   the default side  left if x <= t

/// Values up to this size are zero. In float64 it is 1.0000000180025095e-35.
inline constexpr float kLightGbmZero = 1e-35F;

enum class LightGbmMissing : std::uint8_t { kNone = 0, kZero = 1, kNan = 2 };

struct LightGbmSplit {
  double threshold = 0.0;  ///< infinite where it divides numbers from NaN
  LightGbmMissing missing = LightGbmMissing::kNone;
  bool default_left = false;

  [[nodiscard]] bool sends_zero_left() const {
    return missing == LightGbmMissing::kZero ? default_left : threshold >= 0.0;
  }
};

/// The same split in the form of Tree::Node.
struct FloatSplit {
  float threshold = 0.0F;  ///< finite or infinity
  bool nan_left = false;
};

/// The largest float32 up to `value`: a float32 is up to the one if and only if it is up to the
/// other.
inline float FloatUpTo(double value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (std::isinf(value)) return value > 0.0 ? kInfinity : -kInfinity;
  if (value >= static_cast<double>(kLargest)) return kLargest;
  if (value < -static_cast<double>(kLargest)) return -kInfinity;
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value ? nearest : std::nextafter(nearest, -kInfinity);
}

/// The split that sends every float32, infinities and NaN included, where LightGBM's does. There is
/// none where zeros go to one side and numbers both below and above them to the other, nor where
/// -infinity is alone on the left.
inline std::optional<FloatSplit> ToFloatSplit(const LightGbmSplit& split) {
  const float below_zero = std::nextafter(-kLightGbmZero, -1.0F);
  const bool zero_left = split.sends_zero_left();
  float threshold = FloatUpTo(split.threshold);
  // All zeros must be on one side of a threshold that also divides the other numbers.
  if (zero_left) {
    if (threshold < below_zero) return std::nullopt;
    if (threshold < kLightGbmZero) threshold = kLightGbmZero;
  } else {
    if (threshold > kLightGbmZero) return std::nullopt;
    if (threshold > below_zero) threshold = below_zero;
  }
  if (threshold < std::numeric_limits<float>::lowest()) return std::nullopt;
  const bool as_zero = split.missing == LightGbmMissing::kNone;
  return FloatSplit{threshold, as_zero ? zero_left : split.default_left};
}

}  // namespace rankforest::detail
