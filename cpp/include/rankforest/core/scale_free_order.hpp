#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

// The scale-free order of a query's documents is made of comparisons of feature values only, so
// that any strictly increasing change of a feature, such as another unit, leaves it as it is. The
// canonical order hashes the values themselves and does not have this property.
//
// Documents are sorted by a hash of their *coarse ranks*: 0 for a feature that has its least value
// of the query, 2 for its largest, 1 for one in between. Documents of equal hashes are then sorted
// by a hash of their dense ranks among each other, which differ as soon as a feature does; the same
// documents by grade, lower first, and at last in canonical order. NaN counts as the largest value,
// -0.0 as 0.0, an infinity as the largest number of its sign. A feature that is constant within the
// query has rank 0 and adds nothing.
//
// Coarse ranks come first because they need no sorting: two passes over the features.

namespace detail {

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

/// Sorts the documents of one query at a time. The memory of one thread.
class ScaleFreeSorter {
 public:
  explicit ScaleFreeSorter(const Dataset& data)
      : data_(data),
        high_keys_(data.n_features()),
        low_keys_(data.n_features()),
        least_(data.n_features()),
        largest_(data.n_features()) {
    Rng keys(1);  // those of 0 hash values
    for (std::size_t f = 0; f < high_keys_.size(); ++f) {
      const std::uint64_t key = keys.Next();
      high_keys_[f] = static_cast<std::uint32_t>(key >> 32);
      low_keys_[f] = static_cast<std::uint32_t>(key);
    }
  }

  /// Writes the documents of a query, in their order.
  void Sort(std::size_t query, Span<RowId> out) {
    const RowId first = data_.offsets()[query];
    items_.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) items_[i].document = first + static_cast<RowId>(i);
    HashCoarseRanks();
    std::sort(items_.begin(), items_.end());
    ForEachRun([this](std::size_t begin, std::size_t end) { SortByDenseRanks(begin, end); });
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = items_[i].document;
  }

 private:
  struct Item {
    std::uint64_t hash;
    RowId document;

    friend bool operator<(const Item& a, const Item& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.document < b.document;
    }
  };

  /// Takes the values of a document into the least and largest of each feature.
  struct Widen {
    const float* features;
    std::size_t n_features;
    std::int32_t* least;
    std::int32_t* largest;

    [[gnu::always_inline]] void operator()() const {
      for (std::size_t f = 0; f < n_features; ++f) {
        const std::int32_t key = RankKey(features[f]);
        least[f] = key < least[f] ? key : least[f];
        largest[f] = key > largest[f] ? key : largest[f];
      }
    }
  };

  /// The sum over the features of coarse rank x key, in two halves of 32 bits each.
  struct AddCoarseRanks {
    const float* features;
    std::size_t n_features;
    const std::int32_t* least;
    const std::int32_t* largest;
    const std::uint32_t* high_keys;
    const std::uint32_t* low_keys;

    [[gnu::always_inline]] std::uint64_t operator()() const {
      std::uint32_t high = 0;
      std::uint32_t low = 0;
      for (std::size_t f = 0; f < n_features; ++f) {
        const std::int32_t key = RankKey(features[f]);
        const std::uint32_t is_above = 0U - static_cast<std::uint32_t>(key > least[f]);
        const std::uint32_t is_largest = 0U - static_cast<std::uint32_t>(key == largest[f]);
        const std::uint32_t is_top = is_above & is_largest;
        high += (high_keys[f] & is_above) + (high_keys[f] & is_top);
        low += (low_keys[f] & is_above) + (low_keys[f] & is_top);
      }
      return std::uint64_t{high} << 32 | low;
    }
  };

  void HashCoarseRanks() {
    const std::size_t n_features = high_keys_.size();
    std::fill(least_.begin(), least_.end(), std::numeric_limits<std::int32_t>::max());
    std::fill(largest_.begin(), largest_.end(), std::numeric_limits<std::int32_t>::min());
    for (const Item& item : items_) {
      CallWide(Widen{data_.Features(item.document), n_features, least_.data(), largest_.data()});
    }
    for (Item& item : items_) {
      const std::uint64_t sum =
          CallWide(AddCoarseRanks{data_.Features(item.document), n_features, least_.data(),
                                  largest_.data(), high_keys_.data(), low_keys_.data()});
      item.hash = Mix64(sum + items_.size());  // queries of other lengths have other orders
    }
  }

