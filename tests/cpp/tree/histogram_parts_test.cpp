#include "rankforest/tree/histogram_parts.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

bool IsPart(const HistogramPart& part, std::size_t begin, std::size_t end, GroupPart features,
            std::size_t histogram) {
  return part.begin == begin && part.end == end && part.features == features &&
         part.histogram == histogram;
}

}  // namespace

TEST_CASE("large nodes are divided by documents, small ones by features, tiny ones not") {
  constexpr GroupPart kAll = GroupPart::kAll;
  const auto large = HistogramParts(9000, true, 2);
  REQUIRE(large.size() == 2);
  CHECK(IsPart(large[0], 0, 4500, kAll, 0));
  CHECK(IsPart(large[1], 4500, 9000, kAll, 1));
  const auto small = HistogramParts(1000, true, 2);
  REQUIRE(small.size() == 2);
  CHECK(IsPart(small[0], 0, 1000, GroupPart::kFirstHalf, 0));
  CHECK(IsPart(small[1], 0, 1000, GroupPart::kSecondHalf, 0));
  const auto tiny = HistogramParts(31, true, 2);
  REQUIRE(tiny.size() == 1);
  CHECK(IsPart(tiny[0], 0, 31, kAll, 0));
}

TEST_CASE("four threads divide a node by both, three by documents where there are enough") {
  const auto by_both = HistogramParts(700, true, 4);
  REQUIRE(by_both.size() == 4);
  CHECK(IsPart(by_both[1], 0, 350, GroupPart::kSecondHalf, 0));
  CHECK(IsPart(by_both[2], 350, 700, GroupPart::kFirstHalf, 1));
  const auto by_documents = HistogramParts(960, true, 3);
  REQUIRE(by_documents.size() == 3);
  CHECK(IsPart(by_documents[2], 640, 960, GroupPart::kAll, 2));
  CHECK(HistogramParts(959, true, 3)[0].features == GroupPart::kFirstHalf);
}

TEST_CASE("features that must not be shared are not, and one thread sums a node whole") {
  const auto documents = HistogramParts(1000, false, 4);
  REQUIRE(documents.size() == 3);
  for (const HistogramPart& part : documents) CHECK(part.features == GroupPart::kAll);
  for (const std::size_t n : {1U, 1000U, 100000U}) {
    const auto alone = HistogramParts(n, true, 1);
    REQUIRE(alone.size() == 1);
    CHECK(IsPart(alone[0], 0, n, GroupPart::kAll, 0));
  }
}

TEST_CASE("every document and feature is in one part, whatever the node and the threads") {
  Rng rng(1021);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + rng.Below(trial % 2 == 0 ? 20000 : 900);
    const std::size_t n_workers = 1 + rng.Below(9);
    INFO(n, " documents, ", n_workers, " workers");
    const auto parts = HistogramParts(n, trial % 3 != 0, n_workers);
    REQUIRE(parts.size() <= n_workers);
    std::size_t end = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const bool is_second = parts[p].features == GroupPart::kSecondHalf;
      REQUIRE(parts[p].begin == (is_second ? parts[p - 1].begin : end));
      if (is_second) REQUIRE(parts[p - 1].features == GroupPart::kFirstHalf);
      REQUIRE(parts[p].end > parts[p].begin);
      REQUIRE(parts[p].histogram == (p == 0 ? 0 : parts[p - 1].histogram + (is_second ? 0 : 1)));
      const bool is_first = parts[p].features == GroupPart::kFirstHalf;
      if (is_first) REQUIRE(parts[p + 1].features == GroupPart::kSecondHalf);
      end = parts[p].end;
    }
    REQUIRE(end == n);
  }
}

}  // namespace rankforest
