#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// The largest level for which the sum of min(demand, level) is at most `budget`; the largest
/// demand if all of them can be met, and 1 at least.
inline std::size_t EvenLevel(Span<const std::size_t> demands, std::size_t budget) {
  std::vector<std::size_t> ascending(demands.begin(), demands.end());
  std::sort(ascending.begin(), ascending.end());
  std::size_t met = 0;  // by the demands before the one looked at
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const std::size_t n_left = ascending.size() - i;
    if (met + ascending[i] * n_left > budget) {
      return std::max<std::size_t>(1, (budget - met) / n_left);
    }
    met += ascending[i];
  }
  return ascending.empty() ? 1 : std::max<std::size_t>(1, ascending.back());
}

}  // namespace rankforest::detail
