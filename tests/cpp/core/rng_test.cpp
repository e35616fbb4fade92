#include "rankforest/core/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
