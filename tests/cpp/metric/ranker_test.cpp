#include "rankforest/metric/ranker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest {

using detail::RankedList;
using detail::Ranker;

std::vector<double> Grades(const RankedList& list) {
  return {list.grades.begin(), list.grades.end()};
}

std::vector<std::size_t> Ends(const RankedList& list) {
  return {list.ends.begin(), list.ends.end()};
}

TEST_CASE("documents rank by descending score, and equal scores form a block") {
  const std::vector<double> scores{1, 5, 1, 7, 1};
  const std::vector<double> grades{0, 1, 2, 3, 4};
  Ranker ranker(Ties::kAverage, kNoCutoff);
  const RankedList& list = ranker.Rank(scores, grades, {});
  CHECK(Grades(list) == std::vector<double>{3, 1, 4, 2, 0});
  CHECK(Ends(list) == std::vector<std::size_t>{1, 2, 5});
  CHECK(list.n_documents == 5);
}

TEST_CASE("a tie rule orders equal scores") {
  const std::vector<double> scores{1, 1, 1};
  const std::vector<double> grades{1, 0, 2};
  const std::vector<RowId> places{9, 3, 4};
  const auto ranked = [&](Ties ties) {
    Ranker ranker(ties, kNoCutoff);
    const RankedList& list = ranker.Rank(scores, grades, places);
    CHECK(Ends(list) == (ties == Ties::kAverage ? std::vector<std::size_t>{3}
                                                : std::vector<std::size_t>{1, 2, 3}));
    return Grades(list);
  };
  CHECK(ranked(Ties::kCanonical) == std::vector<double>{0, 2, 1});
  CHECK(ranked(Ties::kDocno) == std::vector<double>{0, 2, 1});
  CHECK(ranked(Ties::kInput) == std::vector<double>{0, 2, 1});
  CHECK(ranked(Ties::kReversed) == std::vector<double>{1, 2, 0});
  CHECK(ranked(Ties::kPessimistic) == std::vector<double>{0, 1, 2});
  CHECK(ranked(Ties::kOptimistic) == std::vector<double>{2, 1, 0});
  CHECK(ranked(Ties::kAverage) == std::vector<double>{2, 1, 0});
}

TEST_CASE("zeros of either sign tie") {
  const std::vector<double> scores{0.0, -0.0};
  const std::vector<double> grades{0, 1};
  Ranker ranker(Ties::kAverage, kNoCutoff);
  CHECK(Ends(ranker.Rank(scores, grades, {})) == std::vector<std::size_t>{2});
}

/// Scores of a shape that is easy or hard to deal into buckets of equal width.
std::vector<double> Scores(Rng& rng, int shape, std::size_t n) {
  std::vector<double> scores(n);
  for (double& score : scores) {
    const double u = rng.Uniform();
    if (shape == 0) score = u;                                           // spread
    if (shape == 1) score = rng.Below(6);                                // tied
    if (shape == 2) score = 1.0 / (1e-6 + u);                            // most in one bucket
    if (shape == 3) score = u < 0.1 ? 1e308 : -1e308;                    // difference overflows
    if (shape == 4) score = 1.0 + (u < 0.5 ? 2.3e-16 : 6.7e-16);         // bits apart
    if (shape == 5) score = 5e-324 * static_cast<double>(rng.Below(4));  // denormal
    if (shape == 6) score = u < 0.2 ? std::numeric_limits<double>::infinity() : u;
  }
  return scores;
}

TEST_CASE("the ranking is that of a plain sort, whatever the scores and the rule for ties") {
  Rng rng(31);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t n = rng.Below(trial % 10 == 0 ? 400 : 60);
    const std::vector<double> scores = Scores(rng, trial % 7, n);
    std::vector<double> grades(n);
    std::vector<RowId> places(n);
    std::iota(places.begin(), places.end(), RowId{0});
    rng.Shuffle(Span<RowId>(places));
    for (double& grade : grades) grade = rng.Below(4);
    for (const Ties ties : {Ties::kInput, Ties::kReversed, Ties::kPessimistic}) {
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (scores[a] != scores[b]) return scores[a] > scores[b];
        if (ties == Ties::kPessimistic) return grades[a] < grades[b];
        return ties == Ties::kInput ? places[a] < places[b] : places[a] > places[b];
      });
      std::vector<double> expected;
      for (const std::size_t i : order) expected.push_back(grades[i]);
      Ranker ranker(ties, kNoCutoff);
      INFO("trial ", trial, " ties ", static_cast<int>(ties));
      CHECK(Grades(ranker.Rank(scores, grades, places)) == expected);
    }
  }
}

TEST_CASE("the highest of forty documents, by hand, wherever they are") {
  std::vector<double> scores(40, 0.5);
  std::vector<double> grades(40, 0.0);
  scores[39] = 2.0;
  grades[39] = 4.0;
  scores[7] = 1.0;
  grades[7] = 3.0;
  CHECK(Grades(Ranker(Ties::kInput, 1).Rank(scores, grades, {})) == std::vector<double>{4.0});
  scores[16] = 2.0;  // as high as the best: a block of two
  grades[16] = 1.0;
  Ranker ranker(Ties::kAverage, 1);
  CHECK(Ends(ranker.Rank(scores, grades, {})) == std::vector<std::size_t>{2});
  CHECK(Ranker(Ties::kInput, 1).Rank(scores, grades, {}).grades[0] == 1.0);
}

TEST_CASE("a cutoff leaves the head of the full ranking, with its last block whole") {
  Rng rng(29);
  for (int trial = 0; trial < 300; ++trial) {
    const bool is_long = trial % 3 == 0;  // of which most documents are looked at in blocks
    const std::size_t n = rng.Below(is_long ? 600 : 40);
    const std::vector<double> scores = Scores(rng, trial % 7, n);
    std::vector<double> grades(n);
    for (double& grade : grades) grade = rng.Below(4);
    const std::size_t cutoff = 1 + rng.Below(is_long ? 15 : 40);
    for (const Ties ties : {Ties::kAverage, Ties::kCanonical, Ties::kInput, Ties::kReversed,
                            Ties::kPessimistic, Ties::kOptimistic}) {
      INFO("trial ", trial, " ties ", static_cast<int>(ties));
      Ranker whole(ties, kNoCutoff);
      Ranker cut(ties, cutoff);
      std::vector<double> expected = Grades(whole.Rank(scores, grades, {}));
      std::vector<std::size_t> ends = Ends(whole.Rank(scores, grades, {}));
      const auto last = std::find_if(ends.begin(), ends.end(),
                                     [cutoff](std::size_t end) { return end >= cutoff; });
      if (last != ends.end()) ends.erase(last + 1, ends.end());
      expected.resize(ends.empty() ? 0 : ends.back());
      const RankedList& list = cut.Rank(scores, grades, {});
      CHECK(Grades(list) == expected);
      CHECK(Ends(list) == ends);
      CHECK(list.n_documents == n);
      const RankedList head = whole.Rank(scores, grades, {}).Head(cutoff);
      CHECK(Grades(head) == expected);
      CHECK(Ends(head) == ends);
      CHECK(head.n_documents == n);
    }
  }
}

}  // namespace rankforest
