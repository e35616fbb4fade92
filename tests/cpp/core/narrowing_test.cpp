#include "rankforest/core/narrowing.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/reference.hpp"

namespace rankforest {

namespace {

/// Splits by `feature`, at 0.5, into -1 and 1.
Tree SplitBy(FeatureId feature) {
  Tree tree;
  tree.nodes = {{feature, 0.5F, ~0, ~1, ~0}};
  tree.leaves = {-1.0F, 1.0F};
  tree.gains = {1.0F};
  return tree;
}

Ensemble SumOfTrees(std::uint32_t n_features, std::vector<Tree> trees) {
  Ensemble ensemble;
  ensemble.n_features = n_features;
  ensemble.members.push_back({0.0, {{1.0, Reduction::kSum, 1, std::move(trees)}}});
  return ensemble;
}

}  // namespace

TEST_CASE("features get numbers without gaps, in their order: by hand") {
  Ensemble wide = SumOfTrees(4000000000U, {SplitBy(3999999999U), SplitBy(7), SplitBy(7)});
  wide.members[0].linear.terms = {{500, 2.0F}};
  const NarrowModel narrow = Narrowed(wide);
  CHECK(narrow.features == std::vector<FeatureId>{7, 500, 3999999999U});
  CHECK(narrow.ensemble.n_features == 3);
  const Member& member = narrow.ensemble.members[0];
  CHECK(member.groups[0].trees[0].nodes[0].feature == 2);
  CHECK(member.groups[0].trees[1].nodes[0].feature == 0);
  CHECK(member.groups[0].trees[2].nodes[0].feature == 0);
  CHECK(member.linear.terms[0].feature == 1);
}

TEST_CASE("a model that asks for nothing keeps one column") {
  Tree leaf;
  leaf.leaves = {2.0F};
  const NarrowModel narrow = Narrowed(SumOfTrees(400000000U, {leaf}));
  CHECK(narrow.features == std::vector<FeatureId>{0});
  CHECK(narrow.ensemble.n_features == 1);
}

TEST_CASE("scores are the same, to the bit, by the values of the features that are left") {
  Rng rng(31);
  for (int trial = 0; trial < 20; ++trial) {
    constexpr std::uint32_t kFeatures = 40;
    std::vector<Tree> trees;
    for (int t = 0; t < 6; ++t) trees.push_back(SplitBy(rng.Below(kFeatures)));
    const Ensemble wide = SumOfTrees(kFeatures, trees);
    const NarrowModel narrow = Narrowed(wide);
    CHECK_NOTHROW(Validate(narrow.ensemble));
    std::vector<float> row(kFeatures);
    for (float& value : row) value = static_cast<float>(rng.Uniform());
    std::vector<float> left;
    for (const FeatureId feature : narrow.features) left.push_back(row[feature]);
    CHECK(Score(narrow.ensemble, {left.data(), 1, left.size(), left.size()}) ==
          Score(wide, {row.data(), 1, kFeatures, kFeatures}));
  }
}

}  // namespace rankforest
