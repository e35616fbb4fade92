#pragma once

#include <cstddef>

#include "rankforest/core/span.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

inline std::size_t CountRelevant(const Threshold& threshold, Span<const double> grades) {
  std::size_t count = 0;
  for (const double grade : grades) count += threshold.Passes(grade) ? 1U : 0U;
  return count;
}

}  // namespace rankforest::detail
