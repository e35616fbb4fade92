#include "rankforest/objective/yeti_settings.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("ten rankings are drawn with logistic noise, and weights decay by 0.85") {
  const YetiSettings settings;
  CHECK(settings.n_permutations == 10);
  CHECK(settings.noise == 1.0);
  CHECK(settings.decay == 0.85);
}

}  // namespace rankforest
