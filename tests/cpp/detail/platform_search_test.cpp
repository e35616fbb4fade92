#include "rankforest/detail/platform_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest::detail {

TEST_CASE("numbers below x are counted, special ones too") {
  constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
  const std::array<float, kSearched> numbers{
      -testing::kInf, -2.0F, -kDenormal, -0.0F, 0.0F, 1.0F, 1.0F, 2.0F,
      3.0F,           4.0F,  5.0F,       6.0F,  7.0F, 8.0F, 9.0F, testing::kInf};
  CHECK(BelowOf16(numbers.data(), -testing::kInf) == 0);
  CHECK(BelowOf16(numbers.data(), -1.0F) == 2);
  CHECK(BelowOf16(numbers.data(), -0.0F) == 3);
  CHECK(BelowOf16(numbers.data(), 0.0F) == 3);
  CHECK(BelowOf16(numbers.data(), kDenormal) == 5);
  CHECK(BelowOf16(numbers.data(), 1.0F) == 5);
  CHECK(BelowOf16(numbers.data(), 9.5F) == 15);
  CHECK(BelowOf16(numbers.data(), testing::kInf) == 15);
  CHECK(BelowOf16(numbers.data(), testing::kNaN) == 0);
}

TEST_CASE("as many are below x as a count one by one finds") {
  Rng rng(90);
  for (int trial = 0; trial < 200; ++trial) {
    std::array<float, kSearched> numbers;
    for (float& number : numbers) number = static_cast<float>(rng.Below(20));
    std::sort(numbers.begin(), numbers.end());
    const auto x = static_cast<float>(rng.Below(20));
    const auto below =
        std::count_if(numbers.begin(), numbers.end(), [x](float number) { return number < x; });
    CHECK(BelowOf16(numbers.data(), x) == static_cast<std::size_t>(below));
  }
}

TEST_CASE("a larger x has no fewer numbers below it") {
  Rng rng(91);
  std::array<float, kSearched> numbers;
  for (float& number : numbers) number = static_cast<float>(rng.Uniform());
  std::sort(numbers.begin(), numbers.end());
  std::size_t before = 0;
  for (int step = -1; step <= 101; ++step) {
    const std::size_t below = BelowOf16(numbers.data(), static_cast<float>(step) / 100.0F);
    CHECK(below >= before);
    before = below;
  }
  CHECK(before == kSearched);
}

}  // namespace rankforest::detail
