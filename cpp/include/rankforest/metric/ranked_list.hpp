#pragma once

#include <algorithm>
#include <cstddef>

#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// The documents of one query from the best rank on, as a metric sees them.
///
/// Ranks count from 0. Block b holds the ranks [ends[b - 1], ends[b]), whose order is random:
/// documents with equal scores under Ties::kAverage, else one document. The blocks cover the
/// ranks below the cutoff, and a block that the cutoff cuts is whole; ranks behind are left out.
struct RankedList {
  Span<const double> grades;
  Span<const std::size_t> ends;
  std::size_t n_documents = 0;  ///< of the query: at least grades.size()

  /// The list under a cutoff at most as large as its own.
  [[nodiscard]] RankedList Head(std::size_t cutoff) const {
    if (cutoff >= grades.size()) return *this;
    const auto* const last = std::lower_bound(ends.begin(), ends.end(), cutoff);
    const auto blocks = static_cast<std::size_t>(last - ends.begin()) + 1;
    return {grades.subspan(0, *last), ends.subspan(0, blocks), n_documents};
  }
};

}  // namespace rankforest::detail
