#include "rankforest/score/staged.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

TEST_CASE("staged scores are those of the prefixes, bit for bit") {
  Rng rng(31);
  constexpr std::size_t kRows = 40;
  for (const Combine combine :
       {Combine::kSum, Combine::kMinMax, Combine::kBorda, Combine::kZScore}) {
    for (int trial = 0; trial < 30; ++trial) {
      const Ensemble model = combine == Combine::kZScore ? testing::BlendedEnsemble(4, rng)
                                                         : testing::RandomEnsemble(4, combine, rng);
      const std::vector<float> values = testing::RandomFeatures(kRows * 4, rng);
      const FeatureMatrix features{values.data(), kRows, 4, 4};
      std::vector<QueryId> codes(kRows);
      for (QueryId& code : codes) code = rng.Below(7);
      const std::size_t step = 1 + rng.Below(4);
      StagedScorer staged(model, features, codes, Threads{1 + static_cast<int>(rng.Below(2))});
      CHECK(staged.Scores() == Score(Prefix(model, 0), features, codes));
      while (staged.round() < staged.n_rounds()) {
        staged.Advance(step);
        CHECK(staged.Scores() == Score(Prefix(model, staged.round()), features, codes));
      }
      CHECK(staged.Scores() == Score(model, features, codes));
    }
  }
}

TEST_CASE("after each round a mean group is the mean of its rounds so far") {
  Tree one;
  one.leaves = {1.0F};
  Tree five;
  five.leaves = {5.0F};
  Ensemble model;
  model.members = {
      {10.0, {{2.0, Reduction::kMean, 1, {one, five}}, {1.0, Reduction::kSum, 1, {five}}}}};
  StagedScorer staged(model, {nullptr, 1, 0, 0});
  std::vector<double> scores;
  for (std::size_t round = 0; round < 3; ++round) {
    staged.Advance(1);
    scores.push_back(staged.Scores()[0]);
  }
  CHECK(scores == std::vector<double>{12.0, 16.0, 21.0});
}

TEST_CASE("a staged scorer stops at the last round") {
  Rng rng(32);
  const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
  StagedScorer staged(model, {nullptr, 0, 4, 4});
  staged.Advance(1000);
  CHECK(staged.round() == model.n_rounds());
}

}  // namespace rankforest
