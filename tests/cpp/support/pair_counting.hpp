#pragma once

#include <doctest/doctest.h>

#include <cstddef>

#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/small_data.hpp"

namespace rankforest::testing {

// What both ways to count the pairs of a node must do: PairTable and PairRanks.

/// Moves documents of four grades to the left and compares what changes with counts by hand.
template <class Counts>
void CheckMovesByHand() {
  // Query 0 has the grades {0, 1, 3}, query 1 a 1. In units of a difference: 3 is 2^2 - 1.
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 3, 1});
  raw.queries = {0, 0, 0, 1};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const testing::GradedRows rows(documents, WholeSample(4));
  const auto place_of = [&](double grade) {
    std::size_t i = 0;
    while (data.grades()[i] != grade || data.offsets()[1] - data.offsets()[0] == 1) ++i;
    return i;
  };
  for (const PairWeight weight : {PairWeight::kOne, PairWeight::kDifference}) {
    const bool is_one = weight == PairWeight::kOne;
    Counts counts(documents.grades(), weight);
    counts.SetDifferenceBits(2);
    CHECK(counts.unit() == 1.0);
    REQUIRE(counts.Begin(rows.node()));
    for (int time = 0; time < 2; ++time) {
      // 3 against 0 and 1.
      const PairChange first = counts.MoveLeft(place_of(3.0));
      CHECK(first.left_above == (is_one ? 2 : 3 + 2));
      CHECK(first.right_above == 0);
      // 0 against 1, and no longer against 3.
      const PairChange second = counts.MoveLeft(place_of(0.0));
      CHECK(second.left_above == (is_one ? -1 : -3));
      CHECK(second.right_above == (is_one ? 1 : 1));
      counts.Clear();
    }
  }
}

/// Equal grades in each query: there is nothing to begin with.
template <class Counts>
void CheckThatNoPairIsNone() {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 0, 1, 1});
  raw.queries = {0, 0, 1, 1};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  Counts counts(documents.grades(), PairWeight::kOne);
  CHECK_FALSE(counts.Begin(testing::GradedRows(documents, WholeSample(4)).node()));
}

}  // namespace rankforest::testing
