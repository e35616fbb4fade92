#include "rankforest/core/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <vector>

namespace rankforest {

TEST_CASE("a seed means the same numbers for ever") {
  Rng rng(42);
  CHECK(rng.Next() == 6332618229526065668ULL);
  CHECK(rng.Next() == 17630415256238047317ULL);
  CHECK(rng.Child(Purpose::kTree, 7).Next() == 15360330021352641834ULL);
  CHECK(rng.Below(1000) == 486);
}

TEST_CASE("the first numbers follow from the definition") {
  // From a separate program: finaliser(finaliser(seed + g) + i g), g = 0x9E3779B97F4A7C15.
  Rng zero(0);
  CHECK(zero.Next() == 0xA706DD2F4D197E6FULL);
  CHECK(zero.Next() == 0xB382A305F4414F5EULL);
  CHECK(zero.Next() == 0x631A9154FBABF717ULL);
  Rng largest(~std::uint64_t{0});
  CHECK(largest.Next() == 0x5DC20AA7B2A27137ULL);
  CHECK(largest.Next() == 0xBDA5668A01D7049CULL);
}

TEST_CASE("bounded integers, samples, shuffles and uniform numbers never change") {
  Rng rng(3);
  std::vector<std::uint32_t> below;
  for (int i = 0; i < 8; ++i) below.push_back(rng.Below(10));
  CHECK(below == std::vector<std::uint32_t>{7, 5, 6, 7, 7, 6, 9, 8});
  CHECK(Rng(4).Sample(100, 6) == std::vector<std::uint32_t>{61, 62, 70, 79, 91, 93});
  std::vector<int> values = {0, 1, 2, 3, 4, 5, 6, 7};
  Rng(5).Shuffle(Span<int>(values));
  CHECK(values == std::vector<int>{4, 1, 2, 6, 3, 5, 0, 7});
  CHECK(Rng(6).Uniform() == 0x1.6bb190a07f44p-1);
}

TEST_CASE("bounded integers pass a chi-square test for every small bound") {
  // The statistic has bound - 1 degrees of freedom; 6 standard deviations above its mean, plus
  // room for the skew of the smallest bounds.
  constexpr double kDraws = 20000;
  Rng rng(17);
  for (std::uint32_t bound = 2; bound <= 40; ++bound) {
    std::vector<double> counts(bound);
    for (int i = 0; i < static_cast<int>(kDraws); ++i) ++counts[rng.Below(bound)];
    const double expected = kDraws / bound;
    double statistic = 0.0;
    for (const double count : counts) statistic += (count - expected) * (count - expected);
    statistic /= expected;
    const double freedom = bound - 1.0;
    INFO("bound = ", bound);
    CHECK(statistic < freedom + 6.0 * std::sqrt(2.0 * freedom) + 6.0);
  }
}

TEST_CASE("numbers of parent and child, and of neighbouring children, are unrelated") {
  // Half of 64 bits agree by chance; over 2,000 pairs the mean number has deviation 0.09.
  const Rng parent(18);
  double with_parent = 0.0;
  double with_neighbour = 0.0;
  constexpr int kPairs = 2000;
  const auto agreeing = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(std::bitset<64>(~(a ^ b)).count());
  };
  Rng numbers = parent;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    const std::uint64_t child = parent.Child(Purpose::kTree, i).Next();
    with_parent += agreeing(child, numbers.Next());
    with_neighbour += agreeing(child, parent.Child(Purpose::kTree, i + 1).Next());
  }
  CHECK(with_parent / kPairs == doctest::Approx(32.0).epsilon(0.02));
  CHECK(with_neighbour / kPairs == doctest::Approx(32.0).epsilon(0.02));
}

TEST_CASE("a child does not depend on what its parent drew") {
  const Rng fresh(5);
  Rng used(5);
  for (int i = 0; i < 10; ++i) used.Next();
  CHECK(Rng(fresh.Child(Purpose::kRows, 3)).Next() == Rng(used.Child(Purpose::kRows, 3)).Next());
}

TEST_CASE("children of other purposes, indices and seeds are other streams") {
  std::set<std::uint64_t> first;
  std::size_t streams = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (const Purpose purpose : {Purpose::kMember, Purpose::kTree, Purpose::kNode}) {
      for (std::uint64_t index = 0; index < 100; ++index, ++streams) {
        first.insert(Rng(seed).Child(purpose, index).Next());
      }
    }
  }
  CHECK(first.size() == streams);
}

TEST_CASE("bounded integers stay in their range and are uniform") {
  Rng rng(11);
  CHECK(rng.Below(1) == 0);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[rng.Below(7)];
  // 10,000 expected; the standard deviation is 93.
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
}

TEST_CASE("bounded integers have no bias towards small numbers, however large the bound") {
  // Without rejection two thirds of the range would be drawn twice as often as the rest.
  const std::uint32_t bound = 3U << 30;
  Rng rng(12);
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += rng.Below(bound) < bound / 3 ? 1 : 0;
  CHECK(std::abs(low - 10000) < 500);
}

TEST_CASE("uniform numbers lie in [0, 1) and average one half") {
  Rng rng(13);
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const double u = rng.Uniform();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    sum += u;
  }
  CHECK(sum / 100000 == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("a shuffle keeps the values, and every order is as likely") {
  std::vector<int> orders(6);
  Rng rng(14);
  for (int trial = 0; trial < 60000; ++trial) {
    std::vector<int> values = {0, 1, 2};
    rng.Shuffle(Span<int>(values));
    orders[static_cast<std::size_t>(values[0] * 2 + (values[1] > values[2] ? 1 : 0))]++;
    std::sort(values.begin(), values.end());
    REQUIRE(values == std::vector<int>{0, 1, 2});
  }
  for (const int count : orders) CHECK(std::abs(count - 10000) < 500);
}

TEST_CASE("a sample is distinct and ascending, and every element as likely") {
  std::vector<int> counts(10);
  Rng rng(15);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::vector<std::uint32_t> sample = rng.Sample(10, 4);
    REQUIRE(sample.size() == 4);
    REQUIRE(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()) ==
            sample.end());
    for (const std::uint32_t element : sample) ++counts[element];
  }
  for (const int count : counts) CHECK(std::abs(count - 8000) < 400);
}

TEST_CASE("a sample of everything is everything, of nothing nothing") {
  Rng rng(16);
  CHECK(rng.Sample(4, 4) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(rng.Sample(4, 0).empty());
  CHECK(rng.Sample(0, 0).empty());
}

}  // namespace rankforest
