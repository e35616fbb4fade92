#pragma once

#include <cstddef>

namespace rankforest::detail {

/// What calculators know of all queries together.
struct DataExtent {
  std::size_t longest = 0;     ///< the most documents that a query has
  double highest_grade = 0.0;  ///< of all documents; where a metric asks for it
};

}  // namespace rankforest::detail
