#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/dense_ranks.hpp"
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

/// Sorts the documents of one query at a time. The memory of one thread.
class ScaleFreeSorter {
 public:
  explicit ScaleFreeSorter(const Dataset& data) : ScaleFreeSorter(data, Keys(data.n_features())) {}

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

  static std::vector<std::uint64_t> Keys(std::size_t n_features) {
    Rng rng(1);  // that of 0 hashes values
    std::vector<std::uint64_t> keys(n_features);
    for (std::uint64_t& key : keys) key = rng.Next();
    return keys;
  }

  ScaleFreeSorter(const Dataset& data, const std::vector<std::uint64_t>& keys)
      : data_(data), least_(keys.size()), largest_(keys.size()), dense_ranks_(data, keys) {
    for (const std::uint64_t key : keys) {
      high_keys_.push_back(static_cast<std::uint32_t>(key >> 32));
      low_keys_.push_back(static_cast<std::uint32_t>(key));
    }
  }

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
    const Span<const std::uint64_t> sums =
        dense_ranks_.Sums(end - begin, [&](std::size_t i) { return items_[begin + i].document; });
    for (std::size_t i = begin; i < end; ++i) items_[i].hash = Mix64(sums[i - begin]);
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin),
              items_.begin() + static_cast<std::ptrdiff_t>(end),
              [this](const Item& a, const Item& b) {
                if (a.hash != b.hash) return a.hash < b.hash;
                const double grade_a = data_.grades()[a.document];
                const double grade_b = data_.grades()[b.document];
                return grade_a != grade_b ? grade_a < grade_b : a.document < b.document;
              });
  }

  const Dataset& data_;
  std::vector<std::uint32_t> high_keys_;  // of each feature; both halves make its key
  std::vector<std::uint32_t> low_keys_;
  std::vector<std::int32_t> least_;  // of each feature, in the query
  std::vector<std::int32_t> largest_;
  std::vector<Item> items_;
  DenseRanks dense_ranks_;
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
