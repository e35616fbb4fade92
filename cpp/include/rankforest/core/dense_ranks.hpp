#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/float_order.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

/// A number that orders as the float does, -0.0 as 0.0, an infinity as the largest number of its
/// sign, with NaN as the largest. Without a branch, so that compilers make vector code of loops.
inline std::int32_t RankKey(float value) {
  constexpr std::int32_t kInfinity = 0x7F800000;
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  value += 0.0F;
  std::int32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits -= static_cast<std::int32_t>((bits & kLargest) == kInfinity);  // the number before it
  const std::int32_t is_nan = -static_cast<std::int32_t>((bits & kLargest) > kInfinity);
  const std::int32_t is_negative = -static_cast<std::int32_t>(bits < 0);
  return ((bits ^ (is_negative & kLargest)) & ~is_nan) | (is_nan & kLargest);
}

/// Adds up the dense ranks of some documents among each other: a document has rank r in a feature
/// where r different values are below its own, by RankKey. The memory of one thread.
class DenseRanks {
 public:
  /// @param keys  of each feature
  DenseRanks(const Dataset& data, std::vector<std::uint64_t> keys)
      : data_(data), keys_(std::move(keys)) {}

  /// Of each document the sum over the features of dense rank x key, modulo 2^64. Valid until the
  /// next call.
  ///
  /// @param document  0 to n - 1 -> a document
  template <class DocumentOf>
  Span<const std::uint64_t> Sums(std::size_t n, const DocumentOf& document) {
    sums_.assign(n, 0);
    if (n <= kFew) {
      ComparePairs(document);
    } else {
      SortColumns(document);
    }
    return sums_;
  }

 private:
  /// Up to so many documents are faster compared with each other than sorted.
  static constexpr std::size_t kFew = 24;

  /// The rank keys of two documents of which i comes before j.
  struct Pair {
    std::size_t n_features;
    const std::int32_t* i;
    const std::int32_t* j;
  };

  /// Writes the rank keys of a document. Its values count until an earlier one is equal.
  struct Rank {
    const float* features;
    Span<const std::uint64_t> keys;
    std::int32_t* ranked;
    std::uint64_t* counted;

    [[gnu::always_inline]] void operator()() const {
      for (std::size_t f = 0; f < keys.size(); ++f) ranked[f] = RankKey(features[f]);
      for (std::size_t f = 0; f < keys.size(); ++f) counted[f] = keys[f];
    }
  };

  /// Of equal values only that of the first document counts.
  struct LeaveOutEqual {
    Pair pair;
    std::uint64_t* counted;  // of j

    [[gnu::always_inline]] void operator()() const {
      for (std::size_t f = 0; f < pair.n_features; ++f) {
        counted[f] &= 0U - std::uint64_t{pair.i[f] != pair.j[f]};
      }
    }
  };

  /// Adds to either document the keys of features in which the other one has a lower value, if that
  /// counts.
  struct AddBelow {
    Pair pair;
    const std::uint64_t* counted_i;
    const std::uint64_t* counted_j;
    std::uint64_t& sum_i;
    std::uint64_t& sum_j;

    [[gnu::always_inline]] void operator()() const {
      std::uint64_t below_i = 0;
      std::uint64_t below_j = 0;
      for (std::size_t f = 0; f < pair.n_features; ++f) {
        below_j += counted_i[f] & (0U - std::uint64_t{pair.i[f] < pair.j[f]});
        below_i += counted_j[f] & (0U - std::uint64_t{pair.j[f] < pair.i[f]});
      }
      sum_i += below_i;
      sum_j += below_j;
    }
  };

  template <class DocumentOf>
  void ComparePairs(const DocumentOf& document) {
    const std::size_t n_features = keys_.size();
    const std::size_t n_values = std::max(rows_.size(), sums_.size() * n_features);
    rows_.resize(n_values);
    counted_.resize(n_values);
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      std::int32_t* const row = rows_.data() + j * n_features;
      std::uint64_t* const counted = counted_.data() + j * n_features;
      CallWide(Rank{data_.Features(document(j)), keys_, row, counted});
      for (std::size_t i = 0; i < j; ++i) {
        CallWide(LeaveOutEqual{{n_features, rows_.data() + i * n_features, row}, counted});
      }
      for (std::size_t i = 0; i < j; ++i) {
        CallWide(AddBelow{{n_features, rows_.data() + i * n_features, row},
                          counted_.data() + i * n_features,
                          counted,
                          sums_[i],
                          sums_[j]});
      }
    }
  }

  template <class DocumentOf>
  void SortColumns(const DocumentOf& document) {
    constexpr std::size_t kMost = FeatureBlock::kMostFeatures;
    for (std::size_t first = 0; first < keys_.size(); first += kMost) {
      const std::size_t last = std::min(first + kMost, keys_.size());
      block_.Load(data_, first, last, sums_.size(), document);
      for (std::size_t f = first; f < last; ++f) AddSorted(block_.Column(f - first), keys_[f]);
    }
  }

  void AddSorted(Span<const float> values, std::uint64_t key) {
    ranked_.resize(values.size());
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      constexpr std::uint32_t kSign = 0x80000000U;  // keys order as numbers without a sign
      const auto rank_key = static_cast<std::uint32_t>(RankKey(values[i]));
      ranked_[i] = std::uint64_t{rank_key ^ kSign} << 32 | i;
      differ |= ranked_[i] ^ ranked_[0];
    }
    if (differ >> 32 == 0) return;  // constant
    SortRanked();
    std::uint64_t sum = 0;  // rank x key
    std::uint64_t previous = ranked_[0];
    for (const std::uint64_t ranked : ranked_) {
      sum += (ranked ^ previous) >> 32 != 0 ? key : 0;
      sums_[static_cast<std::uint32_t>(ranked)] += sum;
      previous = ranked;
    }
  }

  /// By value, then by document, by which they are sorted already.
  void SortRanked() {
    constexpr std::size_t kFewest = 128;  // for which passes over 2,048 digits pay
    if (ranked_.size() < kFewest) {
      std::sort(ranked_.begin(), ranked_.end());
    } else {
      RadixSort(ranked_, spare_,
                [](std::uint64_t ranked) { return static_cast<std::uint32_t>(ranked >> 32); });
    }
  }

  const Dataset& data_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> sums_;     // of each document
  std::vector<std::int32_t> rows_;      // [document][feature] RankKey, of few documents
  std::vector<std::uint64_t> counted_;  // [document][feature] the feature's key; 0: not counted
  FeatureBlock block_;
  std::vector<std::uint64_t> ranked_;  // RankKey of a value, then its document
  std::vector<std::uint64_t> spare_;
};

}  // namespace rankforest::detail
