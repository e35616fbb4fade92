#include "rankforest/objective/place_effects.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace rankforest {

TEST_CASE("effects are 0 before the first round") {
  const PlaceEffects none = PlaceEffects::None(3);
  CHECK(none.last_round() == 0);
  CHECK(none.After(0) == std::vector<double>{0.0, 0.0, 0.0});
}

TEST_CASE("effects are found by the round after which they hold, and some of them taken") {
  const PlaceEffects effects{4, {{0.5, 0.1}, {0.6, 0.2}, {0.7, 0.3}}};
  CHECK(effects.last_round() == 6);
  CHECK(effects.After(4) == std::vector<double>{0.5, 0.1});
  CHECK(effects.After(6) == std::vector<double>{0.7, 0.3});
  CHECK(effects.Between(5, 6) == PlaceEffects{5, {{0.6, 0.2}, {0.7, 0.3}}});
  CHECK(effects.Between(5, 5) == PlaceEffects{5, {{0.6, 0.2}}});
  CHECK(effects.Between(0, 4) == PlaceEffects{4, {{0.5, 0.1}}});  // no earlier ones are known
  CHECK(effects.Between(4, 6) == effects);
  CHECK_FALSE(effects.Between(4, 5) == effects);
}

}  // namespace rankforest
