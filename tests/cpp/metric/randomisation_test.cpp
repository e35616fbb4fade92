#include "rankforest/metric/randomisation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

constexpr std::uint64_t kDraws = 10000;

RandomisationTest Test(const std::vector<double>& differences, std::uint64_t draws = kDraws,
                       std::uint64_t seed = 1, int threads = 1) {
  return TestByRandomisation(differences, draws, seed, Threads{threads});
}

/// Every assignment of signs, one after another, in floating point.
double NaivePValue(const std::vector<double>& differences) {
  const auto sum_of = [&](std::uint64_t signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += ((signs >> i) & 1) != 0 ? -differences[i] : differences[i];
    }
    return std::abs(sum);
  };
  const std::uint64_t all = std::uint64_t{1} << differences.size();
  std::uint64_t extreme = 0;
  for (std::uint64_t signs = 0; signs < all; ++signs) {
    if (sum_of(signs) >= sum_of(0) - 1e-9) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(all);
}

/// Whole numbers of tenths between -1 and 1: many ties, zeros too.
std::vector<double> Tenths(std::size_t size, Rng rng) {
  std::vector<double> values(size);
  for (double& value : values) value = (static_cast<double>(rng.Below(21)) - 10.0) / 10.0;
  return values;
}

std::vector<double> Uniform(std::size_t size, double shift, Rng rng) {
  std::vector<double> values(size);
  for (double& value : values) value = rng.Uniform() - 0.5 + shift;
  return values;
}

}  // namespace

TEST_CASE("a table computed by hand") {
  // Of the 8 sums of +-3 +-2 +-1, 2 are 6 away from 0, 2 are 4 away, 2 are 2 away, 2 are 0.
  CHECK(Test({3, 2, 1}).p_value == 2.0 / 8);
  CHECK(Test({3, 2, -1}).p_value == 4.0 / 8);
  CHECK(Test({3, -2, 1}).p_value == 6.0 / 8);
  CHECK(Test({-3, 2, 1}).p_value == 1.0);
  CHECK(Test({0.5}).p_value == 1.0);
  CHECK(Test({1, 1, 1, 1}).p_value == 2.0 / 16);
  CHECK(Test({1, 1, 1, -1}).p_value == 10.0 / 16);
}

TEST_CASE("all permutations are counted where they are no more than those asked for") {
  const std::vector<double> ten = Uniform(10, 0.1, Rng(3));
  CHECK(Test(ten, 1024).exact);
  CHECK(Test(ten, 1024).n_permutations == 1024);
  CHECK_FALSE(Test(ten, 1023).exact);
  CHECK(Test(ten, 1023).n_permutations == 1023);
}

TEST_CASE("differences of 0 do not matter") {
  CHECK(Test({3, 0, 2, 0.0, -0.0, -1}, 8).p_value == 4.0 / 8);
  CHECK(Test({3, 0, 2, 0.0, -0.0, -1}, 8).exact);
  const RandomisationTest none = Test({0, 0, 0});
  CHECK(none.p_value == 1.0);
  CHECK(none.exact);
  CHECK(Test({}).p_value == 1.0);
}

TEST_CASE("the exact p-value is that of a naive enumeration") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Rng rng(seed);
    const std::size_t size = 1 + seed % 12;
    INFO(seed);
    const std::vector<double> ties = Tenths(size, rng.Child(Purpose::kRows, 0));
    CHECK(Test(ties).p_value == NaivePValue(ties));
    const std::vector<double> no_ties = Uniform(size, 0.1, rng.Child(Purpose::kRows, 1));
    CHECK(Test(no_ties).p_value == NaivePValue(no_ties));
  }
}

TEST_CASE("sums that only rounding tells apart are equal") {
  // The signed sums of tenths: 1 + 2 + 3 - 3 is as far from 0 as -1 - 2 + 3 + 3, but in binary it
  // is farther. Of 16, 2 are 9 away, 2 are 7, 2 are 5, 6 are 3, 4 are 1.
  CHECK(Test({0.1, 0.2, 0.3, -0.3}).p_value == 12.0 / 16);
}

TEST_CASE("a drawn p-value is near the exact one") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<double> values = Uniform(16, 0.1, Rng(seed));
    const double exact = NaivePValue(values);
    const RandomisationTest drawn = Test(values, 20000, seed);
    REQUIRE_FALSE(drawn.exact);
    INFO(seed);
    CHECK(std::abs(drawn.p_value - exact) < 5 * std::sqrt(exact * (1 - exact) / 20000) + 1e-4);
  }
}

TEST_CASE("a drawn p-value is never below one of all draws and the observation") {
  const std::vector<double> values(200, 1.0);
  CHECK(Test(values, 999).p_value == 1.0 / 1000);
  CHECK(Test(values, 1).p_value == 1.0 / 2);
}

TEST_CASE("p-values of systems that are alike are uniform") {
  constexpr int kTests = 2000;
  std::vector<int> below(4);
  for (std::uint64_t seed = 0; seed < kTests; ++seed) {
    const double p_value = Test(Uniform(20, 0.0, Rng(seed)), 199, seed).p_value;
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (p_value <= 0.05 * static_cast<double>(i + 1)) ++below[i];
    }
  }
  for (std::size_t i = 0; i < below.size(); ++i) {
    const double expected = 0.05 * static_cast<double>(i + 1);
    const double deviation = std::sqrt(expected * (1 - expected) / kTests);
    CHECK(std::abs(below[i] / static_cast<double>(kTests) - expected) < 4 * deviation);
  }
}

TEST_CASE("neither threads nor the order nor a common change of signs change a bit") {
  for (const std::size_t size : {9U, 300U}) {
    std::vector<double> values = Uniform(size, 0.02, Rng(size));
    const double p_value = Test(values).p_value;
    CHECK(p_value < 1.0);
    for (const int threads : {2, 3, 8}) CHECK(Test(values, kDraws, 1, threads).p_value == p_value);
    Rng(5).Shuffle(Span<double>(values));
    CHECK(Test(values).p_value == p_value);
    for (double& value : values) value = -value;
    CHECK(Test(values).p_value == p_value);
  }
}

TEST_CASE("a power of two as a factor changes no bit, however large or small") {
  std::vector<double> values = Uniform(100, 0.05, Rng(8));
  const double p_value = Test(values).p_value;
  for (const int exponent : {-1000, -60, 60, 1000}) {
    std::vector<double> scaled;
    for (const double value : values) scaled.push_back(std::ldexp(value, exponent));
    CHECK(Test(scaled).p_value == p_value);
  }
}

TEST_CASE("seeds draw different permutations") {
  const std::vector<double> values = Uniform(100, 0.02, Rng(9));
  CHECK(Test(values, kDraws, 1).p_value != Test(values, kDraws, 2).p_value);
}

TEST_CASE("what cannot be tested is named") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH_AS(Test({1, nan}), "differences must be finite, got nan at 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Test({-infinity}), "differences must be finite, got -inf at 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Test({1, 2}, 0), "n_permutations must be >= 1, got 0",
                       std::invalid_argument);
}

}  // namespace rankforest
