#include "rankforest/score/tree_runs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace rankforest::detail {

TEST_CASE("trees are visited in order, with the weight of their group and their member") {
  Tree leaf;
  leaf.leaves = {1.0F};
  Ensemble model;
  model.members = {
      {0.0, {{3.0, Reduction::kMean, 1, {leaf, leaf}}, {5.0, Reduction::kSum, 1, {leaf}}}},
      {0.0, {{7.0, Reduction::kSum, 1, {leaf}}}}};
  std::vector<std::pair<double, std::size_t>> seen;
  ForEachTree(model, [&](const Tree& /*tree*/, double weight, std::size_t member) {
    seen.emplace_back(weight, member);
  });
  CHECK(seen ==
        std::vector<std::pair<double, std::size_t>>{{1.5, 0}, {1.5, 0}, {5.0, 0}, {7.0, 1}});
}

TEST_CASE("consecutive trees of a kind are one run") {
  MemberRuns member;
  member.Append(true, 10, 4);
  member.Append(true, 11, 5);
  member.Append(false, 12, 6);
  member.Append(true, 13, 6);
  REQUIRE(member.runs.size() == 3);
  CHECK(member.runs[0].n_trees == 2);
  CHECK_FALSE(member.runs[1].blended);
  CHECK(member.runs[2].first == 13);
  CHECK(member.runs[2].first_of_kind == 6);
}

TEST_CASE("a part of a run is what it has of some trees") {
  const TreeRun run{true, 10, 4, 5};  // trees 10 to 14
  for (std::size_t first = 0; first < 20; ++first) {
    for (std::size_t last = first; last < 20; ++last) {
      std::vector<std::size_t> expected;
      for (std::size_t t = first; t < last; ++t) {
        if (t >= 10 && t < 15) expected.push_back(t);
      }
      const TreeRun part = run.Between(first, last);
      CHECK(part.n_trees == expected.size());
      if (expected.empty()) continue;
      CHECK(part.first == expected.front());
      CHECK(part.first_of_kind == expected.front() - 6);
    }
  }
}

}  // namespace rankforest::detail