  /// Calls visit(begin, end) for each run of two or more documents with equal hashes.
  template <class Visit>
  void ForEachRun(const Visit& visit) {
    for (std::size_t begin = 0; begin < items_.size();) {
      std::size_t end = begin + 1;
      while (end < items_.size() && items_[end].hash == items_[begin].hash) ++end;
      if (end - begin > 1) visit(begin, end);
      begin = end;
    }
  }

  void SortByDenseRanks(std::size_t begin, std::size_t end) {
    sums_.assign(end - begin, 0);
    constexpr std::size_t kMost = FeatureBlock::kMostFeatures;
    for (std::size_t first = 0; first < high_keys_.size(); first += kMost) {
      const std::size_t last = std::min(first + kMost, high_keys_.size());
      block_.Load(data_, first, last, end - begin,
                  [&](std::size_t i) { return items_[begin + i].document; });
      for (std::size_t f = first; f < last; ++f) AddDenseRanks(block_.Column(f - first), f);
    }
    for (std::size_t i = begin; i < end; ++i) items_[i].hash = Mix64(sums_[i - begin]);
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin),
              items_.begin() + static_cast<std::ptrdiff_t>(end),
              [this](const Item& a, const Item& b) {
                if (a.hash != b.hash) return a.hash < b.hash;
                const double grade_a = data_.grades()[a.document];
                const double grade_b = data_.grades()[b.document];
                return grade_a != grade_b ? grade_a < grade_b : a.document < b.document;
              });
  }

  /// Adds dense rank x key of a feature to the sums of a run.
  ///
  /// @param values  of the feature
  void AddDenseRanks(Span<const float> values, std::size_t feature) {
    ranked_.resize(sums_.size());
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      constexpr std::uint32_t kSign = 0x80000000U;  // keys order as numbers without a sign
      const auto rank_key = static_cast<std::uint32_t>(RankKey(values[i]));
      ranked_[i] = std::uint64_t{rank_key ^ kSign} << 32 | i;
      differ |= ranked_[i] ^ ranked_[0];
    }
    if (differ >> 32 == 0) return;  // constant
    std::sort(ranked_.begin(), ranked_.end());
    const std::uint64_t key = std::uint64_t{high_keys_[feature]} << 32 | low_keys_[feature];
    std::uint64_t sum = 0;  // rank x key
    std::uint64_t previous = ranked_[0];
    for (const std::uint64_t ranked : ranked_) {
      sum += (ranked ^ previous) >> 32 != 0 ? key : 0;
      sums_[static_cast<std::uint32_t>(ranked)] += sum;
      previous = ranked;
    }
  }

  const Dataset& data_;
  std::vector<std::uint32_t> high_keys_;  // of each feature; both halves make its key
  std::vector<std::uint32_t> low_keys_;
  std::vector<std::int32_t> least_;  // of each feature, in the query
  std::vector<std::int32_t> largest_;
  std::vector<Item> items_;
  FeatureBlock block_;
  std::vector<std::uint64_t> sums_;    // of each document of a run, as the next
  std::vector<std::uint64_t> ranked_;  // key of a value, then place in the run
};

}  // namespace detail

/// The documents of a data set, those of each query in their scale-free order: those of query q
/// stand at the positions [offsets()[q], offsets()[q + 1]), as they do in canonical order.
inline std::vector<RowId> ScaleFreeOrder(const Dataset& data, Threads threads) {
  constexpr std::size_t kQueries = 16;
  std::vector<RowId> documents(data.n_documents());
  std::vector<detail::ScaleFreeSorter> sorters(
      WorkerCount(threads, (data.n_queries() + kQueries - 1) / kQueries),
      detail::ScaleFreeSorter(data));
  ParallelChunks(threads, data.n_queries(), kQueries,
                 [&](std::size_t begin, std::size_t end, std::size_t worker) {
                   for (std::size_t q = begin; q < end; ++q) {
                     const RowId first = data.offsets()[q];
                     const std::size_t n = data.offsets()[q + 1] - first;
                     sorters[worker].Sort(q, Span<RowId>(documents.data() + first, n));
                   }
                 });
  return documents;
}

/// For each document of an order its place in it.
inline std::vector<RowId> PlacesIn(Span<const RowId> order) {
  std::vector<RowId> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<RowId>(i);
  return places;
}

}  // namespace rankforest
