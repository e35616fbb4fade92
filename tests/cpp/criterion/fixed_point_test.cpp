#include "rankforest/criterion/fixed_point.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

TEST_CASE("a scale makes integers of the given width of the largest magnitude") {
  // 3 < 2^2, so 10 bits leave a factor of 2^8.
  const FixedPointScale scale(3.0, 10);
  CHECK(scale.ToInteger(3.0) == 768);
  CHECK(scale.ToInteger(-3.0) == -768);
  CHECK(scale.ToReal(768) == 3.0);
  // 4 is 2^2 itself and needs the next exponent.
  CHECK(FixedPointScale(4.0, 10).ToInteger(4.0) == 512);
  CHECK(FixedPointScale(0.3, 10).ToInteger(0.3) == 614);  // 0.3 x 2^11 = 614.4
}

TEST_CASE("integers are the nearest, halves away from zero") {
  const FixedPointScale scale(512.0, 10);  // factor 1
  CHECK(scale.ToInteger(2.4) == 2);
  CHECK(scale.ToInteger(2.5) == 3);
  CHECK(scale.ToInteger(-2.4) == -2);
  CHECK(scale.ToInteger(-2.5) == -3);
  CHECK(scale.ToInteger(-0.0) == 0);
}

TEST_CASE("without any magnitude a scale is 1") {
  CHECK(FixedPointScale(0.0, 30).ToInteger(7.0) == 7);
  CHECK(FixedPointScale().ToReal(7) == 7.0);
}

TEST_CASE("the largest magnitude fits its bits, and the error is half a unit, for any exponent") {
  Rng rng(201);
  for (int trial = 0; trial < 2000; ++trial) {
    const int bits = trial % 2 == 0 ? kSearchBits : 52;
    const double largest =
        std::ldexp(0.5 + rng.Uniform() / 2, static_cast<int>(rng.Below(1800)) - 900);
    const FixedPointScale scale(largest, bits);
    const std::int64_t limit = std::int64_t{1} << bits;
    CHECK(scale.ToInteger(largest) <= limit);
    CHECK(scale.ToInteger(largest) >= limit / 2);
    const double value = largest * (rng.Uniform() * 2.0 - 1.0);
    const double unit = scale.ToReal(1);
    INFO("largest ", largest, " value ", value);
    CHECK(std::abs(scale.ToReal(scale.ToInteger(value)) - value) <= 0.5 * unit);
    CHECK(scale.ToInteger(-value) == -scale.ToInteger(value));
  }
}

TEST_CASE("a scale survives the smallest and largest magnitudes") {
  for (const double largest : {5e-324, 1e-310, 1e-300, 1e300, 1.7e308}) {
    const FixedPointScale scale(largest, kSearchBits);
    INFO("largest ", largest);
    CHECK(std::abs(scale.ToInteger(largest)) <= (std::int64_t{1} << kSearchBits));
    CHECK(std::isfinite(scale.ToReal(scale.ToInteger(largest))));
  }
}

TEST_CASE("a power of two moves the scale and not the integers") {
  Rng rng(202);
  for (int trial = 0; trial < 200; ++trial) {
    const double largest = 0.1 + rng.Uniform();
    const double value = largest * (rng.Uniform() * 2.0 - 1.0);
    for (const int shift : {-40, -1, 1, 37}) {
      const FixedPointScale moved(std::ldexp(largest, shift), kSearchBits);
      const std::int64_t integer = FixedPointScale(largest, kSearchBits).ToInteger(value);
      CHECK(moved.ToInteger(std::ldexp(value, shift)) == integer);
      CHECK(moved.ToReal(integer) ==
            std::ldexp(FixedPointScale(largest, kSearchBits).ToReal(integer), shift));
    }
  }
}

TEST_CASE("the scales of a fit come from the documents of the sample alone") {
  const std::vector<GradientPair> targets = {{100.0, 100.0}, {-3.0, 0.5}, {1.0, 0.25}};
  const GradientScales scales = ScalesFor(LargestOf(targets, std::vector<RowId>{1, 2}), 10);
  CHECK(scales.grad.ToInteger(-3.0) == -768);
  CHECK(scales.hess.ToInteger(0.5) == 512);
  CHECK(scales.hess.ToInteger(0.25) == 256);
}

TEST_CASE("sums of leaf integers cannot overflow, and use what room there is") {
  CHECK(LeafBits(1) == 52);
  CHECK(LeafBits(1023) == 52);
  CHECK(LeafBits(1024) == 51);
  CHECK(LeafBits(4294967295ULL) == kSearchBits);
  for (std::uint64_t n = 1; n < 4294967295ULL; n = n * 3 + 1) {
    INFO(n);
    CHECK(LeafBits(n) >= kSearchBits);
    // n integers of up to 2^bits.
    CHECK(n <= (std::uint64_t{1} << 63) >> LeafBits(n));
  }
}

}  // namespace rankforest
