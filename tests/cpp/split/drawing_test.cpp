#include "rankforest/split/drawing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_constraints.hpp"

namespace rankforest {
namespace {

TEST_CASE("without weights and rules the draw is the plain one") {
  std::vector<FeatureId> plain;
  std::vector<FeatureId> drawn;
  for (std::uint64_t node = 0; node < 50; ++node) {
    DrawFeatures(3, 9, Rng(node), plain);
    DrawFeatures(SplitRules{}, 3, 9, Rng(node), drawn);
    CHECK(drawn == plain);
  }
}

TEST_CASE("features without weight, and those that are ruled out, are never drawn") {
  FeatureConstraints constraints;
  constraints.weights = {1, 0, 2, 1, 5};
  const std::array<std::uint8_t, 5> usable = {1, 1, 1, 0, 1};
  SplitRules rules;
  rules.constraints = &constraints;
  rules.usable = usable.data();
  std::vector<FeatureId> drawn;
  for (std::uint64_t node = 0; node < 200; ++node) {
    DrawFeatures(rules, 2, 5, Rng(node), drawn);
    CHECK(drawn.size() == 2);
    CHECK(std::is_sorted(drawn.begin(), drawn.end()));
    for (const FeatureId feature : drawn) CHECK((feature == 0 || feature == 2 || feature == 4));
  }
  DrawFeatures(rules, 5, 5, Rng(1), drawn);
  CHECK(drawn == std::vector<FeatureId>{0, 2, 4});
  const std::array<std::uint8_t, 5> allowed = {0, 1, 1, 1, 1};
  DrawFeatures(rules.At(allowed.data()), 5, 5, Rng(1), drawn);
  CHECK(drawn == std::vector<FeatureId>{2, 4});
}

TEST_CASE("one feature is drawn as often as its share in the weights says") {
  FeatureConstraints constraints;
  constraints.weights = {1, 2, 5};
  SplitRules rules;
  rules.constraints = &constraints;
  std::array<double, 3> times = {};
  std::vector<FeatureId> drawn;
  constexpr int kDraws = 20000;
  for (std::uint64_t node = 0; node < kDraws; ++node) {
    DrawFeatures(rules, 1, 3, Rng(node), drawn);
    times[drawn[0]] += 1.0 / kDraws;
  }
  CHECK(std::abs(times[0] - 1.0 / 8) < 0.01);
  CHECK(std::abs(times[1] - 2.0 / 8) < 0.01);
  CHECK(std::abs(times[2] - 5.0 / 8) < 0.01);
}

}  // namespace
}  // namespace rankforest
