#include "rankforest/split/feature_charges.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/random_costs.hpp"

namespace rankforest {

namespace {

std::vector<double> AllOf(const FeatureCharges& charges, std::size_t n_features) {
  std::vector<double> all;
  for (FeatureId f = 0; f < n_features; ++f) all.push_back(charges[f]);
  return all;
}

std::vector<FeatureId> PaidBy(FeatureCharges& charges, FeatureId feature) {
  const Span<const FeatureId> freed = charges.Pay(feature);
  return {freed.begin(), freed.end()};
}

}  // namespace

TEST_CASE("a charge is lambda times the cost, or times its share of all costs") {
  const FeatureCosts costs = {{6.0, 0.0, 2.0}, {0, 1, 0, 2}};
  CHECK(AllOf(FeatureCharges({0.5, CostNormalization::kNone}, &costs), 4) ==
        std::vector<double>{3.0, 0.0, 3.0, 1.0});
  const FeatureCharges shares({0.5, CostNormalization::kRootImpurity}, &costs);
  CHECK(AllOf(shares, 4) == std::vector<double>{0.375, 0.0, 0.375, 0.125});
  CHECK(shares.are_relative());
}

TEST_CASE("a feature is paid once, with its group, until the next tree") {
  const FeatureCosts costs = {{6.0, 0.0, 2.0}, {0, 1, 0, 2}};
  FeatureCharges charges({1.0, CostNormalization::kNone}, &costs);
  CHECK(charges.any());
  CHECK(PaidBy(charges, 2) == std::vector<FeatureId>{0, 2});
  CHECK(PaidBy(charges, 0).empty());  // with the other
  CHECK(PaidBy(charges, 1).empty());  // costs nothing
  CHECK(AllOf(charges, 4) == std::vector<double>{0.0, 0.0, 0.0, 2.0});
  CHECK(PaidBy(charges, 3) == std::vector<FeatureId>{3});
  CHECK_FALSE(charges.any());
  charges.Begin({});
  CHECK(AllOf(charges, 4) == std::vector<double>{6.0, 0.0, 6.0, 2.0});
  charges.Begin(std::vector<std::uint8_t>{1, 0, 0, 0});
  CHECK(AllOf(charges, 4) == std::vector<double>{0.0, 0.0, 0.0, 2.0});
}

TEST_CASE("there are no charges without costs or weight") {
  const FeatureCosts costs = FeatureCosts::OneByOne({1.0, 2.0});
  const FeatureCosts free = FeatureCosts::OneByOne({0.0, 0.0});
  const std::vector<FeatureCharges> none = {FeatureCharges(), FeatureCharges({1.0}, nullptr),
                                            FeatureCharges({0.0}, &costs),
                                            FeatureCharges({1.0}, &free)};
  for (FeatureCharges charges : none) {
    CHECK_FALSE(charges.exist());
    charges.Begin(std::vector<std::uint8_t>{1, 0});
    CHECK_FALSE(charges.any());
    CHECK(charges.Pay(0).empty());
  }
}

TEST_CASE("whatever is paid, a feature is charged as long as none of its group is paid") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    const FeatureCosts costs = testing::RandomCosts(6, rng);
    FeatureCharges charges({2.0, CostNormalization::kNone}, &costs);
    std::vector<std::uint8_t> is_paid(costs.costs.size(), 0);
    for (int step = 0; step < 8; ++step) {
      const FeatureId paid = rng.Below(6);
      (void)charges.Pay(paid);
      is_paid[costs.group_of[paid]] = 1;
      if (!charges.exist()) continue;
      bool any = false;
      for (FeatureId f = 0; f < 6; ++f) {
        const std::uint32_t group = costs.group_of[f];
        CHECK(charges[f] == (is_paid[group] != 0 ? 0.0 : 2.0 * costs.costs[group]));
        any = any || charges[f] > 0.0;
      }
      CHECK(charges.any() == any);
    }
  }
}

}  // namespace rankforest
