#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/detail/platform_search.hpp"

namespace rankforest {

/// The number of a bin of one feature, ascending with the values; one past the last bin stands
/// for NaN.
using Bin = std::uint8_t;

/// Ranges of neighbouring values that the histogram engine takes for one: at most kMost of them.
class FeatureBins {
 public:
  static constexpr std::size_t kMost = 255;

  FeatureBins() : FeatureBins(std::vector<float>(), 0) {}

  /// @param edges   ascending; bin b holds the values above edge b - 1 and up to edge b
  /// @param common  the bin that most documents are thought to be in
  FeatureBins(std::vector<float> edges, Bin common)
      : lowest_(edges.size() + 1, std::numeric_limits<float>::infinity()),
        highest_(edges.size() + 1, -std::numeric_limits<float>::infinity()),
        common_(common),
        edges_(std::move(edges)) {
    assert(n_bins() <= kMost);
    edges_.resize(kFan * kFan, std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < kFan; ++i) every_16th_[i] = edges_[i * kFan + kFan - 1];
  }

  /// NaN not counted.
  [[nodiscard]] std::size_t n_bins() const { return lowest_.size(); }
  [[nodiscard]] Bin missing_code() const { return static_cast<Bin>(n_bins()); }
  [[nodiscard]] bool has_missing() const { return has_missing_; }
  /// One for each bin, and one for NaN where there is any.
  [[nodiscard]] std::size_t n_codes() const { return n_bins() + (has_missing_ ? 1U : 0U); }
  /// Whether no split can tell two documents apart. NaN alone has a bin of values without any.
  [[nodiscard]] bool is_constant() const {
    return n_bins() == 1 && (!has_missing_ || lowest_[0] > highest_[0]);
  }
  /// A code that many documents have: what a sparse layout leaves out.
  [[nodiscard]] Bin common() const { return common_; }
  /// The smallest and the largest value of the data in a bin.
  [[nodiscard]] float Lowest(std::size_t bin) const { return lowest_[bin]; }
  [[nodiscard]] float Highest(std::size_t bin) const { return highest_[bin]; }
  /// The largest value of the data.
  [[nodiscard]] float Largest() const { return highest_.back(); }

  /// The bin of a value: how many edges are below it. Looks at every 16th edge, then at the 16 in
  /// between: a binary search is slower, for its steps wait for each other.
  [[nodiscard]] Bin BinOf(float value) const {
    if (value != value) return missing_code();
    const std::size_t first = kFan * detail::BelowOf16(every_16th_.data(), value);
    return static_cast<Bin>(first + detail::BelowOf16(edges_.data() + first, value));
  }

  /// Takes note of values of the data.
  void Widen(std::size_t bin, float lowest, float highest) {
    lowest_[bin] = std::min(lowest_[bin], lowest);
    highest_[bin] = std::max(highest_[bin], highest);
  }
  void NoteMissing() { has_missing_ = true; }

 private:
  static constexpr std::size_t kFan = detail::kSearched;

  std::vector<float> lowest_;
  std::vector<float> highest_;
  bool has_missing_ = false;
  Bin common_ = 0;
  std::vector<float> edges_;  // kFan^2 of them, padded with infinity
  std::array<float, kFan> every_16th_;
};

}  // namespace rankforest
