#include "rankforest/split/feature_budget.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {
namespace {

TEST_CASE("without a limit every feature stays usable") {
  FeatureBudget budget(std::nullopt, 3);
  budget.Begin({});
  CHECK_FALSE(budget.exists());
  CHECK_FALSE(budget.is_open());
  CHECK(budget.usable() == nullptr);
  CHECK_FALSE(budget.Use(1));
}

TEST_CASE("once the last feature is taken, no other may be used") {
  FeatureBudget budget(2, 4);
  budget.Begin({});
  CHECK(budget.is_open());
  CHECK_FALSE(budget.Use(3));
  CHECK_FALSE(budget.Use(3));
  CHECK(budget.usable()[0] == 1);
  CHECK(budget.Use(1));
  CHECK_FALSE(budget.is_open());
  CHECK(std::vector<std::uint8_t>(budget.usable(), budget.usable() + 4) ==
        std::vector<std::uint8_t>{0, 1, 0, 1});
  CHECK(budget.InUse() == std::vector<FeatureId>{1, 3});
}

TEST_CASE("a tree begins with the features of those before it") {
  FeatureBudget budget(2, 3);
  budget.Begin(std::vector<std::uint8_t>{1, 0, 1});
  CHECK_FALSE(budget.is_open());
  CHECK(budget.usable()[1] == 0);
  budget.Begin(std::vector<std::uint8_t>{1, 0, 0});
  CHECK(budget.is_open());
  CHECK(budget.usable()[1] == 1);
}

TEST_CASE("there are never more features in use than the limit, if only usable ones are used") {
  Rng rng(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint32_t most = 1 + rng.Below(5);
    FeatureBudget budget(most, 8);
    budget.Begin({});
    for (int step = 0; step < 30; ++step) {
      const FeatureId feature = rng.Below(8);
      if (budget.usable()[feature] != 0) budget.Use(feature);
      CHECK(budget.InUse().size() <= most);
    }
    CHECK(budget.InUse().size() == most);
  }
}

}  // namespace
}  // namespace rankforest
