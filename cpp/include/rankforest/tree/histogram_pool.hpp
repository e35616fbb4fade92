#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "rankforest/tree/node_histogram.hpp"

namespace rankforest {

/// Histograms that wait for the children of their nodes, in bounded memory: where there is no
/// room, a node goes without and its children are both summed from their documents.
class HistogramPool {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20U;
  static constexpr std::size_t kFewest = 8;

  /// @param n_bytes     of one histogram
  /// @param most_bytes  of those that wait, but for kFewest of them
  explicit HistogramPool(std::size_t n_bytes, std::size_t most_bytes = kMostBytes)
      : most_kept_(std::max(kFewest, most_bytes / std::max<std::size_t>(1, n_bytes))) {}

  [[nodiscard]] std::size_t Acquire() {
    if (free_.empty()) {
      free_.push_back(histograms_.size());
      histograms_.emplace_back();
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void Release(std::size_t index) { free_.push_back(index); }
  void ReleaseAll() {
    free_.clear();
    for (std::size_t i = histograms_.size(); i > 0; --i) free_.push_back(i - 1);
  }
  /// Whether as many are in use as may wait.
  [[nodiscard]] bool is_full() const { return histograms_.size() - free_.size() > most_kept_; }

  [[nodiscard]] NodeHistogram& operator[](std::size_t index) { return histograms_[index]; }
  [[nodiscard]] const NodeHistogram& operator[](std::size_t index) const {
    return histograms_[index];
  }

 private:
  std::size_t most_kept_;
  std::deque<NodeHistogram> histograms_;  // stay where they are
  std::vector<std::size_t> free_;
};

}  // namespace rankforest
