#include "rankforest/core/importance.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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

TEST_CASE("gains of members on a common scale are shares, and count by the weights of blends") {
  Tree other;  // on feature 1 alone, with a gain beside which those of the first tree are nothing
  other.nodes = {{1, 0.0F, ~0, ~1, ~1}};
  other.leaves = {0.0F, 1.0F};
  other.gains = {4000.0F};
  Ensemble model;
  model.n_features = 4;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {TwoSplits()}}}},
                   {0.0, {{1.0, Reduction::kSum, 1, {other}}}},
                   {2.0, {}}};
  const auto gains = [&] { return Importances(model, Importance::kGain); };
  CHECK(gains() == std::vector<double>{1.0, 4000.0, 3.0, 0.0});

  model.combine = Combine::kBorda;  // a third each, of which the member without trees has nothing
  CHECK(gains()[1] == doctest::Approx(1.0 / 3));
  CHECK(gains()[2] == doctest::Approx(0.75 / 3));

  model.combine = Combine::kSum;
  model.blends = {{Combine::kMinMax, {{0, 3.0}, {1, 1.0}}},
                  {Combine::kZScore, {{3, 2.0}, {2, 0.5}}}};
  CHECK(gains()[0] == doctest::Approx(0.8 * 0.75 * 0.25));
  CHECK(gains()[1] == doctest::Approx(0.8 * 0.25));
  CHECK(gains()[2] == doctest::Approx(0.8 * 0.75 * 0.75));

  model.blends = {{Combine::kSum, {{0, 3.0}, {1, 0.5}, {2, 1.0}}}};  // of a sum they stay gains
  CHECK(gains() == std::vector<double>{3.0, 2000.0, 9.0, 0.0});
  CHECK(Importances(model, Importance::kSplit) == std::vector<double>{1.0, 1.0, 1.0, 0.0});
}

TEST_CASE("gains of a blend are what each member adds by its share alone") {
  Rng rng(43);
  for (int trial = 0; trial < 20; ++trial) {
    Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    Blend blend{Combine::kZScore, {}};
    double weights = 0.0;
    for (std::uint32_t j = 0; j < model.members.size(); ++j) {
      blend.terms.push_back({j, 0.1 + rng.Uniform()});
      weights += blend.terms.back().weight;
    }
    std::vector<double> expected(3, 0.0);
    for (std::uint32_t j = 0; j < model.members.size(); ++j) {
      const Ensemble alone{Combine::kMinMax, 3, {model.members[j]}};
      const std::vector<double> own = Importances(alone, Importance::kGain);
      const double share = blend.terms[j].weight / weights;
      for (std::size_t f = 0; f < 3; ++f) expected[f] += share * own[f];
    }
    model.blends = {blend};
    const std::vector<double> found = Importances(model, Importance::kGain);
    for (std::size_t f = 0; f < 3; ++f) CHECK(found[f] == doctest::Approx(expected[f]));
  }
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
