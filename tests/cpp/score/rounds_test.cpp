#include "rankforest/score/rounds.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest::detail {

namespace {

Tree StumpOn(FeatureId feature, float left, float right) {
  Tree tree = testing::Stump(0.5F, left, right);
  tree.nodes[0].feature = feature;
  return tree;
}

/// A member of a mean of two trees and a sum of two rounds of two, and one of three rounds.
Ensemble TwoMembers() {
  Ensemble model;
  model.n_features = 9;
  model.members = {
      {1.0,
       {{2.0, Reduction::kMean, 1, {StumpOn(8, 0, 1), StumpOn(2, 0, 3)}},
        {1.0,
         Reduction::kSum,
         2,
         {StumpOn(2, 0, 1), StumpOn(4, -1, 1), StumpOn(1, 0, 5), StumpOn(8, 0, 7)}}}},
      {2.0, {{-1.0, Reduction::kSum, 1, {StumpOn(4, 0, 1), StumpOn(3, 2, 4), StumpOn(4, 0, 0)}}}}};
  return model;
}

}  // namespace

TEST_CASE("rounds are counted through the groups of each member") {
  const Rounds rounds(TwoMembers());
  CHECK(rounds.size() == 4);
  std::vector<std::size_t> trees;
  for (std::size_t r = 0; r <= 4; ++r) trees.push_back(rounds.n_trees(r));
  CHECK(trees == std::vector<std::size_t>{0, 2, 4, 7, 9});
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  for (std::size_t r = 0; r <= 4; ++r) {
    first.push_back(rounds.Of(0, r).tree);
    second.push_back(rounds.Of(1, r).tree);
  }
  CHECK(first == std::vector<std::size_t>{0, 1, 2, 4, 6});
  CHECK(second == std::vector<std::size_t>{6, 7, 8, 9, 9});
}

TEST_CASE("means are known by where they begin and how far they are") {
  const Rounds rounds(TwoMembers());
  CHECK(rounds.Of(0, 0).starts_mean);
  CHECK(rounds.Of(0, 0).of_mean == 0.0);
  CHECK_FALSE(rounds.Of(0, 1).starts_mean);
  CHECK(rounds.Of(0, 1).of_mean == 0.5);
  CHECK(rounds.Of(0, 2).of_mean == 0.0);
  CHECK_FALSE(rounds.Of(1, 0).starts_mean);
  CHECK(rounds.NextStartOfMean(0) == 4);
  Ensemble model = TwoMembers();
  std::swap(model.members[0].groups[0], model.members[0].groups[1]);
  const Rounds swapped(model);
  CHECK(swapped.NextStartOfMean(0) == 2);
  CHECK(swapped.NextStartOfMean(2) == 4);
  CHECK(swapped.Of(0, 2).starts_mean);
}

TEST_CASE("features are listed with the round that asks for them first") {
  const Rounds rounds(TwoMembers());
  const auto uses = rounds.first_uses();
  using Use = std::pair<std::size_t, FeatureId>;
  CHECK(std::vector<Use>(uses.begin(), uses.end()) ==
        std::vector<Use>{{1, 4}, {1, 8}, {2, 2}, {2, 3}, {4, 1}});
}

TEST_CASE("the spread is what the trees to come can make of a difference") {
  const Rounds rounds(TwoMembers());
  // Trees differ by 1, 3, 1 + 2, 5 + 7 in the first member and by 1, 2, 0 in the second.
  CHECK(rounds.spread(0) == doctest::Approx(22.0));
  CHECK(rounds.spread(1) == doctest::Approx(20.0));
  CHECK(rounds.spread(2) == doctest::Approx(15.0));
  CHECK(rounds.spread(3) == doctest::Approx(12.0));
  CHECK(rounds.spread(4) >= 0.0);
  CHECK(rounds.spread(4) < 1e-10);
}

TEST_CASE("no two documents approach each other by more than the spread") {
  Rng rng(71);
  for (int trial = 0; trial < 50; ++trial) {
    Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    for (Member& member : model.members) {
      for (Group& group : member.groups) group.reduction = Reduction::kSum;
    }
    const Rounds rounds(model);
    const std::vector<float> x = testing::RandomFeatures(30 * 3, rng);
    const FeatureMatrix features{x.data(), 30, 3, 3};
    const std::vector<double> ends = Score(model, features);
    for (std::size_t r = 0; r <= rounds.size(); ++r) {
      const std::vector<double> starts = Score(Prefix(model, r), features);
      for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t j = 0; j < 30; ++j) {
          if (starts[i] < starts[j] - rounds.spread(r)) CHECK(ends[i] < ends[j]);
        }
      }
    }
  }
}

TEST_CASE(
    "rounds take memory of the features that trees ask for, not of those that a model names") {
  Ensemble ensemble;
  ensemble.n_features = 4294967295U;
  Tree tree;
  tree.nodes.push_back({4000000000U, 0.5F, ~0, ~1, ~1});
  tree.leaves = {1.0F, 2.0F};
  Group group;
  group.trees = {tree, tree};
  ensemble.members.push_back({0.0, {group}});
  const Rounds rounds(ensemble);
  REQUIRE(rounds.first_uses().size() == 1);
  CHECK(rounds.first_uses()[0].first == 1);
  CHECK(rounds.first_uses()[0].second == 4000000000U);
}

}  // namespace rankforest::detail
