#include "rankforest/criterion/pair_ranks.hpp"

#include <doctest/doctest.h>

#include "support/pair_counting.hpp"

namespace rankforest {

TEST_CASE("pair ranks: a move changes the pairs with what is on the other side and with its own") {
  testing::CheckMovesByHand<PairRanks>();
}

TEST_CASE("pair ranks: documents without a pair have none to count") {
  testing::CheckThatNoPairIsNone<PairRanks>();
}

}  // namespace rankforest
