#include "rankforest/train/learned_positions.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/ranking_objective.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"

namespace rankforest {
namespace {

Dataset ShownDocuments() {
  Rng rng(31);
  testing::SmallDataOptions options;
  options.n_queries = 20;
  return testing::SmallData(options, rng).Make();
}

/// Places in turn: 0, 1, 2, 3, 0, ...
LearnedPositions FourPlaces(const Dataset& data) {
  PositionSettings settings;
  settings.regularization = 0.01;
  for (std::size_t d = 0; d < data.n_documents(); ++d) {
    settings.places.push_back(static_cast<std::uint32_t>(d % 4));
  }
  return {std::move(settings), 4};
}

Trained TrainWith(const LearnedPositions& positions, const Dataset& data, std::uint32_t n_rounds,
                  Ensemble trained = {}) {
  LambdaMartSettings settings = LambdaMartDefaults();
  settings.boost.n_estimators = n_rounds;
  settings.boost.trees.limits.min_samples_leaf.amount = 2;
  const auto objective = positions.Wrapped(RankingObjectiveOf(settings, {}), 0.1);
  RunOptions options;
  options.trained = std::move(trained);
  return Train(Boosted(settings.boost, objective), data, n_rounds, std::move(options));
}

}  // namespace

TEST_CASE("effects that go on from those of a model end where those of one training end") {
  const Dataset data = ShownDocuments();
  const LearnedPositions whole = FourPlaces(data);
  const Trained expected = TrainWith(whole, data, 9);
  for (const std::uint32_t n_first : {1U, 4U, 8U}) {
    const LearnedPositions first = FourPlaces(data);
    const Trained begun = TrainWith(first, data, n_first);
    LearnedPositions second = FourPlaces(data);
    second.GoOnFrom(n_first, first.After(n_first));
    CHECK(TrainWith(second, data, 9, begun.ensemble).ensemble == expected.ensemble);
    CHECK(second.After(9) == whole.After(9));
    CHECK(second.After(n_first) == whole.After(n_first));
  }
  CHECK(whole.After(0) == std::vector<double>(4, 0.0));
}

TEST_CASE("effects of places that a model does not know begin at 0, and others stay") {
  const Dataset data = ShownDocuments();
  LearnedPositions positions = FourPlaces(data);
  positions.GoOnFrom(3, {0.5, 0.25});
  CHECK(positions.After(3) == std::vector<double>{0.5, 0.25, 0.0, 0.0});
  positions = FourPlaces(data);
  positions.GoOnFrom(3, {5.0, 4.0, 3.0, 2.0, 1.0});
  CHECK(positions.After(3) == std::vector<double>{5.0, 4.0, 3.0, 2.0, 1.0});
}

TEST_CASE("states have the effects after the last round and after those that may be kept") {
  const Dataset data = ShownDocuments();
  LearnedPositions positions = FourPlaces(data);
  (void)TrainWith(positions, data, 6);
  Checkpoints checkpoints;
  positions.AddTo(checkpoints);
  TrainingState state;
  state.round = 5;
  checkpoints.complete(state);
  CHECK(*state.place_effects == PlaceEffects{5, {positions.After(5)}});
  state.best = BestRound::Found{};  // none yet
  checkpoints.complete(state);
  CHECK(*state.place_effects == PlaceEffects{5, {positions.After(5)}});
  state.best->best = 4;
  checkpoints.complete(state);
  CHECK(*state.place_effects == PlaceEffects{4, {positions.After(4), positions.After(5)}});
}

TEST_CASE("a state without the effects of its last round is refused") {
  const Dataset data = ShownDocuments();
  TrainingState state;
  state.round = 5;
  const auto complaint = [&] {
    LearnedPositions positions = FourPlaces(data);
    try {
      positions.GoOnFrom(state);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string expected =
      "the state of a training that learns effects of positions must have one for each of the 4 "
      "positions after round 5";
  CHECK(complaint() == expected);
  for (const PlaceEffects& bad :
       {PlaceEffects{5, {}}, PlaceEffects{4, {{1, 2, 3, 4}}}, PlaceEffects{5, {{1, 2, 3}}},
        PlaceEffects{4, {{1, 2}, {1, 2, 3, 4}}}}) {
    state.place_effects = bad;
    CHECK(complaint() == expected);
  }
  state.place_effects = PlaceEffects{4, {{1, 2, 3, 4}, {5, 6, 7, 8}}};
  CHECK(complaint().empty());
}

}  // namespace rankforest
