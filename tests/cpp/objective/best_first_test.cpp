#include "rankforest/objective/best_first.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {
namespace {

std::vector<std::uint32_t> Places(BestFirst& best_first, const std::vector<RowId>& rows,
                                  const std::vector<double>& scores, std::size_t top) {
  std::vector<std::uint32_t> places;
  for (const BestFirst::Record& record : best_first.Rank(rows, scores, top)) {
    CHECK(record.score == scores[rows[record.place]]);
    places.push_back(record.place);
  }
  return places;
}

}  // namespace

TEST_CASE("the best come first, equal scores and the rest in their order") {
  BestFirst best_first;
  const std::vector<double> scores = {9, 1, 5, 9, 3, 5, 2};
  const std::vector<RowId> rows = {1, 2, 3, 4, 5, 6};  // without the first
  using Expected = std::vector<std::uint32_t>;
  CHECK(Places(best_first, rows, scores, 0) == Expected{0, 1, 2, 3, 4, 5});
  CHECK(Places(best_first, rows, scores, 1) == Expected{2, 0, 1, 3, 4, 5});
  CHECK(Places(best_first, rows, scores, 2) == Expected{2, 1, 0, 3, 4, 5});
  CHECK(Places(best_first, rows, scores, 4) == Expected{2, 1, 4, 3, 0, 5});
  CHECK(Places(best_first, rows, scores, 6) == Expected{2, 1, 4, 3, 5, 0});
  CHECK(Places(best_first, rows, scores, 100) == Expected{2, 1, 4, 3, 5, 0});
  CHECK(Places(best_first, {}, scores, 3) == Expected{});
}

TEST_CASE("scores that stand one after the other rank as those of rows do") {
  Rng rng(37);
  BestFirst by_rows;
  BestFirst in_place;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> scores(1 + rng.Below(60));
    std::vector<RowId> rows;
    for (double& score : scores) {
      rows.push_back(static_cast<RowId>(rows.size()));
      score = rng.Below(10) * 0.5;
    }
    const std::size_t top = rng.Below(static_cast<std::uint32_t>(rows.size()) + 2);
    std::vector<std::uint32_t> found;
    for (const BestFirst::Record& record : in_place.Rank(scores, top)) {
      CHECK(record.score == scores[record.place]);
      found.push_back(record.place);
    }
    CHECK(found == Places(by_rows, rows, scores, top));
  }
}

TEST_CASE("ranking some is a full ranking's beginning and then every other document once") {
  Rng rng(31);
  BestFirst best_first;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> scores(1 + rng.Below(60));
    std::vector<RowId> rows;
    for (double& score : scores) {
      rows.push_back(static_cast<RowId>(rows.size()));
      score = rng.Below(10) * 0.5;
    }
    std::vector<std::uint32_t> expected(rows.begin(), rows.end());
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    const std::size_t top = rng.Below(static_cast<std::uint32_t>(rows.size()) + 2);
    if (top < expected.size()) {
      std::sort(expected.begin() + static_cast<std::ptrdiff_t>(top), expected.end());
    }
    INFO("trial ", trial);
    CHECK(Places(best_first, rows, scores, top) == expected);
  }
}

}  // namespace rankforest::detail
