#include "rankforest/core/math.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;

namespace {

/// |value - exact| in units of the last place of `exact`.
double UlpError(double value, long double exact) {
  const double rounded = static_cast<double>(exact);
  const double ulp = std::nextafter(std::fabs(rounded), kInf) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact)) / ulp;
}

/// A uniform number in [low, high).
double Between(double low, double high, Rng& rng) { return low + (high - low) * rng.Uniform(); }

/// One number that changes when any bit of any value does.
std::uint64_t BitsOf(const std::vector<double>& values) {
  std::uint64_t hash = 0;
  for (const double value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    hash = detail::Mix64(hash + bits);
  }
  return hash;
}

}  // namespace

TEST_CASE("a number is within a type exactly where its integer part is") {
  using detail::IsWithin;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(IsWithin<std::int64_t>(0x1.fffffffffffffp62));
  CHECK_FALSE(IsWithin<std::int64_t>(0x1p63));
  CHECK_FALSE(IsWithin<std::int64_t>(-infinity));
  CHECK_FALSE(IsWithin<std::int64_t>(nan));
  CHECK(IsWithin<std::int32_t>(2147483647.9));
  CHECK_FALSE(IsWithin<std::int32_t>(2147483648.0));
  CHECK(IsWithin<std::uint64_t>(0x1.fffffffffffffp63));
  CHECK_FALSE(IsWithin<std::uint64_t>(0x1p64));
  CHECK(IsWithin<std::uint64_t>(-0.9));
  CHECK_FALSE(IsWithin<std::uint64_t>(-1.0));
  CHECK(detail::Truncated<std::int32_t>(-2.9) == -2);
}

TEST_CASE("exp errs by less than two units in the last place") {
  Rng rng(1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double x = Between(-700.0, 700.0, rng);
    INFO("x = ", x);
    CHECK(UlpError(Exp(x), std::exp(static_cast<long double>(x))) < 2.0);
  }
}

TEST_CASE("exp at its limits") {
  CHECK(Exp(0.0) == 1.0);
  CHECK(Exp(-0.0) == 1.0);
  CHECK(Exp(710.0) == kInf);
  CHECK(Exp(kInf) == kInf);
  CHECK(Exp(-746.0) == 0.0);
  CHECK(Exp(-kInf) == 0.0);
  CHECK(std::isnan(Exp(std::numeric_limits<double>::quiet_NaN())));
  CHECK(Exp(709.7) < kInf);
  CHECK(Exp(-745.0) > 0.0);  // subnormal
}

TEST_CASE("exp2 is exact for whole numbers, subnormal results included") {
  for (int k = -1074; k <= 1023; ++k) CHECK(Exp2(k) == std::ldexp(1.0, k));
  CHECK(Exp2(1024.0) == kInf);
  CHECK(Exp2(-1076.0) == 0.0);
}

TEST_CASE("exp2 errs by less than two units in the last place") {
  Rng rng(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const double x = Between(-1000.0, 1000.0, rng);
    INFO("x = ", x);
    CHECK(UlpError(Exp2(x), std::exp2(static_cast<long double>(x))) < 2.0);
  }
}

TEST_CASE("exp2 without a branch is exact for whole numbers and errs by less than four units") {
  for (int k = -1022; k < 1023; ++k) CHECK(Exp2WithoutBranch(k) == std::ldexp(1.0, k));
  CHECK(Exp2WithoutBranch(-0.0) == 1.0);
  Rng rng(4);
  for (int trial = 0; trial < 20000; ++trial) {
    const double x = trial % 2 == 0 ? Between(-1022.0, 1023.0, rng) : Between(-1.0, 1.0, rng);
    INFO("x = ", x);
    CHECK(UlpError(Exp2WithoutBranch(x), std::exp2(static_cast<long double>(x))) < 4.0);
  }
}

TEST_CASE("log2 is exact for powers of two") {
  for (int k = -1022; k <= 1023; ++k) CHECK(Log2(std::ldexp(1.0, k)) == k);
}

TEST_CASE("log2 errs by at most two units in the last place") {
  Rng rng(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const double x = Exp2(Between(-1000.0, 1000.0, rng));
    INFO("x = ", x);
    CHECK(UlpError(Log2(x), std::log2(static_cast<long double>(x))) <= 2.0);
  }
}

TEST_CASE("sigmoid is one half at zero and adds up to one with its mirror") {
  CHECK(Sigmoid(0.0) == 0.5);
  CHECK(Sigmoid(1000.0) == 1.0);
  CHECK(Sigmoid(-1000.0) == 0.0);
  for (const double x : {0.1, 1.0, 5.0, 30.0}) {
    CHECK(Sigmoid(x) + Sigmoid(-x) == doctest::Approx(1.0).epsilon(1e-15));
  }
}

