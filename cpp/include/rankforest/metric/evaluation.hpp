#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace rankforest {

/// What a metric says of the scores of some queries.
struct Evaluation {
  /// The weighted mean over the queries that count (RMSE: over their documents), or NaN if none
  /// does: no query, or every one skipped or of weight 0.
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_empty = 0;     ///< queries without a relevant document, whatever they count as
  std::vector<double> values;  ///< of each query; NaN: skipped
};

}  // namespace rankforest
