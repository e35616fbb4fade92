#include "rankforest/tree/limits.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

namespace rankforest {

TEST_CASE("the smallest leaf is a count, or a fraction of the drawn documents, rounded up") {
  CHECK(LeafSize{}.Count(100) == 1);
  CHECK(LeafSize{20.0, false}.Count(100) == 20);
  CHECK(LeafSize{20.0, false}.Count(3) == 20);
  CHECK(LeafSize{0.25, true}.Count(100) == 25);
  CHECK(LeafSize{0.25, true}.Count(101) == 26);
  CHECK(LeafSize{0.25, true}.Count(1) == 1);
  CHECK(LeafSize{1e-9, true}.Count(100) == 1);
}

TEST_CASE("a fraction is never less than its share of the documents, nor a whole one more") {
  for (std::uint64_t n = 1; n < 500; ++n) {
    for (const double fraction : {0.01, 0.1, 0.3, 0.5, 0.99}) {
      const auto count = static_cast<double>(LeafSize{fraction, true}.Count(n));
      CHECK(count >= fraction * static_cast<double>(n));
      CHECK(count < fraction * static_cast<double>(n) + 1.0);
    }
  }
}

TEST_CASE("a tree has no limits unless it is given some") {
  const TreeLimits limits;
  CHECK_FALSE(limits.max_depth.has_value());
  CHECK_FALSE(limits.max_leaf_nodes.has_value());
  CHECK(limits.min_samples_leaf.Count(1000) == 1);
  CHECK(limits.min_gain == 0.0);
  CHECK(limits.missing == MissingRule::kLearn);
  CHECK(limits.grow_policy == GrowPolicy::kBestFirst);
}

TEST_CASE("an oblivious tree has as many levels as both limits allow, and 6 without any") {
  const auto levels = [](std::optional<std::uint32_t> depth, std::optional<std::uint32_t> leaves) {
    TreeLimits limits;
    limits.max_depth = depth;
    limits.max_leaf_nodes = leaves;
    return MostLevels(limits);
  };
  CHECK(levels({}, {}) == 6);
  CHECK(levels(3, {}) == 3);
  CHECK(levels({}, 2) == 1);
  CHECK(levels({}, 64) == 6);
  CHECK(levels({}, 65536) == 16);
  CHECK(levels(4, 64) == 4);
  CHECK(levels(8, 16) == 4);
  CHECK(levels(16, {}) == 16);
}

}  // namespace rankforest
