#include "rankforest/train/dropout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rankforest {

namespace {

/// How often each of some trees is dropped in 20,000 rounds, as a share of them.
std::vector<double> SharesOf(const DropSettings& settings, const std::vector<double>& weights) {
  constexpr std::size_t kDraws = 20000;
  std::vector<double> shares(weights.size());
  for (std::size_t round = 0; round < kDraws; ++round) {
    for (const std::uint32_t t :
         DrawDropped(settings, weights, Rng(5).Child(Purpose::kRound, round))) {
      shares[t] += 1.0 / kDraws;
    }
  }
  return shares;
}

DropSettings RateOf(double rate) {
  DropSettings settings;
  settings.drop_rate = rate;
  return settings;
}

}  // namespace

TEST_CASE("weights after a round that dropped trees, by hand") {
  // Two of weight 1, and the learning rate 1/2: both normalisations.
  CHECK(FactorsOf(DropNormalization::kTree, 2, 0.5).dropped == 0.8);
  CHECK(FactorsOf(DropNormalization::kTree, 2, 0.5).added == 0.2);
  CHECK(FactorsOf(DropNormalization::kForest, 2, 0.5).dropped == doctest::Approx(2.0 / 3.0));
  CHECK(FactorsOf(DropNormalization::kForest, 2, 0.5).added == doctest::Approx(1.0 / 3.0));
  // The paper's, of the learning rate 1: k / (k + 1) and 1 / (k + 1).
  CHECK(FactorsOf(DropNormalization::kTree, 3, 1.0).dropped == 0.75);
  CHECK(FactorsOf(DropNormalization::kTree, 3, 1.0).added == 0.25);
  CHECK(FactorsOf(DropNormalization::kForest, 1, 1.0).dropped == 0.5);
}

TEST_CASE("each tree is dropped as often as the rate says, or in proportion to its weight") {
  for (const double share : SharesOf(RateOf(0.2), {1.0, 3.0, 0.5})) {
    CHECK(share == doctest::Approx(0.2).epsilon(0.05));
  }
  DropSettings weighted = RateOf(0.2);
  weighted.selection = DropSelection::kWeighted;
  const std::vector<double> shares = SharesOf(weighted, {1.0, 3.0, 0.5});  // the mean weight is 1.5
  CHECK(shares[0] == doctest::Approx(0.2 / 1.5).epsilon(0.05));
  CHECK(shares[1] == doctest::Approx(0.2 * 3.0 / 1.5).epsilon(0.05));
  CHECK(shares[2] == doctest::Approx(0.2 * 0.5 / 1.5).epsilon(0.08));
  DropSettings skips = RateOf(0.5);
  skips.skip_drop = 0.75;
  CHECK(SharesOf(skips, {1.0})[0] == doctest::Approx(0.125).epsilon(0.06));
}

TEST_CASE("rates of 0 and 1, and rounds that always or never skip, leave nothing to chance") {
  const std::vector<double> weights(40, 0.1);
  std::vector<std::uint32_t> all(40);
  std::iota(all.begin(), all.end(), 0U);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CHECK(DrawDropped(RateOf(0.0), weights, Rng(seed)).empty());
    CHECK(DrawDropped(RateOf(1.0), weights, Rng(seed)) == all);
    CHECK(DrawDropped(RateOf(1.0), {}, Rng(seed)).empty());
    DropSettings skips = RateOf(1.0);
    skips.skip_drop = 1.0;
    CHECK(DrawDropped(skips, weights, Rng(seed)).empty());
  }
}

TEST_CASE("no more than the most are dropped, any of those drawn, ascending") {
  DropSettings settings = RateOf(0.5);
  settings.max_drop = 3;
  const std::vector<double> weights(30, 1.0);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto dropped = DrawDropped(settings, weights, Rng(seed));
    CHECK(dropped.size() <= 3);
    CHECK(std::is_sorted(dropped.begin(), dropped.end()));
    CHECK(std::adjacent_find(dropped.begin(), dropped.end()) == dropped.end());
  }
  for (const double share : SharesOf(settings, weights)) {
    CHECK(share == doctest::Approx(0.1).epsilon(0.1));
  }
}

TEST_CASE("where one must be dropped, a round that drew none drops one, by the same odds") {
  DropSettings settings = RateOf(1e-9);
  settings.one_drop = true;
  for (const double share : SharesOf(settings, {1.0, 3.0, 0.5})) {
    CHECK(share == doctest::Approx(1.0 / 3.0).epsilon(0.05));
  }
  settings.selection = DropSelection::kWeighted;
  const std::vector<double> shares = SharesOf(settings, {1.0, 3.0, 0.5});
  CHECK(shares[1] == doctest::Approx(3.0 / 4.5).epsilon(0.05));
  CHECK(shares[0] + shares[1] + shares[2] == doctest::Approx(1.0));
}

}  // namespace rankforest