TEST_CASE("the discount of the first rank is 1, of the third one half") {
  const std::vector<double> discounts = LogDiscounts(7);
  REQUIRE(discounts.size() == 7);
  CHECK(discounts[0] == 1.0);
  CHECK(discounts[2] == 0.5);
  CHECK(discounts[1] == doctest::Approx(0.6309297535714574).epsilon(1e-15));
  CHECK(discounts[6] == 1.0 / 3.0);
}

TEST_CASE("the functions never fall where they should rise") {
  // The step is far above the rounding error, and passes every point where one reduction of the
  // argument hands over to the next.
  constexpr double kStep = 0x1.0p-12;
  constexpr int kSteps = 32 << 12;
  for (int step = -kSteps; step < kSteps; ++step) {
    const double x = step * kStep;
    INFO("x = ", x);
    REQUIRE(Exp(x) < Exp(x + kStep));
    REQUIRE(Exp2(x) < Exp2(x + kStep));
    REQUIRE(Exp2WithoutBranch(x) < Exp2WithoutBranch(x + kStep));
    REQUIRE(Sigmoid(x) <= Sigmoid(x + kStep));
    if (step > 0) REQUIRE(Log2(x) < Log2(x + kStep));
  }
}

TEST_CASE("log2 keeps its precision next to one") {
  CHECK(Log2(std::nextafter(1.0, 2.0)) == 0x1.71547652b82fep-52);   // 2^-52 / ln(2)
  CHECK(Log2(std::nextafter(1.0, 0.0)) == -0x1.71547652b82fep-53);  // -2^-53 / ln(2)
}

TEST_CASE("single values have the bits of every other machine") {
  // On both sides of where a reduction hands over to the next, and where results are subnormal.
  CHECK(Exp(-745.0) == 0x1.0p-1074);
  CHECK(Exp(-700.5) == 0x1.4ff475c68ca02p-1011);
  CHECK(Exp(-1.0) == 0x1.78b56362cef38p-2);
  CHECK(Exp(-0x1.62e42fefa39f0p-2) == 0x1.6a09e667f3bccp-1);
  CHECK(Exp(0.1) == 0x1.1aec7b35a00d4p+0);
  CHECK(Exp(0x1.62e42fefa39efp-2) == 0x1.6a09e667f3bccp+0);
  CHECK(Exp(1.0) == 0x1.5bf0a8b14576ap+1);
  CHECK(Exp(33.3) == 0x1.078401f5a3ec8p+48);
  CHECK(Exp(709.75) == 0x1.ef85a11e73f2dp+1023);
  CHECK(Exp2(-1074.5) == 0x1.0p-1074);
  CHECK(Exp2(0.1) == 0x1.125fbee250664p+0);
  CHECK(Exp2(0.5) == 0x1.6a09e667f3bccp+0);
  CHECK(Exp2(10.7) == 0x1.9fdf8bcce533ap+10);
  CHECK(Exp2(1023.9) == 0x1.ddb680117aa8ep+1023);
  CHECK(Exp2WithoutBranch(0.1) == 0x1.125fbee250665p+0);
  CHECK(Exp2WithoutBranch(-0.5) == 0x1.6a09e667f3bcep-1);
  CHECK(Exp2WithoutBranch(-987.6) == 0x1.51cb453b9530ep-988);
  CHECK(Log2(0.1) == -0x1.a934f0979a371p+1);
  CHECK(Log2(0x1.6a09e667f3bcdp+0) == 0x1.0000000000001p-1);
  CHECK(Log2(0x1.6a09e667f3bcep+0) == 0x1.0000000000003p-1);
  CHECK(Log2(3.0) == 0x1.95c01a39fbd69p+0);
  CHECK(Log2(1e300) == 0x1.f24a09f1a8b89p+9);
  CHECK(Sigmoid(-20.0) == 0x1.1b4865556b5d5p-29);
  CHECK(Sigmoid(0.7) == 0x1.561cb52a19476p-1);
}

TEST_CASE("the bits are those of every other machine") {
  std::vector<double> values;
  for (int i = -2000; i <= 2000; ++i) {
    values.push_back(Exp(i * 0.37));
    values.push_back(Exp2(i * 0.41));
    values.push_back(Exp2WithoutBranch(i * 0.41));
    values.push_back(Log2(1.0 + (i + 2000) * 0.73));
  }
  CHECK(BitsOf(values) == 18242286551876926853ULL);
}

TEST_CASE("a number becomes the nearest float32 that is finite") {
  constexpr float kLargest = std::numeric_limits<float>::max();
  CHECK(ToFiniteFloat(0.1) == 0.1F);
  CHECK(ToFiniteFloat(-1e-50) == 0.0F);
  CHECK(ToFiniteFloat(static_cast<double>(kLargest)) == kLargest);
  CHECK(ToFiniteFloat(1e39) == kLargest);
  CHECK(ToFiniteFloat(-1e300) == -kLargest);
  CHECK(ToFiniteFloat(std::numeric_limits<double>::infinity()) == kLargest);
}

}  // namespace rankforest
