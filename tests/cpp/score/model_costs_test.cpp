#include "rankforest/score/model_costs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "support/matrix.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

namespace {

/// A tree that asks for feature 0 and, on the right, for 1; then one that asks for 2 alone.
Ensemble PathsOfTwoTrees() {
  Tree first;
  first.nodes = {{0, 0.5F, ~0, 1, ~0}, {1, 0.5F, ~1, ~2, ~1}};
  first.leaves = {1.0F, 2.0F, 4.0F};
  Tree second;
  second.nodes = {{2, 0.5F, ~0, ~1, ~0}};
  second.leaves = {0.0F, 8.0F};
  Ensemble model;
  model.n_features = 3;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {first, second}}}}};
  return model;
}

/// What a document costs by the definition, by paths or by whole trees.
double NaiveCost(const Ensemble& model, const ScoringCosts& costs, const float* row,
                 std::size_t rounds, bool lazy) {
  double total = 0.0;
  std::set<std::uint32_t> paid;
  const auto pay = [&](FeatureId f) {
    if (costs.features.empty()) return;
    if (paid.insert(costs.groups.empty() ? f : costs.groups[f]).second) total += costs.features[f];
  };
  for (const Member& member : Prefix(model, rounds).members) {
    for (const Linear::Term& term : member.linear.terms) pay(term.feature);
    for (const Group& group : member.groups) {
      for (const Tree& tree : group.trees) {
        total += costs.tree;
        std::int32_t child = tree.nodes.empty() ? ~0 : 0;
        while (lazy && child >= 0) {
          const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
          pay(node.feature);
          child = node.Next(row[node.feature]);
        }
        if (lazy) continue;
        for (const Tree::Node& node : tree.nodes) pay(node.feature);
      }
    }
  }
  return total;
}

}  // namespace

TEST_CASE("costs of two trees, by hand") {
  const Ensemble model = PathsOfTwoTrees();
  const ScoringCosts costs{1.0, {10.0, 100.0, 1000.0}};
  CHECK(CostsOfRounds(model, costs) == std::vector<double>{0.0, 111.0, 1112.0});
  CHECK(CostsOfRounds(model, {1.0, {}}) == std::vector<double>{0.0, 1.0, 2.0});
  const std::vector<float> x{0, 0, 0, /**/ 1, 1, 1};
  const std::vector<QueryId> codes{7, 9};
  const std::vector<std::size_t> stages{0, 1, 2};
  CHECK(LazyCostsOfQueries(model, costs, testing::Matrix(x, 3), RowsByQuery(codes), {}, stages) ==
        std::vector<std::vector<double>>{{0.0, 0.0}, {11.0, 111.0}, {1012.0, 1112.0}});
  // The first document ends after one round, and features 1 and 2 are paid together.
  const ScoringCosts grouped{1.0, {10.0, 100.0, 100.0}, {0, 1, 1}};
  CHECK(CostsOfRounds(model, grouped) == std::vector<double>{0.0, 111.0, 112.0});
  CHECK(LazyCostsOfQueries(model, grouped, testing::Matrix(x, 3), RowsByQuery(codes),
                           std::vector<std::uint32_t>{1, 2}, stages) ==
        std::vector<std::vector<double>>{{0.0, 0.0}, {11.0, 111.0}, {11.0, 112.0}});
}

TEST_CASE("the features of a linear part are paid before the first round, by hand") {
  Ensemble model = PathsOfTwoTrees();
  model.members[0].linear.terms = {{1, 2.0F}};
  const ScoringCosts costs{1.0, {10.0, 100.0, 1000.0}};
  CHECK(CostsOfRounds(model, costs) == std::vector<double>{100.0, 111.0, 1112.0});
  const std::vector<float> x{0, 0, 0};
  const std::vector<QueryId> codes{7};
  const std::vector<std::size_t> stages{0, 1, 2};
  CHECK(LazyCostsOfQueries(model, costs, testing::Matrix(x, 3), RowsByQuery(codes), {}, stages) ==
        std::vector<std::vector<double>>{{100.0}, {111.0}, {1112.0}});
}

TEST_CASE("costs of rounds and of paths are those of the definition") {
  Rng rng(93);
  for (int trial = 0; trial < 60; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    if (trial % 4 == 0) model.members.back().linear.terms = {{3, 1.0F}, {1, -2.0F}};
    const std::size_t n = 1 + rng.Below(30);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    ScoringCosts costs{static_cast<double>(rng.Below(3)), {1.0, 8.0, 8.0, 32.0}};
    if (trial % 3 == 0) costs.groups = {0, 3, 3, 1};
    if (trial % 3 == 1) costs.features.clear();
    std::vector<QueryId> codes(n);
    std::vector<std::uint32_t> scored_with(n);
    const auto n_rounds = static_cast<std::uint32_t>(model.n_rounds());
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = rng.Below(3);
      scored_with[i] = rng.Below(n_rounds + 1);
    }
    std::vector<std::size_t> stages{n_rounds / 3, n_rounds / 2, n_rounds};
    const FeatureMatrix features = testing::Matrix(x, 4);
    const auto found = LazyCostsOfQueries(model, costs, features, RowsByQuery(codes), scored_with,
                                          stages, Threads{1 + trial % 2});
    const std::vector<double> eager = CostsOfRounds(model, costs);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      std::map<QueryId, double> expected;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t end = std::min<std::size_t>(scored_with[i], stages[s]);
        const double lazy = NaiveCost(model, costs, features.Row(i), end, true);
        expected[codes[i]] += lazy;
        CHECK(eager[end] == NaiveCost(model, costs, features.Row(i), end, false));
        CHECK(lazy <= eager[end]);
      }
      std::vector<double> by_query;
      for (const auto& [code, cost] : expected) by_query.push_back(cost);
      CHECK(found[s] == by_query);
    }
  }
}

TEST_CASE("costs that do not fit the model are refused") {
  CHECK_THROWS_AS(static_cast<void>(CostsOfRounds(PathsOfTwoTrees(), {1.0, {1.0}})),
                  std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(CostsOfRounds(PathsOfTwoTrees(), {-1.0, {}})),
                  std::invalid_argument);
}

TEST_CASE("what limited scoring spends is the sum over the rounds of its documents") {
  Rng rng(94);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::vector<float> x = testing::RandomFeatures(std::size_t{40} * 4, rng);
    ScoreLimits limits;
    limits.early_exit = EarlyExit{2, 0.5};
    limits.costs = {1.0, {2.0, 2.0, 16.0, 4.0}, {0, 0, 1, 2}};
    const LimitedScores scored = CompiledScorer(model).ScoreWithin(limits, testing::Matrix(x, 4));
    const std::vector<double> costs = CostsOfRounds(model, limits.costs);
    double total = 0.0;
    for (const std::uint32_t round : scored.rounds) total += costs[round];
    CHECK(scored.report.cost == total);
  }
}

}  // namespace rankforest
