#include "rankforest/core/ensemble.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rankforest {
namespace {

Tree Leaf(float value) {
  Tree tree;
  tree.leaves = {value};
  return tree;
}

Group MakeGroup(double weight, Reduction reduction, std::uint32_t trees_per_round,
                const std::vector<float>& leaves) {
  Group group;
  group.weight = weight;
  group.reduction = reduction;
  group.trees_per_round = trees_per_round;
  for (const float leaf : leaves) group.trees.push_back(Leaf(leaf));
  return group;
}

/// A forest of three trees, then a sum of two rounds with two trees each: what IGBRT makes.
Ensemble ForestThenBoost() {
  Member member;
  member.base = 0.5;
  member.groups.push_back(MakeGroup(1.0, Reduction::kMean, 1, {1, 2, 3}));
  member.groups.push_back(MakeGroup(0.1, Reduction::kSum, 2, {4, 5, 6, 7}));
  Ensemble ensemble;
  ensemble.n_features = 1;
  ensemble.members.push_back(member);
  return ensemble;
}

}  // namespace

TEST_CASE(
    "rounds and trees are counted through the groups; rounds are those of the longest member") {
  Ensemble ensemble = ForestThenBoost();
  CHECK(ensemble.n_rounds() == 5);
  CHECK(ensemble.n_trees() == 7);
  ensemble.members.emplace_back();
  CHECK(ensemble.n_rounds() == 5);
}

TEST_CASE("a tree of a mean group weighs its share, of a sum group the whole weight") {
  const Ensemble ensemble = ForestThenBoost();
  CHECK(ensemble.members[0].groups[0].TreeWeight() == 1.0 / 3.0);
  CHECK(ensemble.members[0].groups[1].TreeWeight() == 0.1);
}

TEST_CASE("a contribution is rounded to float32") {
  const double exact = 0.1 * static_cast<double>(0.7F);
  CHECK(Group::Contribution(0.1, 0.7F) == static_cast<double>(static_cast<float>(exact)));
  CHECK(Group::Contribution(0.1, 0.7F) != exact);
}

TEST_CASE("a prefix counts rounds through the groups in order") {
  const Ensemble two = Prefix(ForestThenBoost(), 2);
  REQUIRE(two.members[0].groups.size() == 1);
  CHECK(two.members[0].groups[0].trees == std::vector<Tree>{Leaf(1), Leaf(2)});
  CHECK(two.members[0].groups[0].TreeWeight() == 0.5);  // the mean of what is left

  const Ensemble four = Prefix(ForestThenBoost(), 4);
  REQUIRE(four.members[0].groups.size() == 2);
  CHECK(four.members[0].groups[1].trees == std::vector<Tree>{Leaf(4), Leaf(5)});

  CHECK(Prefix(ForestThenBoost(), 0).members[0].groups.empty());
  CHECK(Prefix(ForestThenBoost(), 0).members[0].base == 0.5);
  CHECK(Prefix(ForestThenBoost(), 99) == ForestThenBoost());
}

TEST_CASE("scaling multiplies the base and the weights and leaves the trees alone") {
  const Ensemble doubled = Scaled(ForestThenBoost(), 2.0);
  CHECK(doubled.members[0].base == 1.0);
  CHECK(doubled.members[0].groups[0].weight == 2.0);
  CHECK(doubled.members[0].groups[1].weight == 0.2);
  CHECK(doubled.members[0].groups[1].trees == ForestThenBoost().members[0].groups[1].trees);
}

TEST_CASE("a step of the same kind joins the last group, any other starts one") {
  Member step;
  step.base = 0.25;
  step.groups.push_back(MakeGroup(0.1, Reduction::kSum, 2, {8, 9}));
  Ensemble ensemble = ForestThenBoost();
  Member& member = ensemble.members[0];

  Extend(member, step);
  CHECK(member.base == 0.75);
  REQUIRE(member.groups.size() == 2);
  CHECK(member.groups[1].trees.back() == Leaf(9));

  step.groups[0].weight = 0.2;
  Extend(member, step);
  CHECK(member.groups.size() == 3);

  step.groups[0] = MakeGroup(0.2, Reduction::kMean, 2, {8, 9});
  Extend(member, step);
  Extend(member, step);
  CHECK(member.groups.size() == 5);  // two means are not one
}

TEST_CASE("concatenation puts the members of both one after the other") {
  Ensemble other = ForestThenBoost();
  other.members[0].base = 9.0;
  const Ensemble both = Concatenated(ForestThenBoost(), std::move(other));
  REQUIRE(both.members.size() == 2);
  CHECK(both.members[0].base == 0.5);
  CHECK(both.members[1].base == 9.0);
}

}  // namespace rankforest
