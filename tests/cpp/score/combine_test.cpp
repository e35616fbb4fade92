#include "rankforest/score/combine.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

using Scores = std::vector<double>;
using Codes = std::vector<QueryId>;

namespace {

/// Of so many members, without blends.
Scores CombinationOf(Combine combine, const std::vector<Scores>& columns, const Codes& codes) {
  Ensemble ensemble;
  ensemble.combine = combine;
  ensemble.members.resize(columns.size());
  return Combination(ensemble)(columns, codes, Threads{2});
}

/// By blends.
Scores BlendOf(const std::vector<Blend>& blends, const std::vector<Scores>& columns,
               const Codes& codes) {
  Ensemble ensemble;
  ensemble.members.resize(columns.size());
  ensemble.blends = blends;
  return Combination(ensemble)(columns, codes);
}

}  // namespace

TEST_CASE("rows of a query are found wherever they stand") {
  const RowsByQuery queries(Codes{7, 2, 7, 9, 2});
  CHECK(queries.n_queries() == 3);
  CHECK(queries.rows == std::vector<std::size_t>{1, 4, 0, 2, 3});
  CHECK(queries.offsets == std::vector<std::size_t>{0, 2, 4, 5});
  CHECK(RowsByQuery(Codes{}).n_queries() == 0);
}

TEST_CASE("a sum adds the members in order") {
  // (1e16 + 1) + 1 rounds twice; 1e16 + (1 + 1) would not.
  CHECK(CombinationOf(Combine::kSum, {{1e16}, {1.0}, {1.0}}, {}) == Scores{1e16});
}

TEST_CASE("minmax scales each member to [0, 1] within each query and averages") {
  const Codes codes{0, 0, 0, 1, 1};
  const Scores first{1.0, 3.0, 2.0, -5.0, 5.0};
  const Scores second{-10.0, 0.0, 0.0, 8.0, 4.0};
  CHECK(CombinationOf(Combine::kMinMax, {first}, codes) == Scores{0.0, 1.0, 0.5, 0.0, 1.0});
  CHECK(CombinationOf(Combine::kMinMax, {first, second}, codes) ==
        Scores{0.0, 1.0, 0.75, 0.5, 0.5});
}

TEST_CASE("minmax gives 1/2 to the documents of a query that a member does not tell apart") {
  CHECK(CombinationOf(Combine::kMinMax, {{3.0, 3.0, -1.0}, {1.0, 2.0, 0.0}}, Codes{4, 4, 1}) ==
        Scores{0.25, 0.75, 0.5});
}

TEST_CASE("borda gives as many points as documents rank below, ties averaged") {
  const Codes codes{0, 0, 0, 0, 1};
  const Scores first{0.3, 0.1, 0.2, 0.4, 9.0};
  const Scores tied{5.0, 5.0, 1.0, 5.0, 9.0};
  CHECK(CombinationOf(Combine::kBorda, {first}, codes) == Scores{2.0, 0.0, 1.0, 3.0, 0.0});
  CHECK(CombinationOf(Combine::kBorda, {tied}, codes) == Scores{2.0, 2.0, 0.0, 2.0, 0.0});
  CHECK(CombinationOf(Combine::kBorda, {first, tied}, codes) == Scores{4.0, 2.0, 1.0, 5.0, 0.0});
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
    CHECK(CombinationOf(Combine::kBorda, {scores}, codes) == expected);
  }
}

TEST_CASE("neither the order of rows nor the codes of queries change a combined score") {
  Rng rng(12);
  for (const Combine combine : {Combine::kMinMax, Combine::kBorda, Combine::kZScore}) {
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
      const std::vector<Blend> blends{{combine, {{0, 0.3}, {1, 1.7}, {2, 0.1}}}};
      const Scores scores = BlendOf(blends, members, codes);
      const Scores moved = BlendOf(blends, moved_members, moved_codes);
      for (std::size_t row = 0; row < n_rows; ++row) CHECK(moved[row] == scores[order[row]]);
    }
  }
}

TEST_CASE("z-scores have mean 0 and standard deviation 1 within each query") {
  // {1, 2, 6}: mean 3, deviation sqrt(14 / 3); {5, 5}: constant; {2, 4}: mean 3, deviation 1.
  const Scores scores =
      BlendOf({{Combine::kZScore, {{0, 1.0}}}}, {{1, 2, 6, 5, 5, 2, 4}}, {0, 0, 0, 1, 1, 2, 2});
  const double deviation = std::sqrt(14.0 / 3.0);
  const Scores expected{-2 / deviation, -1 / deviation, 3 / deviation, 0, 0, -1, 1};
  for (std::size_t i = 0; i < 7; ++i) CHECK(scores[i] == doctest::Approx(expected[i]));
  CHECK(scores[3] == 0.0);
}

TEST_CASE("neither tiny nor huge differences make a z-score that is no number") {
  for (const double size : {5e-324, 1e-200, 1e200, 1e299}) {
    const Scores scores =
        BlendOf({{Combine::kZScore, {{0, 1.0}}}}, {{0.0, size, 0.0, size}}, {0, 0, 0, 0});
    CHECK(scores == Scores{-1.0, 1.0, -1.0, 1.0});
  }
}

TEST_CASE("weights multiply columns, and means divide by their sum") {
  const std::vector<Scores> columns{{1.0, 3.0, 2.0}, {7.0, 5.0, 7.0}};
  const Codes codes{0, 0, 0};
  const std::vector<Blend::Term> terms{{0, 1.0}, {1, 3.0}};
  CHECK(BlendOf({{Combine::kMinMax, terms}}, columns, codes) == Scores{0.75, 0.25, 0.875});
  CHECK(BlendOf({{Combine::kBorda, terms}}, columns, codes) == Scores{4.5, 2.0, 5.5});
  CHECK(BlendOf({{Combine::kSum, terms}}, columns, codes) == Scores{22.0, 18.0, 23.0});
}

TEST_CASE("weights of 1 change no bit of a combination without weights") {
  Rng rng(13);
  for (const Combine combine : {Combine::kSum, Combine::kMinMax, Combine::kBorda}) {
    std::vector<Scores> columns(3, Scores(40));
    Codes codes(40);
    for (Scores& scores : columns) {
      for (double& score : scores) score = rng.Uniform() - 0.5;
    }
    for (QueryId& code : codes) code = rng.Below(6);
    const std::vector<Blend> blends{{combine, {{0, 1.0}, {1, 1.0}, {2, 1.0}}}};
    CHECK(BlendOf(blends, columns, codes) == CombinationOf(combine, columns, codes));
  }
}

TEST_CASE("a blend of blends takes what the first have made") {
  const std::vector<Scores> columns{{1.0, 3.0, 2.0}, {7.0, 5.0, 7.0}, {0.0, 10.0, 5.0}};
  const Codes codes{0, 0, 0};
  const std::vector<Blend> bag{{Combine::kMinMax, {{0, 1.0}, {1, 1.0}}}};
  const Scores of_bag = BlendOf(bag, {columns[0], columns[1]}, codes);
  CHECK(of_bag == Scores{0.5, 0.5, 0.75});
  const Scores nested = BlendOf({bag[0], {Combine::kBorda, {{3, 1.0}, {2, 0.25}}}}, columns, codes);
  CHECK(nested == CombinationOf(Combine::kSum,
                                {CombinationOf(Combine::kBorda, {of_bag}, codes), {0.0, 0.5, 0.25}},
                                codes));
}

}  // namespace rankforest
