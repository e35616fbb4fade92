#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/binned_rows.hpp"

namespace rankforest {

/// What one thread sums of a node.
struct HistogramPart {
  std::size_t begin = 0;  ///< of the node's documents
  std::size_t end = 0;    ///< one past the last
  GroupPart features = GroupPart::kAll;
  std::size_t histogram = 0;  ///< that it sums into, of as many as there are ranges of documents
};

/// Divides the summing of a node among threads: a large node by its documents, which takes a
/// histogram for each thread and adding them up; a small one also by its features, to which two
/// threads sum side by side in one histogram, though both have to reach for every document.
///
/// @param n_documents         of the node
/// @param may_share_features  whether halves of the features can be summed on their own
/// @param n_workers           >= 1
/// @returns at least one part; histograms have the numbers from 0 on, ascending
inline std::vector<HistogramPart> HistogramParts(std::size_t n_documents, bool may_share_features,
                                                 std::size_t n_workers) {
  constexpr std::size_t kDocumentsPerRange = 320;  // fewer are not worth another histogram
  constexpr std::size_t kFewest = 32;              // fewer are not worth another thread
  constexpr std::size_t kMost = 8192;              // more lie too far apart to reach for twice
  const std::size_t most_ranges = std::max<std::size_t>(1, n_documents / kDocumentsPerRange);
  const bool by_features = may_share_features && n_documents >= kFewest && n_documents <= kMost &&
                           n_workers > 1 && (n_workers % 2 == 0 || most_ranges < n_workers);
  const std::size_t n_ranges = std::min(most_ranges, by_features ? n_workers / 2 : n_workers);
  std::vector<HistogramPart> parts;
  for (std::size_t r = 0; r < n_ranges; ++r) {
    const std::size_t begin = n_documents * r / n_ranges;
    const std::size_t end = n_documents * (r + 1) / n_ranges;
    if (by_features) {
      parts.push_back({begin, end, GroupPart::kFirstHalf, r});
      parts.push_back({begin, end, GroupPart::kSecondHalf, r});
    } else {
      parts.push_back({begin, end, GroupPart::kAll, r});
    }
  }
  return parts;
}

}  // namespace rankforest
