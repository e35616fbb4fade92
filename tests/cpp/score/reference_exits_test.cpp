#include "rankforest/score/reference_exits.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/matrix.hpp"
#include "support/naive_limits.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

TEST_CASE("documents keep the score of their exit, and may be ranked below the others") {
  Ensemble model;
  model.n_features = 1;
  model.members = {{0.0,
                    {{1.0,
                      Reduction::kSum,
                      1,
                      {testing::Stump(0.5F, 8.0F, 9.0F), testing::Stump(0.5F, 0.0F, -4.0F)}}}}};
  model.exits.points = {{1, 0.5}};
  const std::vector<float> x{0.0F, 1.0F, 0.0F, 1.0F};
  const std::vector<QueryId> codes{0, 0, 0, 0};
  CHECK(Score(model, testing::Matrix(x, 1), codes) == std::vector<double>{8.0, 5.0, 8.0, 5.0});
  model.exits.demote = true;
  CHECK(Score(model, testing::Matrix(x, 1), codes) == std::vector<double>{4.0, 5.0, 4.0, 5.0});
}

TEST_CASE("the definition, an oracle and the fast scorer agree on models with exits") {
  Rng rng(96);
  for (int trial = 0; trial < 80; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(60);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    std::vector<QueryId> codes(n);
    for (QueryId& code : codes) code = rng.Below(4);
    model.exits.k = 1 + rng.Below(5);
    model.exits.points = {{1, 0.25 * rng.Below(4)}, {3, 0.5, 0.5 * rng.Below(4), rng.Below(9)}};
    std::vector<ExitPoint>& points = model.exits.points;
    while (!points.empty() && points.back().round >= model.n_rounds()) points.pop_back();
    const FeatureMatrix features = testing::Matrix(x, 4);
    const std::vector<double> scores = Score(model, features, codes);
    CHECK(scores == testing::NaiveLimits(model, features, codes, {}).scores);
    CHECK(scores == CompiledScorer(model).Score(features, codes, Threads{1 + trial % 3}));
    model.exits.demote = true;
    CHECK(Score(model, features, codes) == CompiledScorer(model).Score(features, codes));
  }
}

TEST_CASE("an exit that sends nobody off changes no bit") {
  Rng rng(97);
  for (int trial = 0; trial < 20; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::vector<float> x = testing::RandomFeatures(std::size_t{30} * 4, rng);
    const std::vector<QueryId> codes(30);
    const std::vector<double> scores = Score(model, testing::Matrix(x, 4), codes);
    model.exits.points = {{1, 0.0}};
    CHECK(Score(model, testing::Matrix(x, 4), codes) == scores);
  }
}

}  // namespace rankforest
