#include "rankforest/core/used_features.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

TEST_CASE("a tree uses the features of its splits, and a single leaf none") {
  std::vector<std::uint8_t> used(4, 0);
  MarkUsed(Tree{{}, {}, {1.0F}}, used);
  CHECK(used == std::vector<std::uint8_t>{0, 0, 0, 0});
  Tree tree;
  tree.nodes = {{3, 0.0F, 1, ~2, 1}, {1, 0.0F, ~0, ~1, ~0}};
  tree.leaves = {0.0F, 1.0F, 2.0F};
  MarkUsed(tree, used);
  CHECK(used == std::vector<std::uint8_t>{0, 1, 0, 1});
}

TEST_CASE("a model uses the features of all its trees") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Ensemble ensemble = testing::RandomEnsemble(5, Combine::kSum, rng);
    for (const Member& member : ensemble.members) {
      std::set<FeatureId> features;
      for (const Group& group : member.groups) {
        for (const Tree& tree : group.trees) {
          for (const Tree::Node& node : tree.nodes) features.insert(node.feature);
        }
      }
      std::vector<std::uint8_t> used(ensemble.n_features, 0);
      MarkUsed(member, used);
      for (FeatureId f = 0; f < ensemble.n_features; ++f) CHECK(used[f] == features.count(f));
    }
  }
}

}  // namespace rankforest
