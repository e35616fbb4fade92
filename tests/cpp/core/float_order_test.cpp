#include "rankforest/core/float_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

/// Any float but NaN: random bits.
float AnyFloat(Rng& rng) {
  while (true) {
    const auto bits = static_cast<std::uint32_t>(rng.Next());
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value)) return value;
  }
}

}  // namespace

TEST_CASE("the midpoint lies between two floats, or is the lower one") {
  CHECK(Midpoint(1.0F, 2.0F) == 1.5F);
  CHECK(Midpoint(-1.0F, 1.0F) == 0.0F);
  CHECK(Midpoint(-3.0F, -1.0F) == -2.0F);
  constexpr float kLargest = std::numeric_limits<float>::max();
  CHECK(Midpoint(-kLargest, kLargest) == 0.0F);
  CHECK(Midpoint(kLargest / 2, kLargest) == kLargest * 0.75F);  // no overflow
  // Between neighbours there is nothing: 1 + 2^-24 rounds to even, down from 1, up from 1 + 2^-23.
  const float one = 1.0F;
  const float next = std::nextafter(one, 2.0F);
  const float third = std::nextafter(next, 2.0F);
  CHECK(Midpoint(one, next) == one);
  CHECK(Midpoint(next, third) == next);  // the midpoint would round to `third`
  CHECK(Midpoint(0.0F, 1e-45F) == 0.0F);
  CHECK(Midpoint(-1e-45F, 0.0F) == -1e-45F);
}

TEST_CASE("the midpoint separates any two floats") {
  Rng rng(241);
  for (int trial = 0; trial < 5000; ++trial) {
    const auto a =
        static_cast<float>(std::ldexp(rng.Uniform() - 0.5, static_cast<int>(rng.Below(250)) - 125));
    auto b = std::nextafter(a, std::numeric_limits<float>::max());
    for (std::uint32_t steps = rng.Below(3); steps > 0; --steps) b = std::nextafter(b, 3e38F);
    if (trial % 2 == 0)
      b = static_cast<float>(
          std::ldexp(rng.Uniform() - 0.5, static_cast<int>(rng.Below(250)) - 125));
    if (a == b) continue;
    const float low = std::min(a, b);
    const float high = std::max(a, b);
    const float middle = Midpoint(low, high);
    INFO(low, " ", high);
    CHECK(low <= middle);
    CHECK(middle < high);
  }
}

TEST_CASE("numbers for floats, written out") {
  using detail::FromOrderedBits;
  using detail::OrderedBits;
  CHECK(OrderedBits(0.0F) == 0x80000000U);
  CHECK(OrderedBits(-0.0F) == 0x80000000U);
  CHECK(OrderedBits(1.0F) == 0xBF800000U);
  CHECK(OrderedBits(-1.0F) == 0x407FFFFFU);
  CHECK(FromOrderedBits(0xBF800000U) == 1.0F);
  CHECK(FromOrderedBits(0x407FFFFFU) == -1.0F);
  CHECK_FALSE(std::signbit(FromOrderedBits(OrderedBits(-0.0F))));
}

TEST_CASE("numbers for floats order as the floats do, and lead back to them") {
  Rng rng(111);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {-kInfinity, -3e38F, -1e-45F, -0.0F, 0.0F, 1e-45F, 3e38F, kInfinity};
  for (int i = 0; i < 300; ++i) values.push_back(AnyFloat(rng));
  for (const float a : values) {
    CHECK(detail::FromOrderedBits(detail::OrderedBits(a)) == a);
    for (const float b : values) {
      REQUIRE((detail::OrderedBits(a) < detail::OrderedBits(b)) == (a < b));
      REQUIRE((detail::OrderedBits(a) == detail::OrderedBits(b)) == (a == b));
    }
  }
}

TEST_CASE("the radix sort sorts any keys as std::sort does") {
  Rng rng(112);
  std::vector<std::uint32_t> spare;
  for (const std::size_t n : {0U, 1U, 2U, 17U, 5000U}) {
    for (const std::uint32_t mask : {0xFFFFFFFFU, 0x7FFU, 0xFFE00000U, 0x003FF800U, 3U}) {
      std::vector<std::uint32_t> keys(n);
      for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(rng.Next()) & mask;
      std::vector<std::uint32_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      detail::RadixSort(keys, spare);
      INFO(n, " keys under ", mask);
      CHECK(keys == expected);
    }
  }
}

TEST_CASE("items of equal keys stay in order when they are sorted") {
  Rng rng(93);
  std::vector<std::uint64_t> items(3000);
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = std::uint64_t{rng.Below(50)} << 40 | i;
  std::vector<std::uint64_t> expected = items;
  std::sort(expected.begin(), expected.end());
  std::vector<std::uint64_t> spare;
  detail::RadixSort(items, spare,
                    [](std::uint64_t item) { return static_cast<std::uint32_t>(item >> 32); });
  CHECK(items == expected);
}

}  // namespace rankforest
