#include "rankforest/split/missing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using Stats = Newton::Stats;

namespace {

Split<Stats> Best(const SplitRules& rules, const Stats& left, const Stats& right,
                  const Stats& missing, Split<Stats> best = {}, const Newton& newton = {}) {
  ConsiderPlacements(Newton::Scaled(newton, {}), rules, Split<Stats>(), left, right, missing, best);
  return best;
}

SplitRules Rules(std::uint64_t min_samples_leaf, MissingRule missing = MissingRule::kLearn,
                 double min_gain = 0.0) {
  return {min_samples_leaf, min_gain, missing};
}

}  // namespace

TEST_CASE("missing documents go where they gain more") {
  // Means 1 and 5; those of the missing are 5, then 1, then far from both.
  const Stats left{-2, 2, 2};
  const Stats right{-10, 2, 2};
  CHECK(Best(Rules(1), left, right, {-10, 2, 2}).missing == MissingTo::kRight);
  CHECK(Best(Rules(1), left, right, {-2, 2, 2}).missing == MissingTo::kLeft);
  const Split<Stats> own = Best(Rules(1, MissingRule::kThird), left, right, {-30, 2, 2});
  CHECK(own.missing == MissingTo::kOwn);
  // Means 1, 5 and 15 of two documents each, 7 of all: 2 x 36 + 2 x 4 + 2 x 64.
  CHECK(own.gain == doctest::Approx(208.0));
  CHECK(Equal(own.own, {-30, 2, 2}));
  CHECK(Best(Rules(1), left, right, {-30, 2, 2}).missing == MissingTo::kRight);
}

TEST_CASE("a child holds the missing documents that are sent to it") {
  const Split<Stats> split = Best(Rules(1), {-2, 2, 2}, {-10, 2, 2}, {-10, 2, 3});
  CHECK(Equal(split.left, {-2, 2, 2}));
  CHECK(Equal(split.right, {-20, 4, 5}));
  CHECK(Equal(split.own, {}));
  CHECK(split.saw_missing);
  // Means 1 and 5, weights 2 and 4.
  CHECK(split.gain == doctest::Approx(16.0 * 2 * 4 / 6));
}

TEST_CASE("a node without missing documents has one placement, which it did not learn") {
  const Split<Stats> split = Best(Rules(1, MissingRule::kThird), {-2, 2, 2}, {-10, 2, 2}, {});
  CHECK(split.exists());
  CHECK(split.missing == MissingTo::kLeft);
  CHECK_FALSE(split.saw_missing);
}

TEST_CASE("of equal gains missing left wins") {
  // The missing have the mean of both sides together, and both sides weigh the same.
  CHECK(Best(Rules(1), {-2, 2, 2}, {-10, 2, 2}, {-6, 2, 2}).missing == MissingTo::kLeft);
}

TEST_CASE("every child needs min_samples_leaf documents, however much they weigh") {
  const Stats left{-2, 20, 2};
  const Stats right{-10, 1, 2};
  const Stats missing{-10, 1, 1};
  CHECK(Best(Rules(2), left, right, {}).exists());
  CHECK_FALSE(Best(Rules(3), left, right, {}).exists());
  // With the one missing document either side can reach 3, not both.
  CHECK_FALSE(Best(Rules(3), left, right, missing).exists());
  CHECK(Best(Rules(3), left, {-10, 1, 3}, missing).missing == MissingTo::kLeft);
  // A third child is a child.
  const Stats far{-90, 1, 2};
  CHECK(Best(Rules(2, MissingRule::kThird), left, right, far).missing == MissingTo::kOwn);
  CHECK(Best(Rules(3, MissingRule::kThird), {-2, 20, 3}, {-10, 1, 3}, far).missing !=
        MissingTo::kOwn);
  // An empty side is no child, even if everything else may be.
  CHECK_FALSE(Best(Rules(1), left, {}, {}).exists());
  CHECK(Best(Rules(1), left, {}, missing).missing == MissingTo::kRight);
  CHECK_FALSE(Best(Rules(1, MissingRule::kThird), {}, {}, missing).exists());
}

TEST_CASE("every child needs min_hessian") {
  const Newton newton{0.0, 2.0};
  CHECK(Best(Rules(1), {-2, 2, 2}, {-10, 2, 2}, {}, {}, newton).exists());
  CHECK_FALSE(Best(Rules(1), {-2, 2, 2}, {-10, 1, 2}, {}, {}, newton).exists());
  CHECK_FALSE(Best(Rules(1), {-2, 1, 2}, {-10, 2, 2}, {}, {}, newton).exists());
  CHECK(Best(Rules(1, MissingRule::kThird), {-2, 2, 2}, {-10, 2, 2}, {-90, 1, 1}, {}, newton)
            .missing != MissingTo::kOwn);
}

TEST_CASE("a gain must exceed min_gain, and that of the best split so far") {
  const Stats left{-2, 2, 2};
  const Stats right{-10, 2, 2};  // gain 16
  CHECK(Best(Rules(1, MissingRule::kLearn, 15.999), left, right, {}).exists());
  CHECK_FALSE(Best(Rules(1, MissingRule::kLearn, 16.0), left, right, {}).exists());
  CHECK_FALSE(Best(Rules(1), {-2, 2, 2}, {-3, 3, 3}, {}).exists());  // equal means
  Split<Stats> before;
  before.gain = 17.0;
  before.feature = 9;
  CHECK(Best(Rules(1), left, right, {}, before).feature == 9);
  before.gain = 16.0;
  CHECK(Best(Rules(1), left, right, {}, before).feature == 0);  // the same gain, a lower feature
}

TEST_CASE("the best placement is the best of all that the rules allow, on random sums") {
  Rng rng(231);
  const auto draw = [&](bool may_be_empty) {
    const auto n = static_cast<int>(rng.Below(4)) + (may_be_empty ? 0 : 1);
    return Stats{n == 0 ? 0 : static_cast<int>(rng.Below(20)) - 10,
                 n * (1 + static_cast<int>(rng.Below(2))), static_cast<std::uint64_t>(n)};
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const Stats left = draw(true);
    const Stats right = draw(true);
    const Stats missing = draw(true);
    const SplitRules rules =
        Rules(1 + rng.Below(2), trial % 2 == 0 ? MissingRule::kLearn : MissingRule::kThird,
              rng.Below(3) * 0.5);
    const double l2 = rng.Below(2) * 0.5;
    const auto worth = [&](const Stats& s) {
      const auto grad = static_cast<double>(s.grad);
      return s.count == 0 ? 0.0 : grad * grad / (static_cast<double>(s.hess) + l2);
    };
    double best = 0.0;
    const auto consider = [&](const std::vector<Stats>& children) {
      double gain = -worth(left + right + missing);
      for (const Stats& child : children) {
        if (child.count < rules.min_samples_leaf) return;
        gain += worth(child);
      }
      if (gain > rules.min_gain + 1e-12) best = std::max(best, gain);
    };
    consider({left + missing, right});
    consider({left, right + missing});
    if (rules.missing == MissingRule::kThird) consider({left, right, missing});
    INFO("trial ", trial);
    CHECK(Best(rules, left, right, missing, {}, {l2, 0.0}).gain == doctest::Approx(best));
  }
}

}  // namespace rankforest
