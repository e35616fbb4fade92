#include "rankforest/sample/permutation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

namespace rankforest {

namespace {

const std::vector<RowId> kOffsets = {0, 3, 3, 4, 9};

std::vector<RowId> Draw(PermutationScope scope, std::uint64_t seed) {
  return Permutation(kOffsets, scope, Rng(seed));
}

}  // namespace

TEST_CASE("documents take values of their own query, or of any, each value once") {
  bool leaves_its_query = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<RowId> within = Draw(PermutationScope::kQuery, seed);
    std::vector<RowId> among_all = Draw(PermutationScope::kData, seed);
    for (std::size_t q = 0; q + 1 < kOffsets.size(); ++q) {
      for (std::size_t d = kOffsets[q]; d < kOffsets[q + 1]; ++d) {
        CHECK((within[d] >= kOffsets[q] && within[d] < kOffsets[q + 1]));
        leaves_its_query |= among_all[d] < kOffsets[q] || among_all[d] >= kOffsets[q + 1];
      }
    }
    for (std::vector<RowId>* source : {&within, &among_all}) {
      std::sort(source->begin(), source->end());
      CHECK(*source == std::vector<RowId>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    }
  }
  CHECK(leaves_its_query);
}

TEST_CASE("every order of a query's documents is as likely") {
  std::map<std::vector<RowId>, int> counts;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    std::vector<RowId> source = Draw(PermutationScope::kQuery, seed);
    source.resize(3);
    ++counts[source];
  }
  REQUIRE(counts.size() == 6);
  for (const auto& [order, count] : counts) CHECK(std::abs(count - 1000) < 130);
}

TEST_CASE("features and repetitions have permutations of their own") {
  const Rng rng(5);
  std::map<std::uint64_t, int> firsts;
  for (FeatureId feature = 0; feature < 20; ++feature) {
    for (std::uint64_t repeat = 0; repeat < 20; ++repeat) {
      Rng stream = PermutationRng(rng, feature, repeat);
      ++firsts[stream.Next()];
    }
  }
  CHECK(firsts.size() == 400);
}

}  // namespace rankforest
