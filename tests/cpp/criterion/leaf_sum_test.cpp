#include "rankforest/criterion/leaf_sum.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

TEST_CASE("a leaf's value is the Newton step of its documents") {
  const GradientScales scales = ScalesFor({2.0, 1.0}, 52);
  LeafSum sum;
  sum.Add(scales, {-2.0, 1.0});
  sum.Add(scales, {0.5, 0.5}, 2);
  CHECK(sum.Value(Newton{}, scales) == 0.5);           // -(-2 + 2 x 0.5) / (1 + 2 x 0.5)
  CHECK(sum.Value(Newton{2.0, 0.0}, scales) == 0.25);  // 1 / (2 + 2)
  CHECK_FALSE(sum.is_empty());
  CHECK(LeafSum{}.is_empty());
}

TEST_CASE("sums of parts are the sum of all, in any order, bit for bit") {
  Rng rng(96);
  const GradientScales scales = ScalesFor({1.0, 1.0}, 52);
  LeafSum forward;
  LeafSum parts[3];
  std::vector<GradientPair> targets(500);
  for (GradientPair& target : targets) target = {rng.Uniform() - 0.5, rng.Uniform()};
  for (const GradientPair& target : targets) forward.Add(scales, target);
  for (std::size_t i = targets.size(); i-- > 0;) parts[i % 3].Add(scales, targets[i]);
  parts[2] += parts[0];
  parts[2] += parts[1];
  CHECK(parts[2].grad == forward.grad);
  CHECK(parts[2].hess == forward.hess);
}

}  // namespace rankforest
