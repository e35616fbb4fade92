#include "rankforest/train/best_round.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {
namespace {

struct Followed {
  std::size_t trained = 0;
  std::size_t kept = 0;
};

bool operator==(const Followed& a, const Followed& b) {
  return a.trained == b.trained && a.kept == b.kept;
}

struct Curve {
  std::vector<double> values;
  std::uint32_t patience = 1;
  double min_delta = 0.0;
  bool maximize = true;
};

/// Follows a curve as training does, to the end that BestRound sets or that of the curve.
Followed FollowCurve(const Curve& curve, const OverfitSettings& overfit) {
  BestRound best(curve.patience, curve.min_delta, overfit);
  std::size_t round = 0;
  while (round < curve.values.size()) {
    ++round;
    best.Update(round, curve.values[round - 1], curve.maximize);
    if (best.IsOver(round)) break;
  }
  return {round, best.RoundsToKeep(round)};
}

/// Reads off the whole curve which round is the best.
std::size_t NaiveBest(const Curve& curve) {
  const double sign = curve.maximize ? 1.0 : -1.0;
  std::size_t best = 1;
  for (std::size_t round = 2; round <= curve.values.size(); ++round) {
    if (round - best > curve.patience) break;
    if (sign * curve.values[round - 1] - sign * curve.values[best - 1] > curve.min_delta) {
      best = round;
    }
  }
  return best;
}

/// Reads off the whole curve how many rounds are kept: for each number of rounds behind the best
/// one it looks at all of them.
std::size_t NaiveKept(const Curve& curve, const OverfitSettings& overfit) {
  const std::size_t best = NaiveBest(curve);
  if (!overfit.tolerance) return best;
  const double sign = curve.maximize ? 1.0 : -1.0;
  const double top = curve.values[best - 1];
  std::size_t kept = best;
  for (std::size_t end = best; end <= curve.values.size() && end <= best + overfit.max_rounds;
       ++end) {
    double worst = 0.0;
    for (std::size_t round = best; round <= end; ++round) {
      worst = std::max(worst, sign * top - sign * curve.values[round - 1]);
    }
    if (worst <= *overfit.tolerance * std::abs(top)) kept = end;
  }
  return kept;
}

/// A curve that rises, falls and repeats its values.
Curve RandomCurve(Rng& rng) {
  Curve curve;
  curve.patience = 1 + rng.Below(6);
  curve.min_delta = rng.Below(3) == 0 ? 0.05 : 0.0;
  curve.maximize = rng.Below(2) == 0;
  const std::size_t n = 1 + rng.Below(30);
  for (std::size_t i = 0; i < n; ++i) {
    curve.values.push_back(0.5 + 0.01 * static_cast<double>(rng.Below(12)));
  }
  return curve;
}

}  // namespace

TEST_CASE("the tolerance keeps rounds behind the best one until one is too much worse") {
  const Curve curve{{0.50, 0.60, 0.59, 0.595, 0.58, 0.59, 0.60}, 2};
  CHECK(FollowCurve(curve, {}) == Followed{4, 2});
  CHECK(FollowCurve(curve, {0.02, 250}) == Followed{5, 4});  // 0.58 < 0.98 * 0.60 <= 0.59
  CHECK(FollowCurve(curve, {0.01, 250}) == Followed{4, 2});  // 0.59 is worse by more than 0.006
  CHECK(FollowCurve(curve, {0.05, 250}) == Followed{7, 7});
  CHECK(FollowCurve(curve, {0.02, 1}) == Followed{4, 3});  // the patience still has to run out
  CHECK(FollowCurve(curve, {0.05, 4}) == Followed{6, 6});
}

TEST_CASE("the tolerance looks for no better round once the best one is settled") {
  const Curve curve{{0.50, 0.49, 0.49, 0.90, 0.89, 0.10}, 2};
  CHECK(FollowCurve(curve, {}) == Followed{3, 1});
  CHECK(FollowCurve(curve, {0.05, 250}) == Followed{6, 5});
}

TEST_CASE("a tolerance of 0 keeps rounds that are no worse than the best") {
  CHECK(FollowCurve({{0.5, 0.6, 0.6, 0.6, 0.5}, 2}, {0.0, 250}) == Followed{5, 4});
}

TEST_CASE("for a metric that is to be small, worse is larger") {
  const Curve curve{{1.00, 0.80, 0.81, 0.83, 0.80}, 2, 0.0, false};
  CHECK(FollowCurve(curve, {0.02, 250}) == Followed{4, 3});
}

TEST_CASE("rounds kept are those of a naive reading of the curve, with and without tolerance") {
  Rng rng(20111);
  for (int trial = 0; trial < 20000; ++trial) {
    const Curve curve = RandomCurve(rng);
    const double tolerance = 0.01 * static_cast<double>(rng.Below(12));
    const OverfitSettings overfit{tolerance, 1 + rng.Below(8)};
    const Followed without = FollowCurve(curve, {});
    const Followed with = FollowCurve(curve, overfit);
    CHECK(without.kept == NaiveKept(curve, {}));
    CHECK(with.kept == NaiveKept(curve, overfit));
    CHECK(with.trained >= without.trained);
    CHECK(with.kept >= without.kept);
    CHECK(with.trained <= without.kept + std::max(curve.patience, overfit.max_rounds));
  }
}

}  // namespace rankforest
