#include "rankforest/detail/largest_of_eight.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {

namespace {

double LargestOf(const std::array<double, 8>& numbers) {
  return LargestOfEight([&](std::size_t i) { return numbers[i]; });
}

}  // namespace

TEST_CASE("the largest of eight numbers, by hand") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(LargestOf({1, 2, 3, 4, 5, 6, 7, 8}) == 8);
  CHECK(LargestOf({-1, -2, -3, -4, -5, -6, -7, -8}) == -1);
  CHECK(LargestOf({-kInfinity, 0, 0, 0.5, 0, 0, 0, 0}) == 0.5);
  CHECK(LargestOf({0, 0, 0, 0, 0, kInfinity, 0, 0}) == kInfinity);
}

TEST_CASE("wherever it is, it is found") {
  Rng rng(719);
  for (int trial = 0; trial < 1000; ++trial) {
    std::array<double, 8> numbers;
    for (double& number : numbers) number = rng.Uniform() - 0.5;
    CHECK(LargestOf(numbers) == *std::max_element(numbers.begin(), numbers.end()));
  }
}

}  // namespace rankforest::detail
