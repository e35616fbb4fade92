#include "rankforest/core/validate.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;

namespace {

/// What Validate says of a good model of two members of one group of two trees after `change`.
std::string Complaint(const std::function<void(Ensemble&)>& change) {
  Tree tree;
  tree.nodes = {{0, 0.0F, ~0, ~1, ~1}};
  tree.leaves = {1.0F, 2.0F};
  const Member member{0.0, {{1.0, Reduction::kMean, 2, {tree, tree}}}};
  Ensemble ensemble{Combine::kMinMax, 1, {member, member}};
  change(ensemble);
  try {
    Validate(ensemble);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("random ensembles and all their prefixes are valid") {
  Rng rng(81);
  for (int trial = 0; trial < 30; ++trial) {
    const Ensemble model = trial % 2 == 0 ? testing::RandomEnsemble(3, Combine::kBorda, rng)
                                          : testing::BlendedEnsemble(3, rng);
    for (std::size_t rounds = 0; rounds <= model.n_rounds(); ++rounds) {
      CHECK_NOTHROW(Validate(Prefix(model, rounds), Threads{2}));
    }
  }
}

TEST_CASE("each broken rule is named with its place") {
  CHECK(Complaint([](Ensemble&) {}) == "");
  CHECK(Complaint([](Ensemble& model) { model.members.clear(); }) == "the model has no member");
  CHECK(Complaint([](Ensemble& model) { model.combine = static_cast<Combine>(3); }) ==
        "the combination is none of sum, minmax, borda");
  CHECK(Complaint([](Ensemble& model) { model.members[1].base = kInf; }) ==
        "the sum of the members' bases is inf, expected a finite number");
  CHECK(Complaint([](Ensemble& model) {
          for (Member& member : model.members) member.base = -1e308;
        }) == "the sum of the members' bases is inf, expected a finite number");
  CHECK(Complaint([](Ensemble& model) { model.members[1].groups[0].weight = -kInf; }) ==
        "member 1: group 0: the weight is -inf, expected a finite number");
  CHECK(Complaint([](Ensemble& model) {
          model.members[0].groups[0].reduction = static_cast<Reduction>(2);
        }) == "member 0: group 0: the reduction is neither sum nor mean");
  CHECK(Complaint([](Ensemble& model) { model.members[1].groups[0].trees.clear(); }) ==
        "member 1: group 0: has no tree");
  CHECK(Complaint([](Ensemble& model) { model.members[1].groups[0].trees_per_round = 0; }) ==
        "member 1: group 0: has 2 trees in rounds of 0, expected whole rounds");
  CHECK(Complaint([](Ensemble& model) { model.members[1].groups[0].trees.pop_back(); }) ==
        "member 1: group 0: has 1 trees in rounds of 2, expected whole rounds");
  CHECK(Complaint([](Ensemble& model) {
          model.members[0].groups[0].trees[1].nodes[0].feature = 7;
        }) == "member 0: group 0: tree 1: node 0: the feature is 7, expected one of the model's 1");
}

TEST_CASE("a member of its base alone is valid, and so is a model without features") {
  CHECK_NOTHROW(Validate(Ensemble{Combine::kSum, 0, {{3.0, {}}}}));
}

}  // namespace rankforest
