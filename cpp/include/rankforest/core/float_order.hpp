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

/// Sorts ascending by three digits of 11 bits, the lowest first; items of equal keys stay in order.
///
/// @param spare   memory
/// @param key_of  item -> its key, of 32 bits
template <class Item, class KeyOf>
void RadixSort(std::vector<Item>& items, std::vector<Item>& spare, const KeyOf& key_of) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  spare.resize(items.size());
  std::array<std::size_t, kDigits> begins{};
  for (unsigned shift = 0; shift < 32; shift += kDigitBits) {
    begins.fill(0);
    for (const Item item : items) ++begins[(key_of(item) >> shift) % kDigits];
    std::size_t sum = 0;
    for (std::size_t& begin : begins) {
      const std::size_t count = begin;
      begin = sum;
      sum += count;
    }
    for (const Item item : items) spare[begins[(key_of(item) >> shift) % kDigits]++] = item;
    items.swap(spare);
  }
}

inline void RadixSort(std::vector<std::uint32_t>& keys, std::vector<std::uint32_t>& spare) {
  RadixSort(keys, spare, [](std::uint32_t key) { return key; });
}

}  // namespace detail

}  // namespace rankforest
