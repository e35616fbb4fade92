#include "rankforest/score/round_costs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/ensemble.hpp"

namespace rankforest::detail {

namespace {

/// A stump that looks at a feature.
Tree StumpThatAsks(FeatureId feature) {
  Tree tree;
  tree.nodes = {{feature, 0.5F, ~0, ~1, ~0}};
  tree.leaves = {0.0F, 1.0F};
  return tree;
}

std::vector<double> CostsOfEach(const ScoringCosts& costs) {
  Ensemble model;
  model.n_features = 3;
  model.members = {
      {0.0, {{1.0, Reduction::kSum, 1, {StumpThatAsks(2), StumpThatAsks(0), StumpThatAsks(2)}}}},
      {0.0, {{1.0, Reduction::kSum, 1, {StumpThatAsks(1)}}}}};
  const Rounds rounds(model);
  PlayMemory memory;
  RoundCosts run(rounds, costs, memory);
  std::vector<double> found;
  for (std::size_t r = 0; r < rounds.size(); ++r) found.push_back(run.After(r));
  return found;
}

}  // namespace

TEST_CASE("a round costs its trees and the features that it asks for first") {
  CHECK(CostsOfEach({2.0, {}}) == std::vector<double>{4.0, 2.0, 2.0});
  CHECK(CostsOfEach({2.0, {10.0, 20.0, 40.0}}) == std::vector<double>{64.0, 12.0, 2.0});
}

TEST_CASE("the first feature of a group pays for all of it") {
  CHECK(CostsOfEach({0.0, {10.0, 20.0, 10.0}, {1, 0, 1}}) == std::vector<double>{30.0, 0.0, 0.0});
  CHECK(CostsOfEach({0.0, {10.0, 20.0, 20.0}, {0, 2, 2}}) == std::vector<double>{20.0, 10.0, 0.0});
  CHECK(CostsOfEach({1.0, {7.0, 7.0, 7.0}, {0, 0, 0}}) == std::vector<double>{9.0, 1.0, 1.0});
}

}  // namespace rankforest::detail
