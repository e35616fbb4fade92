#include "rankforest/score/limits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rankforest {

namespace {

void Refused(const ScoreLimits& limits, const char* message) {
  CHECK_THROWS_WITH_AS(RequireValid(limits, false, 2), message, std::invalid_argument);
}

}  // namespace

TEST_CASE("limits that make sense are accepted") {
  ScoreLimits limits;
  CHECK_NOTHROW(RequireValid(limits, false, 2));
  limits.early_exit = EarlyExit{1, 0.0};
  limits.budget = 0.0;
  limits.costs = {0.0, {0.0, 1e300}};
  CHECK_NOTHROW(RequireValid(limits, false, 2));
  limits.budget = std::numeric_limits<double>::infinity();
  CHECK_NOTHROW(RequireValid(limits, false, 2));
}

TEST_CASE("what makes no sense is refused by name and value") {
  ScoreLimits limits;
  limits.early_exit = EarlyExit{0, 0.5};
  Refused(limits, "every must be >= 1, got 0");
  limits.early_exit = EarlyExit{1, 1.0};
  Refused(limits, "fraction must be in [0, 1), got 1");
  limits.early_exit = EarlyExit{1, -0.5};
  Refused(limits, "fraction must be in [0, 1), got -0.5");
  limits.early_exit = EarlyExit{1, std::nan("")};
  Refused(limits, "fraction must be in [0, 1), got nan");
  limits.early_exit.reset();
  limits.budget = -1.0;
  Refused(limits, "budget must be >= 0, got -1");
  limits.budget = std::nan("");
  Refused(limits, "budget must be >= 0, got nan");
  limits.budget.reset();
  limits.costs.tree = -2.0;
  Refused(limits, "the cost of a tree must be finite and >= 0, got -2");
  limits.costs = {1.0, {1.0}};
  Refused(limits, "there must be a cost for each of the model's 2 features, or none; got 1");
  limits.costs = {1.0, {1.0, std::numeric_limits<double>::infinity()}};
  Refused(limits, "the cost of feature 1 must be finite and >= 0, got inf");
}

TEST_CASE("groups of features that do not fit their costs are refused") {
  ScoreLimits limits;
  limits.costs = {1.0, {2.0, 2.0}, {1, 1}};
  CHECK_NOTHROW(RequireValid(limits, false, 2));
  limits.costs.groups = {0};
  Refused(limits, "there must be a group for each of the 2 costs of features, or none; got 1");
  limits.costs.groups = {0, 2};
  Refused(limits, "the group of feature 1 is 2, expected a number below 2");
  limits.costs = {1.0, {2.0, 3.0}, {1, 1}};
  Refused(limits, "the features of group 1 must have one cost, got 2 and 3");
}

TEST_CASE("exits are given in one way, and checked") {
  ScoreLimits limits;
  limits.exits = ExitSchedule{};
  CHECK_NOTHROW(RequireValid(limits, false, 2));
  limits.exits->k = 0;
  Refused(limits, "k of exits must be >= 1, got 0");
  limits.exits = ExitSchedule{};
  limits.early_exit = EarlyExit{1, 0.5};
  Refused(limits, "of early_exit and exits only one can be given");
}

TEST_CASE("a model that combines scores within queries cannot be scored in part") {
  CHECK_THROWS_WITH_AS(RequireValid({}, true, 2),
                       "a model that combines scores or normalizes features within queries has no "
                       "score of a document before its last tree: it cannot be scored in part",
                       std::invalid_argument);
}

}  // namespace rankforest
