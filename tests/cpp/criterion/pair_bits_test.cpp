#include "rankforest/criterion/pair_bits.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest {

namespace {

/// Queries of one document each, drawn so often, with these weights.
struct Drawn {
  std::vector<RowId> rows;
  std::vector<GradedTarget> targets;
  std::vector<std::uint32_t> counts;

  Drawn(const std::vector<std::uint32_t>& times, const std::vector<std::uint32_t>& weights)
      : counts(times) {
    for (std::uint32_t i = 0; i < times.size(); ++i) {
      rows.push_back(i);
      targets.push_back({i, 0, weights[i]});
    }
  }
  [[nodiscard]] PairBits Bits(PairBits wanted) const {
    return PairBitsFor({rows, targets, counts}, wanted);
  }
};

constexpr std::uint32_t kMostUnits = 1U << 20;

}  // namespace

TEST_CASE("pairs have the bits that are asked for while their sum is below 2^63") {
  // 2^16 documents: 2^30 pairs, which leave 32 bits; but 2^62 is not above the limit.
  const PairBits few = Drawn({1U << 16}, {kMostUnits}).Bits({20, 12});
  CHECK(few.weight == 20);
  CHECK(few.difference == 12);
  // Twice as many pairs: 2^63 is. The weight is the wider one.
  const PairBits more = Drawn({1U << 16, 1U << 16}, {kMostUnits, kMostUnits}).Bits({20, 12});
  CHECK(more.weight == 19);
  CHECK(more.difference == 12);
  // Without weights 2^24 documents, 2^46 pairs, leave 16.
  const PairBits unweighted = Drawn({1U << 24}, {1}).Bits({0, 40});
  CHECK(unweighted.weight == 0);
  CHECK(unweighted.difference == 16);
}

TEST_CASE("the sum is bounded for any number of documents and any weights") {
  for (const std::uint32_t times : {1U, 1000U, 1U << 20, 1U << 30, 4294967295U}) {
    for (const std::uint32_t weight : {0U, 1U, 524289U, kMostUnits}) {
      for (const int difference : {0, 12, 40}) {
        const PairBits bits = Drawn({times}, {weight}).Bits({20, difference});
        const double pairs = static_cast<double>(times) * times / 4;
        const double of_pair = static_cast<double>(RoundedShift(weight, 20 - bits.weight)) *
                               static_cast<double>(std::uint64_t{1} << bits.difference);
        INFO("times ", times, " weight ", weight, " difference ", difference);
        CHECK(pairs * of_pair < 0x1p63);
        CHECK(bits.weight >= 0);
        CHECK(bits.difference >= 0);
        const bool is_as_wanted = bits.weight == 20 && bits.difference == difference;
        // Two bits more would not have fitted: what is rounded up may take one.
        if (!is_as_wanted && weight == kMostUnits) CHECK(pairs * of_pair * 4 >= 0x1p62);
      }
    }
  }
}

TEST_CASE("a weight of fewer bits is the nearest") {
  CHECK(RoundedShift(1000, 0) == 1000);
  CHECK(RoundedShift(1000, 3) == 125);
  CHECK(RoundedShift(1003, 3) == 125);
  CHECK(RoundedShift(1004, 3) == 126);
  CHECK(RoundedShift(1U << 20, 20) == 1);
}

}  // namespace rankforest
