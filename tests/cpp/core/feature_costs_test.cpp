#include "rankforest/core/feature_costs.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace rankforest {

namespace {

std::string WhyNot(const FeatureCosts& costs, std::size_t n_features) {
  try {
    Check(costs, n_features);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("features that are paid one by one are groups of their own") {
  const FeatureCosts costs = FeatureCosts::OneByOne({1.0, 0.0, 2.5});
  CHECK(costs.costs == std::vector<double>{1.0, 0.0, 2.5});
  CHECK(costs.group_of == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(costs.Total() == 3.5);
  CHECK(WhyNot(costs, 3).empty());
}

TEST_CASE("the cost of a group counts once") {
  const FeatureCosts costs = {{4.0, 1.0}, {0, 0, 1, 0}};
  CHECK(costs.Total() == 5.0);
  CHECK(WhyNot(costs, 4).empty());
}

TEST_CASE("costs that do not fit the features, or are no costs, are refused") {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double most = std::numeric_limits<double>::max();
  CHECK(WhyNot(FeatureCosts::OneByOne({1.0, 2.0}), 3) ==
        "feature_costs must have a cost for each of the 3 features; it has 2");
  CHECK(WhyNot({{1.0}, {0, 1}}, 2) ==
        "feature_costs has a feature of group 1, and costs of 1 groups");
  CHECK(WhyNot(FeatureCosts::OneByOne({-1.0}), 1) ==
        "feature_costs must be finite and >= 0, got -1");
  CHECK(WhyNot(FeatureCosts::OneByOne({nan}), 1) ==
        "feature_costs must be finite and >= 0, got nan");
  CHECK(WhyNot(FeatureCosts::OneByOne({inf}), 1) ==
        "feature_costs must be finite and >= 0, got inf");
  CHECK(WhyNot(FeatureCosts::OneByOne({most, most}), 2) == "feature_costs must have a finite sum");
}

}  // namespace rankforest
