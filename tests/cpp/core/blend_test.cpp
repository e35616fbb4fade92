#include "rankforest/core/blend.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("blends are equal if all of them is") {
  const Blend blend{Combine::kMinMax, {{0, 1.0}, {1, 0.5}}};
  CHECK(blend == Blend{Combine::kMinMax, {{0, 1.0}, {1, 0.5}}});
  CHECK_FALSE(blend == Blend{Combine::kZScore, {{0, 1.0}, {1, 0.5}}});
  CHECK_FALSE(blend == Blend{Combine::kMinMax, {{0, 1.0}, {1, 0.25}}});
  CHECK_FALSE(blend == Blend{Combine::kMinMax, {{0, 1.0}, {2, 0.5}}});
  CHECK_FALSE(blend == Blend{Combine::kMinMax, {{0, 1.0}}});
}

}  // namespace rankforest
