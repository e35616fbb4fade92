#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/code_rows.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/tree/packed_sums.hpp"

namespace rankforest {

/// Histograms of a few features of a small node, whose documents fit detail::PackedSums. Only bins
/// that have a document are looked at: most nodes of an unpruned tree have far fewer documents
/// than a feature has bins.
class DrawnHistograms {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  /// Features at a time, whose sums fit the fastest cache.
  static constexpr std::size_t kMost = 8;

  /// One feature of the node, as BestThreshold and RandomThreshold ask about it.
  class Column {
   public:
    Column(const FeatureBins& bins, const DrawnHistograms& histograms)
        : bins_(bins), histograms_(histograms) {}

    void Sort() {}
    [[nodiscard]] Span<const Stats> cells() const {
      return {histograms_.cells_.data(), histograms_.size_};
    }
    [[nodiscard]] Code CodeOf(std::size_t cell) const { return histograms_.codes_[cell]; }
    [[nodiscard]] const Stats& missing() const { return histograms_.missing_; }
    [[nodiscard]] float Lowest(Code code) const { return bins_.Lowest(code); }
    [[nodiscard]] float Highest(Code code) const { return bins_.Highest(code); }
    [[nodiscard]] float Largest() const { return bins_.Largest(); }

    /// See NodeColumn.
    struct Range {
      Code first;
      Code last;
    };
    [[nodiscard]] Range Measure() const {
      if (histograms_.size_ == 0) return {bins_.missing_code(), 0};
      return {CodeOf(0), CodeOf(histograms_.size_ - 1)};
    }
    [[nodiscard]] Stats SumUpTo(Code cut) const {
      Stats sum;
      for (std::size_t i = 0; i < histograms_.size_ && CodeOf(i) <= cut; ++i) sum += cells()[i];
      return sum;
    }

   private:
    const FeatureBins& bins_;
    const DrawnHistograms& histograms_;
  };

  /// Sums a node's documents by their codes in each of the features, at most kMost.
  void Sum(const CodeRows& rows, const NodeRows<Target>& node, Span<const FeatureId> features,
           const detail::PackedSums& sums) {
    assert(features.size() <= kMost);
    if (features.size() == kMost) return Add<kMost>(rows, node, features, sums, 0);
    for (std::size_t k = 0; k < features.size(); ++k) {
      Add<1>(rows, node, features.subspan(k, 1), sums, k);
    }
  }

  /// The k-th of the features, once. Valid until the next one is taken.
  [[nodiscard]] Column Take(std::size_t k, const FeatureBins& bins,
                            const detail::PackedSums& sums) {
    size_ = 0;
    for (std::size_t w = 0; w < kWords; ++w) {
      for (std::uint64_t& bits = occupied_[k][w]; bits != 0; bits &= bits - 1) {
        const std::size_t code =
            w * 64 + static_cast<std::size_t>(detail::CountTrailingZeros(bits));
        codes_[size_] = static_cast<Bin>(code);
        cells_[size_++] = sums.Unpack(words_[k][code]);
        words_[k][code] = 0;
      }
    }
    missing_ = {};
    if (size_ > 0 && codes_[size_ - 1] == bins.missing_code()) missing_ = cells_[--size_];
    return {bins, *this};
  }

 private:
  static constexpr std::size_t kCodes = FeatureBins::kMost + 1;
  static constexpr std::size_t kWords = kCodes / 64;
  static constexpr std::size_t kAhead = 8;  // documents between prefetch and use

  /// The one loop that runs per document and feature. Documents of the same bin, one after the
  /// other, wait for each other's sum; several features at a time do not.
  template <std::size_t kSize>
  void Add(const CodeRows& rows, const NodeRows<Target>& node, Span<const FeatureId> features,
           const detail::PackedSums& sums, std::size_t first) {
    std::array<FeatureId, kSize> feature;
    std::copy_n(features.begin(), kSize, feature.begin());
    for (std::size_t i = 0; i < node.size(); ++i) {
      rows.Prefetch(node.rows[std::min(i + kAhead, node.size() - 1)]);
      const Bin* const codes = rows[node.rows[i]];
      const std::uint64_t word = sums.Pack(node.targets[i], node.Count(i));
      for (std::size_t k = 0; k < kSize; ++k) {
        const std::size_t code = codes[feature[k]];
        words_[first + k][code] += word;
        occupied_[first + k][code / 64] |= std::uint64_t{1} << code % 64;
      }
    }
  }

  // By feature and code; all zero between uses.
  std::array<std::array<std::uint64_t, kCodes>, kMost> words_ = {};
  std::array<std::array<std::uint64_t, kWords>, kMost> occupied_ = {};  // a bit for each code
  // Of the feature that was taken, ascending.
  std::size_t size_ = 0;
  std::array<Bin, kCodes> codes_ = {};
  std::array<Stats, kCodes> cells_;
  Stats missing_;
};

}  // namespace rankforest
