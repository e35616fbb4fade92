#include "rankforest/metric/ranked_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
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
  const std::vector<RowId> rows{9, 3, 4};
  const auto ranked = [&](Ties ties) {
    Ranker ranker(ties, kNoCutoff);
    const RankedList& list = ranker.Rank(scores, grades, rows);
    CHECK(Ends(list) == (ties == Ties::kAverage ? std::vector<std::size_t>{3}
                                                : std::vector<std::size_t>{1, 2, 3}));
    return Grades(list);
  };
  CHECK(ranked(Ties::kCanonical) == std::vector<double>{1, 0, 2});
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

TEST_CASE("a cutoff leaves the head of the full ranking, with its last block whole") {
  Rng rng(29);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = rng.Below(20);
    std::vector<double> scores(n);
    std::vector<double> grades(n);
    for (double& score : scores) score = rng.Below(6);
    for (double& grade : grades) grade = rng.Below(4);
    const std::size_t cutoff = 1 + rng.Below(20);
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
    }
  }
}

}  // namespace rankforest
