#include "rankforest/core/ensemble.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

/// A tree of one leaf.
Tree Constant(float value) {
  Tree tree;
  tree.leaves = {value};
  return tree;
}

std::vector<Tree> Constants(const std::vector<float>& values) {
  std::vector<Tree> trees;
  for (const float value : values) trees.push_back(Constant(value));
  return trees;
}

/// A forest of 2 x 2 trees, then 3 boosted trees; and a member of one round.
Ensemble ForestThenBoost() {
  Ensemble ensemble;
  ensemble.members = {{1.0,
                       {{1.0, Reduction::kMean, 2, Constants({1, 2, 3, 4})},
                        {0.1, Reduction::kSum, 1, Constants({5, 6, 7})}}},
                      {2.0, {{1.0, Reduction::kSum, 1, Constants({8})}}}};
  return ensemble;
}

}  // namespace

TEST_CASE("rounds are counted through the groups, over the longest member") {
  const Ensemble ensemble = ForestThenBoost();
  CHECK(ensemble.members[0].n_rounds() == 5);
  CHECK(ensemble.n_rounds() == 5);
  CHECK(ensemble.n_trees() == 8);
  CHECK(Ensemble{}.n_rounds() == 0);
}

TEST_CASE("a mean group shares its weight among its trees") {
  const Member member = ForestThenBoost().members[0];
  CHECK(member.groups[0].TreeWeight() == 0.25);
  CHECK(member.groups[0].TreeWeight(2) == 0.5);
  CHECK(member.groups[1].TreeWeight() == 0.1);
}

TEST_CASE("a contribution is the product rounded once to float32") {
  CHECK(Group::Contribution(0.1, 3.0F) == 0x1.333334p-2);
  CHECK(Group::Contribution(0.5, 3.0F) == 1.5);
}

TEST_CASE("a prefix keeps the first rounds of every member and drops what is empty") {
  const Ensemble three = Prefix(ForestThenBoost(), 3);
  REQUIRE(three.members.size() == 2);
  CHECK(three.members[0].groups[0].trees == Constants({1, 2, 3, 4}));
  CHECK(three.members[0].groups[1].trees == Constants({5}));
  CHECK(three.members[1] == ForestThenBoost().members[1]);

  const Ensemble one = Prefix(ForestThenBoost(), 1);
  REQUIRE(one.members[0].groups.size() == 1);
  CHECK(one.members[0].groups[0].trees == Constants({1, 2}));
  CHECK(one.members[0].groups[0].TreeWeight() == 0.5);

  const Ensemble none = Prefix(ForestThenBoost(), 0);
  CHECK(none.n_trees() == 0);
  CHECK(none.members[0].base == 1.0);
  CHECK(none.members[0].groups.empty());
}

TEST_CASE("a prefix of a prefix is the shorter one, and a long prefix is the whole") {
  Rng rng(61);
  for (int trial = 0; trial < 30; ++trial) {
    const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    const std::size_t a = rng.Below(14);
    const std::size_t b = rng.Below(14);
    CHECK(Prefix(Prefix(model, a), b) == Prefix(model, std::min(a, b)));
    CHECK(Prefix(model, a).n_rounds() == std::min(a, model.n_rounds()));
    CHECK(Prefix(model, model.n_rounds()) == model);
  }
}

TEST_CASE("the trees of a member are those of its groups, in order") {
  Member member;
  member.groups.push_back({1.0, Reduction::kMean, 1, Constants({1, 2})});
  member.groups.push_back({0.5, Reduction::kSum, 1, Constants({3})});
  CHECK(TreesOf(member) == Constants({1, 2, 3}));
  CHECK(TreesOf({}).empty());
}

TEST_CASE("scaling multiplies bases and weights and leaves trees alone") {
  const Ensemble half = Scaled(ForestThenBoost(), 0.5);
  CHECK(half.members[0].base == 0.5);
  CHECK(half.members[0].groups[1].weight == 0.05);
  CHECK(half.members[1].groups[0].trees == Constants({8}));
}

TEST_CASE("extending joins a step that continues the last sum") {
  Member start{1.0, {{0.1, Reduction::kSum, 1, Constants({1})}}};
  Extend(start, {0.5, {{0.1, Reduction::kSum, 1, Constants({2})}}});
  CHECK(start.base == 1.5);
  REQUIRE(start.groups.size() == 1);
  CHECK(start.groups[0].trees == Constants({1, 2}));
}

TEST_CASE("extending opens a group where weight, reduction or round size differ") {
  const Group last{0.1, Reduction::kSum, 1, Constants({1})};
  for (const Group& next : {Group{0.2, Reduction::kSum, 1, Constants({2})},
                            Group{0.1, Reduction::kMean, 1, Constants({2})},
                            Group{0.1, Reduction::kSum, 2, Constants({2, 3})}}) {
    Member start{0.0, {last}};
    Extend(start, {0.0, {next}});
    CHECK(start.groups == std::vector<Group>{last, next});
  }
  Member mean{0.0, {{0.1, Reduction::kMean, 1, Constants({1})}}};
  Extend(mean, {0.0, {{0.1, Reduction::kMean, 1, Constants({2})}}});
  CHECK(mean.groups.size() == 2);  // two means are not the mean of all
}

TEST_CASE("concatenation puts the members one behind the other") {
  const Ensemble both = Concatenated(ForestThenBoost(), ForestThenBoost());
  REQUIRE(both.members.size() == 4);
  CHECK(both.members[2] == both.members[0]);
  CHECK(both.n_rounds() == 5);
}

TEST_CASE("combining ensembles moves trees instead of copying them") {
  Ensemble a = ForestThenBoost();
  Ensemble b = ForestThenBoost();
  const Tree* first = a.members[0].groups[0].trees.data();
  const Tree* second = b.members[0].groups[0].trees.data();
  const Ensemble both = Scaled(Concatenated(std::move(a), std::move(b)), 0.5);
  CHECK(both.members[0].groups[0].trees.data() == first);
  CHECK(both.members[2].groups[0].trees.data() == second);
}

}  // namespace rankforest
