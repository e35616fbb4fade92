#include "rankforest/split/worth.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

namespace {

struct NoSums {};

Split<NoSums> Gaining(double gain, FeatureId feature) {
  Split<NoSums> split;
  split.gain = gain;
  split.feature = feature;
  return split;
}

}  // namespace

TEST_CASE("a split is worth its gain less what its feature is charged") {
  const FeatureCosts costs = FeatureCosts::OneByOne({3.0, 0.0, 1.0});
  const FeatureCharges charges({2.0, CostNormalization::kNone}, &costs);
  const SplitWorth worth(charges, 0.5);
  CHECK(worth.ChargeOf(0) == 3.0);
  CHECK(worth.InUnit(2.0).ChargeOf(2) == 4.0);
  Split<NoSums> best;
  worth.Offer(Gaining(3.5, 0), 0.5, best);
  CHECK_FALSE(best.exists());  // worth 0.5, which is not above 0.5
  worth.Offer(Gaining(4.0, 0), 0.5, best);
  CHECK(best.worth() == 1.0);
  CHECK(best.gain == 4.0);
  worth.Offer(Gaining(1.5, 1), 0.5, best);
  CHECK(best.feature == 1);
  worth.Offer(Gaining(2.5, 2), 0.5, best);  // worth as much: the lower feature stays
  CHECK(best.feature == 1);
  worth.Offer(Gaining(2.75, 2), 0.5, best);
  CHECK(best.feature == 2);
  CHECK(best.charge == 1.0);
}

TEST_CASE("without charges the worth is the gain, and a search goes on from the best so far") {
  const SplitWorth worth;
  CHECK(worth.is_gain());
  CHECK_FALSE(worth.is_relative());
  CHECK(worth.ChargeOf(7) == 0.0);
  CHECK(worth.LeastGain(7, 1.25, 3.0) == 1.25);
  Split<NoSums> best = Gaining(2.0, 0);
  const Split<NoSums>* searched = nullptr;
  worth.FindIn(1, 0.0, best, [&](Split<NoSums>& split) { searched = &split; });
  CHECK(searched == &best);
}

TEST_CASE("no split that gains less than the least gain is worth as much") {
  Rng rng(3);
  int n_below = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const FeatureCosts costs = FeatureCosts::OneByOne({rng.Uniform() * 10.0});
    const FeatureCharges charges({1.0, CostNormalization::kNone}, &costs);
    const SplitWorth worth(charges, rng.Uniform());
    const double goal = rng.Below(4) == 0 ? 0.0 : rng.Uniform();
    const double min_gain = rng.Below(2) == 0 ? 0.0 : rng.Uniform() * 0.1;
    const double least = worth.LeastGain(0, goal, min_gain);
    // Within some roundings of the sum.
    const double gain = (goal + worth.ChargeOf(0)) * (1.0 + (rng.Below(33) - 16.0) * 0x1p-52);
    Split<NoSums> best;
    worth.Offer(Gaining(gain, 0), min_gain, best);
    if (best.exists() && best.worth() >= goal) CHECK(gain >= least);
    n_below += gain < least ? 1 : 0;
  }
  CHECK(n_below > 1000);
}

}  // namespace rankforest
