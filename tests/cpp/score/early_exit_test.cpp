#include "rankforest/score/early_exit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {

namespace {

std::vector<double> Demoted(const std::vector<std::uint32_t>& exits, std::vector<double> scores) {
  std::vector<std::size_t> rows(scores.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<std::size_t> order;
  Demote(rows, exits, scores, order);
  return scores;
}

}  // namespace

TEST_CASE("so many documents of the lowest scores leave, less those that tie with the others") {
  std::vector<double> scores{5.0, 1.0, 3.0, 1.0, 4.0};
  CHECK(LowestToStay(scores, 0.0) == 1.0);
  CHECK(LowestToStay(scores, 0.3) == 1.0);  // one of five would leave, but another has its score
  CHECK(LowestToStay(scores, 0.4) == 3.0);
  CHECK(LowestToStay(scores, 0.99) == 5.0);
  scores.clear();
  CHECK_NOTHROW(LowestToStay(scores, 0.5));
}

TEST_CASE("those that left get scores below the others, the last to leave the highest") {
  CHECK(Demoted({9, 3, 9, 6, 3, 3}, {5.0, 7.0, 2.5, -1.0, 0.0, 7.0}) ==
        std::vector<double>{5.0, 0.5, 2.5, 1.5, -0.5, 0.5});
  CHECK(Demoted({4, 4}, {1.0, 2.0}) == std::vector<double>{1.0, 2.0});
  CHECK(Demoted({}, {}).empty());
}

TEST_CASE("scores so large that 1 is nothing to them still have others below") {
  const std::vector<double> scores = Demoted({2, 1, 1}, {1e300, 2.0, 1.0});
  CHECK(scores[1] < 1e300);
  CHECK(scores[2] < scores[1]);
}

TEST_CASE("rows of other queries stay as they are") {
  std::vector<double> scores{4.0, 8.0, 2.0, 9.0};
  const std::vector<std::uint32_t> exits{5, 1, 5, 1};
  std::vector<std::size_t> order;
  Demote(std::vector<std::size_t>{3, 0}, exits, scores, order);
  CHECK(scores == std::vector<double>{4.0, 8.0, 2.0, 3.0});
}

TEST_CASE("the order is by rounds and then by scores, and equal pairs stay equal") {
  Rng rng(75);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 1 + rng.Below(40);
    std::vector<std::uint32_t> exits(n);
    std::vector<double> scores(n);
    for (std::size_t i = 0; i < n; ++i) {
      exits[i] = 1 + rng.Below(4);
      scores[i] = static_cast<double>(rng.Below(6));
    }
    const std::vector<double> found = Demoted(exits, scores);
    const std::uint32_t stayed = *std::max_element(exits.begin(), exits.end());
    for (std::size_t i = 0; i < n; ++i) {
      if (exits[i] == stayed) CHECK(found[i] == scores[i]);
      for (std::size_t j = 0; j < n; ++j) {
        const bool below = exits[i] != exits[j] ? exits[i] < exits[j] : scores[i] < scores[j];
        CHECK((found[i] < found[j]) == below);
      }
    }
  }
}

}  // namespace rankforest::detail
