#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rankforest {

/// The float32 midpoint of a < b; a itself where the midpoint would reach b.
inline float Midpoint(float a, float b) {
  const auto middle = static_cast<float>((static_cast<double>(a) + static_cast<double>(b)) / 2.0);
  return middle < b ? middle : a;
}

namespace detail {

/// An unsigned number that orders as the float does, with -0.0 as 0.0; not for NaN.
inline std::uint32_t OrderedBits(float value) {
  value += 0.0F;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

/// The float of OrderedBits; 0.0 for both zeros.
inline float FromOrderedBits(std::uint32_t ordered) {
  const std::uint32_t bits = (ordered & 0x80000000U) != 0 ? ordered & 0x7FFFFFFFU : ~ordered;
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Sorts ascending by three digits of 11 bits, the lowest first.
///
/// @param spare  memory
inline void RadixSort(std::vector<std::uint32_t>& keys, std::vector<std::uint32_t>& spare) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  spare.resize(keys.size());
  std::array<std::size_t, kDigits> begins{};
  for (unsigned shift = 0; shift < 32; shift += kDigitBits) {
    begins.fill(0);
    for (const std::uint32_t key : keys) ++begins[(key >> shift) % kDigits];
    std::size_t sum = 0;
    for (std::size_t& begin : begins) {
      const std::size_t count = begin;
      begin = sum;
      sum += count;
    }
    for (const std::uint32_t key : keys) spare[begins[(key >> shift) % kDigits]++] = key;
    keys.swap(spare);
  }
}

}  // namespace detail

}  // namespace rankforest
