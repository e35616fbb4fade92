#include "rankforest/criterion/pair_table.hpp"

#include <doctest/doctest.h>

#include "support/pair_counting.hpp"

namespace rankforest {

TEST_CASE("pair table: a move changes the pairs with what is on the other side and with its own") {
  testing::CheckMovesByHand<PairTable>();
}

TEST_CASE("pair table: documents without a pair have none to count") {
  testing::CheckThatNoPairIsNone<PairTable>();
}

}  // namespace rankforest
