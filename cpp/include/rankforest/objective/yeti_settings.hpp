#pragma once

#include <cstdint>

namespace rankforest {

/// How YetiRank and YetiLoss draw rankings.
struct YetiSettings {
  std::uint32_t n_permutations = 10;  ///< rankings drawn of each query in a round, >= 1
  /// Scale of the logistic noise that is added to scores, >= 0. With 0 every ranking is that of the
  /// scores themselves.
  double noise = 1.0;
  double decay = 0.85;  ///< of YetiRank: what a rank weighs of the rank before, in (0, 1]
};

}  // namespace rankforest
