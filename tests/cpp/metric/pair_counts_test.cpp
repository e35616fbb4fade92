#include "rankforest/metric/pair_counts.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/ranked_list.hpp"

namespace rankforest {

using detail::PairCounts;
using detail::PairsOf;

TEST_CASE("pairs are counted by grade and rank") {
  // Blocks {2}, {0, 1}, {2}: 2 stands above 0 and 1; 0 and 1 tie and stand above 2.
  const std::vector<double> grades{2, 0, 1, 2};
  const std::vector<std::size_t> ends{1, 3, 4};
  const PairCounts counts = detail::CountPairs({grades, ends, 4});
  CHECK(counts.concordant == 2);
  CHECK(counts.discordant == 2);
  CHECK(counts.in_blocks == 1);
  CHECK(counts.tied == 1);
}

TEST_CASE("counts are those of a loop over all pairs") {
  Rng rng(41);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> grades(rng.Below(60));
    std::vector<std::size_t> block(grades.size());
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < grades.size(); ++i) {
      grades[i] = trial % 2 == 0 ? rng.Below(4) : rng.Uniform();
      block[i] = i == 0 ? 0 : block[i - 1] + rng.Below(2);
      if (i > 0 && block[i] != block[i - 1]) ends.push_back(i);
    }
    if (!grades.empty()) ends.push_back(grades.size());
    PairCounts expected;
    for (std::size_t i = 0; i < grades.size(); ++i) {
      for (std::size_t j = i + 1; j < grades.size(); ++j) {
        if (block[i] == block[j]) {
          ++expected.in_blocks;
          expected.tied += grades[i] != grades[j] ? 1U : 0U;
        } else {
          expected.concordant += grades[i] > grades[j] ? 1U : 0U;
          expected.discordant += grades[i] < grades[j] ? 1U : 0U;
        }
      }
    }
    const PairCounts counts = detail::CountPairs({grades, ends, grades.size()});
    INFO("trial ", trial);
    CHECK(counts.concordant == expected.concordant);
    CHECK(counts.discordant == expected.discordant);
    CHECK(counts.in_blocks == expected.in_blocks);
    CHECK(counts.tied == expected.tied);
  }
}

TEST_CASE("pairs of equal grades lie in runs") {
  CHECK(detail::PairsOfEqualGrades(std::vector<double>{3, 1, 1, 1, 0, 0}) == 3 + 1);
  CHECK(detail::PairsOfEqualGrades({}) == 0);
  CHECK(PairsOf(0) == 0);
  CHECK(PairsOf(1) == 0);
  CHECK(PairsOf(100000) == std::uint64_t{4999950000});
}

}  // namespace rankforest
