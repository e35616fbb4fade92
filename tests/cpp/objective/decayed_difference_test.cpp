#include "rankforest/objective/decayed_difference.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace rankforest {

TEST_CASE("a pair weighs its grades' difference, halved with each rank") {
  DecayedDifference swap(0.5);
  swap.Reset(std::vector<double>{3, 0, 1, 1});
  CHECK_FALSE(swap.is_flat());
  CHECK(swap(0, 1) == 3.0);
  CHECK(swap(1, 2) == 0.5);
  CHECK(swap(2, 3) == 0.0);
  CHECK(swap(3, 1) == 0.5);
  CHECK(swap.depth() > 1000000);
}

TEST_CASE("a ranking of one grade is flat, and a longer one may follow a shorter one") {
  DecayedDifference swap(1.0);
  swap.Reset(std::vector<double>{2, 2});
  CHECK(swap.is_flat());
  swap.Reset(std::vector<double>{2, 2, 2, 4});
  CHECK_FALSE(swap.is_flat());
  CHECK(swap(2, 3) == 2.0);
}

}  // namespace rankforest
