#include "rankforest/score/combine.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

using Scores = std::vector<double>;
using Codes = std::vector<QueryId>;

TEST_CASE("rows of a query are found wherever they stand") {
  const RowsByQuery queries(Codes{7, 2, 7, 9, 2});
  CHECK(queries.n_queries() == 3);
  CHECK(queries.rows == std::vector<std::size_t>{1, 4, 0, 2, 3});
  CHECK(queries.offsets == std::vector<std::size_t>{0, 2, 4, 5});
  CHECK(RowsByQuery(Codes{}).n_queries() == 0);
}

TEST_CASE("a sum adds the members in order") {
  // (1e16 + 1) + 1 rounds twice; 1e16 + (1 + 1) would not.
  CHECK(CombineMembers(Combine::kSum, {{1e16}, {1.0}, {1.0}}, {}) == Scores{1e16});
}

TEST_CASE("minmax scales each member to [0, 1] within each query and averages") {
  const Codes codes{0, 0, 0, 1, 1};
  const Scores first{1.0, 3.0, 2.0, -5.0, 5.0};
  const Scores second{-10.0, 0.0, 0.0, 8.0, 4.0};
  CHECK(CombineMembers(Combine::kMinMax, {first}, codes) == Scores{0.0, 1.0, 0.5, 0.0, 1.0});
  CHECK(CombineMembers(Combine::kMinMax, {first, second}, codes) ==
        Scores{0.0, 1.0, 0.75, 0.5, 0.5});
}

TEST_CASE("minmax gives 1/2 to the documents of a query that a member does not tell apart") {
  CHECK(CombineMembers(Combine::kMinMax, {{3.0, 3.0, -1.0}, {1.0, 2.0, 0.0}}, Codes{4, 4, 1}) ==
        Scores{0.25, 0.75, 0.5});
}

TEST_CASE("borda gives as many points as documents rank below, ties averaged") {
  const Codes codes{0, 0, 0, 0, 1};
  const Scores first{0.3, 0.1, 0.2, 0.4, 9.0};
  const Scores tied{5.0, 5.0, 1.0, 5.0, 9.0};
  CHECK(CombineMembers(Combine::kBorda, {first}, codes) == Scores{2.0, 0.0, 1.0, 3.0, 0.0});
  CHECK(CombineMembers(Combine::kBorda, {tied}, codes) == Scores{2.0, 2.0, 0.0, 2.0, 0.0});
  CHECK(CombineMembers(Combine::kBorda, {first, tied}, codes) == Scores{4.0, 2.0, 1.0, 5.0, 0.0});
}

TEST_CASE("borda points equal those counted pair by pair") {
  Rng rng(11);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n_rows = 1 + rng.Below(30);
    Codes codes(n_rows);
    Scores scores(n_rows);
    for (QueryId& code : codes) code = rng.Below(4);
    for (double& score : scores) score = rng.Below(6);
    Scores expected(n_rows, 0.0);
    for (std::size_t a = 0; a < n_rows; ++a) {
      for (std::size_t b = 0; b < n_rows; ++b) {
        if (a == b || codes[a] != codes[b]) continue;
        expected[a] += scores[b] < scores[a] ? 1.0 : scores[b] == scores[a] ? 0.5 : 0.0;
      }
    }
    CHECK(CombineMembers(Combine::kBorda, {scores}, codes) == expected);
  }
}

TEST_CASE("neither the order of rows nor the codes of queries change a combined score") {
  Rng rng(12);
  for (const Combine combine : {Combine::kMinMax, Combine::kBorda}) {
    for (int trial = 0; trial < 50; ++trial) {
      const std::size_t n_rows = 1 + rng.Below(30);
      std::vector<std::size_t> order(n_rows);
      Codes codes(n_rows);
      std::vector<Scores> members(3, Scores(n_rows));
      for (std::size_t row = 0; row < n_rows; ++row) {
        order[row] = row;
        codes[row] = rng.Below(5);
        for (Scores& scores : members) scores[row] = rng.Below(10);
      }
      rng.Shuffle(Span<std::size_t>(order));
      Codes moved_codes(n_rows);
      std::vector<Scores> moved_members(3, Scores(n_rows));
      for (std::size_t row = 0; row < n_rows; ++row) {
        moved_codes[row] = 1000 - 7 * codes[order[row]];
        for (std::size_t j = 0; j < 3; ++j) moved_members[j][row] = members[j][order[row]];
      }
      const Scores scores = CombineMembers(combine, members, codes);
      const Scores moved = CombineMembers(combine, moved_members, moved_codes);
      for (std::size_t row = 0; row < n_rows; ++row) CHECK(moved[row] == scores[order[row]]);
    }
  }
}

}  // namespace rankforest
