#include "rankforest/train/monitor_settings.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("by default nothing is watched, nothing stops early and nothing is saved") {
  const MonitorSettings settings;
  CHECK(settings.watches.empty());
  CHECK_FALSE(settings.early_stopping_rounds.has_value());
  CHECK(settings.min_delta == 0.0);
  CHECK_FALSE(settings.on_round);
  CHECK_FALSE(settings.checkpoints.save);
}

}  // namespace rankforest
