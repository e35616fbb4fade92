#include "rankforest/core/exit_schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "rankforest/core/blending.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/validate.hpp"
#include "support/hand_made_trees.hpp"

namespace rankforest {

namespace {

void RefusedExits(const ExitSchedule& exits, const char* message) {
  CHECK_THROWS_WITH_AS(Validate(exits), message, std::invalid_argument);
}

/// Four rounds, with exits after the first and the third.
Ensemble WithTwoExits() {
  Ensemble model;
  model.n_features = 1;
  const Tree stump = testing::Stump(0.5F, 0.0F, 1.0F);
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {stump, stump, stump, stump}}}}};
  model.exits.points = {{1, 0.25}, {3, 0.0, 2.0, 5}};
  return model;
}

}  // namespace

TEST_CASE("exits that are out of their range are refused by round and value") {
  ExitSchedule exits;
  CHECK_NOTHROW(Validate(exits));
  exits.points = {{1, 0.0}, {2, 0.99, 0.0, 1}};
  CHECK_NOTHROW(Validate(exits));
  exits.points = {{0, 0.5}};
  RefusedExits(exits, "the exit at round 0 follows round 0, expected ascending rounds from 1 on");
  exits.points = {{2, 0.5}, {2, 0.5}};
  RefusedExits(exits, "the exit at round 2 follows round 2, expected ascending rounds from 1 on");
  exits.points = {{2, 1.0}};
  RefusedExits(exits, "the exit at round 2: fraction must be in [0, 1), got 1");
  exits.points = {{2, std::nan("")}};
  RefusedExits(exits, "the exit at round 2: fraction must be in [0, 1), got nan");
  exits.points = {{2, 0.5, -1.0}};
  RefusedExits(exits, "the exit at round 2: margin must be >= 0, got -1");
  exits.points = {{2, 0.5, std::nan("")}};
  RefusedExits(exits, "the exit at round 2: margin must be >= 0, got nan");
  exits.points = {{2, 0.5}};
  exits.k = 0;
  RefusedExits(exits, "k of exits must be >= 1, got 0");
  exits.k = 1;
  exits.scope = static_cast<ExitScope>(2);
  RefusedExits(exits, "the scope of exits is neither query nor set");
}

TEST_CASE("a model has exits by query, before its last round, and where its score is a sum") {
  Ensemble model = WithTwoExits();
  CHECK_NOTHROW(Validate(model));
  CHECK(model.is_sum());
  CHECK(model.needs_queries());
  model.exits.scope = ExitScope::kSet;
  CHECK_THROWS_WITH_AS(Validate(model), "the exits of a model must be by query",
                       std::invalid_argument);
  model = WithTwoExits();
  model.exits.points[1].round = 4;
  CHECK_THROWS_WITH_AS(Validate(model),
                       "the exit at round 4 must come before the last of the model's 4 rounds",
                       std::invalid_argument);
  model = WithTwoExits();
  model.combine = Combine::kMinMax;
  CHECK_THROWS_AS(Validate(model), std::invalid_argument);
  model = WithTwoExits();
  model.exits.points.clear();
  model.exits.k = 3;  // says nothing
  CHECK_THROWS_AS(Validate(model), std::invalid_argument);
}

TEST_CASE("the first rounds of a model keep the exits that other rounds follow") {
  const Ensemble model = WithTwoExits();
  CHECK(Prefix(model, 4) == model);
  CHECK(Prefix(model, 3).exits.points == std::vector<ExitPoint>{{1, 0.25}});
  CHECK(Prefix(model, 2).exits.points == std::vector<ExitPoint>{{1, 0.25}});
  CHECK(Prefix(model, 1).exits == ExitSchedule{});
  CHECK_FALSE(Prefix(model, 1).needs_queries());
  for (std::size_t rounds = 0; rounds <= 4; ++rounds)
    CHECK_NOTHROW(Validate(Prefix(model, rounds)));
}

TEST_CASE("blends of models have no exits, and models on other columns keep theirs") {
  const Ensemble model = WithTwoExits();
  CHECK(Blended({model}, std::vector<double>{2.0}, Combine::kSum).exits.empty());
  CHECK(Blended({model, model}, std::vector<double>{1.0, 1.0}, Combine::kSum).exits.empty());
  CHECK(Blended({model, model}, std::vector<double>{1.0, 1.0}, Combine::kBorda).exits.empty());
  CHECK(OnColumns(model, std::vector<std::uint32_t>{2}, 3).exits == model.exits);
  CHECK(WithoutExits(model).exits.empty());
  CHECK_FALSE(WithoutExits(model) == model);
}

}  // namespace rankforest
