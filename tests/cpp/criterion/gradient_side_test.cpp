#include "rankforest/criterion/gradient_side.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "rankforest/core/rng.hpp"
#include "support/node_documents.hpp"

namespace rankforest {

TEST_CASE("the side with fewer documents of a mean, by hand") {
  testing::NodeDocuments node;
  for (const std::int32_t grad : {-1, -1, -1, 5}) node.Add({grad, 1}, 1);
  const GradientSide side = GradientSide::Rarer(node.node());
  CHECK(side.ratio == 0.5);
  CHECK(side.is_above);
  CHECK(side.Has({5, 1}));
  CHECK_FALSE(side.Has({-1, 1}));
  CHECK_FALSE(side.Has({1, 2}));  // the mean itself

  testing::NodeDocuments other;
  for (const std::int32_t grad : {1, 1, 1, -5}) other.Add({grad, 1}, 1);
  CHECK_FALSE(GradientSide::Rarer(other.node()).is_above);
  CHECK(GradientSide::Rarer(other.node()).Has({-5, 1}));
}

TEST_CASE("documents without a hessian have a side, too") {
  testing::NodeDocuments node;
  node.Add({3, 0}, 1);
  node.Add({-2, 0}, 1);
  const GradientSide side = GradientSide::Rarer(node.node());
  CHECK(side.Has({3, 0}));
  CHECK_FALSE(side.Has({0, 0}));
}

TEST_CASE("a side never has more than half of the documents") {
  Rng rng(241);
  for (int trial = 0; trial < 200; ++trial) {
    const auto node = testing::RandomNode(1000, 1 + rng.Below(40), 16, 0, 1, rng);
    const GradientSide side = GradientSide::Rarer(node.node());
    std::size_t n = 0;
    for (const Newton::Target target : node.targets) n += side.Has(target) ? 1U : 0U;
    CHECK(2 * n <= node.rows.size());
  }
}

}  // namespace rankforest
