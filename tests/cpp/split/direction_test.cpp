#include "rankforest/split/direction.hpp"

#include <doctest/doctest.h>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {
namespace {

TEST_CASE("sides are bounded by what is half-way between them") {
  const auto [left, right] = BoundSides({-10.0, 10.0}, 1, 2.0, 6.0);
  CHECK(left.low == -10.0);
  CHECK(left.high == 4.0);
  CHECK(right.low == 4.0);
  CHECK(right.high == 10.0);
  const auto [above, below] = BoundSides({-10.0, 10.0}, -1, 6.0, 2.0);
  CHECK(above.low == 4.0);
  CHECK(below.high == 4.0);
}

TEST_CASE("what the sides would predict is clipped to the node's own bounds first") {
  const auto [left, right] = BoundSides({0.0, 4.0}, 1, -100.0, 100.0);
  CHECK(left.high == 2.0);
  CHECK(right.low == 2.0);
}

TEST_CASE("a feature without a direction leaves the bounds of the node") {
  const auto [left, right] = BoundSides({1.0, 2.0}, 0, 5.0, 0.0);
  CHECK(left.low == 1.0);
  CHECK(right.high == 2.0);
}

TEST_CASE("whatever is clipped to the bounds of the two sides is in order") {
  Rng rng(1);
  const auto draw = [&] { return rng.Uniform() * 4.0 - 2.0; };
  for (int trial = 0; trial < 1000; ++trial) {
    const double low = draw();
    const ValueBounds node = {low, low + rng.Uniform()};
    const int direction = rng.Below(2) == 0 ? 1 : -1;
    const auto [left, right] = BoundSides(node, direction, draw(), draw());
    const double step = right.Clip(draw()) - left.Clip(draw());
    CHECK(direction * step >= 0.0);
    CHECK(node.Clip(left.high) == left.high);
    CHECK(node.Clip(right.low) == right.low);
  }
}

TEST_CASE("a split keeps to a direction if its leaves would step that way") {
  const Newton::Scaled criterion{Newton{}, GradientScales{}};
  const Newton::Stats low = {4, 2, 2};    // predicts -2
  const Newton::Stats high = {-1, 1, 1};  // predicts 1
  CHECK(KeepsDirection(criterion, 1, low, high));
  CHECK_FALSE(KeepsDirection(criterion, -1, low, high));
  CHECK(KeepsDirection(criterion, -1, high, low));
  CHECK(KeepsDirection(criterion, 0, high, low));
  CHECK_FALSE(KeepsDirection(criterion, 1, low, low));
}

}  // namespace
}  // namespace rankforest
