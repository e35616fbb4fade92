#include "rankforest/core/importance.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

/// Splits on feature 2 (gain 3), then on feature 0 (gain 1).
Tree TwoSplits() {
  Tree tree;
  tree.nodes = {{2, 0.0F, 1, ~2, ~2}, {0, 0.0F, ~0, ~1, ~1}};
  tree.leaves = {0.0F, 1.0F, 2.0F};
  tree.gains = {3.0F, 1.0F};
  return tree;
}

}  // namespace

TEST_CASE("importances sum gains times tree weights, or count splits") {
  Ensemble model;
  model.n_features = 4;
  model.members = {{0.0,
                    {{1.0, Reduction::kMean, 1, {TwoSplits(), TwoSplits()}},
                     {-0.5, Reduction::kSum, 1, {TwoSplits()}}}}};
  CHECK(Importances(model, Importance::kGain) == std::vector<double>{1.5, 0.0, 4.5, 0.0});
  CHECK(Importances(model, Importance::kSplit) == std::vector<double>{3.0, 0.0, 3.0, 0.0});
}

TEST_CASE("split counts add up to the number of splits") {
  Rng rng(41);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    double n_splits = 0.0;
    for (const Member& member : model.members) {
      for (const Group& group : member.groups) {
        for (const Tree& tree : group.trees) n_splits += static_cast<double>(tree.nodes.size());
      }
    }
    double total = 0.0;
    for (const double count : Importances(model, Importance::kSplit)) total += count;
    CHECK(total == n_splits);
  }
}

TEST_CASE("gain importances of a model without gains are refused") {
  Tree tree = TwoSplits();
  tree.gains.clear();
  Ensemble model;
  model.n_features = 4;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {tree}}}}};
  CHECK_THROWS_AS(Importances(model, Importance::kGain), std::invalid_argument);
  CHECK(Importances(model, Importance::kSplit)[2] == 1.0);
}

}  // namespace rankforest
