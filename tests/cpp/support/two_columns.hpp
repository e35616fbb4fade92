#pragma once

#include "rankforest/score/rank_codes.hpp"

namespace rankforest::testing {

/// One feature with the thresholds 0 to 9 and one with the threshold 0.
inline detail::RankCodes TwoColumns() {
  return detail::RankCodes(
      {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}, {0, 9}, {1, 0}});
}

}  // namespace rankforest::testing
