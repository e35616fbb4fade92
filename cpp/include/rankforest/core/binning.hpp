#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/bin_edges.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/float_order.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// One binned feature of a data set: what PresortedColumn is to single values.
struct BinnedColumn {
  FeatureBins bins;
  std::vector<Bin> codes;  ///< of each document, in canonical order

  [[nodiscard]] std::size_t n_values() const { return bins.n_bins(); }
  [[nodiscard]] Bin missing_code() const { return bins.missing_code(); }
  [[nodiscard]] float Lowest(std::size_t code) const { return bins.Lowest(code); }
  [[nodiscard]] float Highest(std::size_t code) const { return bins.Highest(code); }
  [[nodiscard]] float Largest() const { return bins.Largest(); }
  [[nodiscard]] bool is_constant() const { return bins.is_constant(); }
};

namespace detail {

/// Chooses the bins of every feature of a data set, finds the range of values in each, and the bin
/// of every value.
class Binner {
 public:
  /// Documents that quantiles are taken from, evenly spaced in canonical order, where every
  /// document is as good as drawn at random. The values of a feature of few values are all
  /// found, whatever the sample holds.
  static constexpr std::size_t kSample = std::size_t{1} << 16U;

  Binner(const Dataset& data, Threads threads, std::size_t n_sampled = kSample)
      : data_(data), threads_(threads), n_sampled_(std::min(n_sampled, data.n_documents())) {}

  [[nodiscard]] std::vector<BinnedColumn> Columns() {
    const std::size_t n_features = data_.n_features();
    columns_.resize(n_features);
    has_few_.resize(n_features);
    few_values_.resize(n_features);
    strangers_.resize(n_features);
    constexpr double kSecondsPerValue = 1e-8;  // of the sample
    const Threads threads = ForLoopOf(threads_, n_sampled_ * n_features, kSecondsPerValue);
    ParallelChunks(threads, n_features, FeatureBlock::kMostFeatures,
                   [&](std::size_t begin, std::size_t end) { Choose(begin, end); });
    LookAtAll();
    ParallelFor(threads_, n_features, [&](std::size_t f) { TakeInStrangers(f); });
    return std::move(columns_);
  }

 private:
  static constexpr std::size_t kDocumentsPerTask = 4096;
  static constexpr std::size_t kAhead = 16;  // documents between prefetch and use

  void Choose(std::size_t begin, std::size_t end) {
    const std::size_t n = data_.n_documents();
    FeatureBlock block;
    block.Load(data_, begin, end, n_sampled_,
               [&](std::size_t i) { return static_cast<RowId>(i * n / n_sampled_); });
    for (std::size_t f = begin; f < end; ++f) {
      ChooseOne(f, block.Column(f - begin));
      columns_[f].codes.resize(n);
    }
  }

  void ChooseOne(std::size_t feature, Span<const float> sample) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> spare;
    keys.reserve(sample.size());
    for (const float value : sample) {
      if (!std::isnan(value)) keys.push_back(OrderedBits(value));
    }
    RadixSort(keys, spare);
    const std::vector<ValueCount> values = CountValues(keys);
    columns_[feature].bins = ChooseBins(values, sample.size() - keys.size());
    if (values.size() > FeatureBins::kMost) return;
    has_few_[feature] = 1;
    few_values_[feature] = values;
  }

  /// What some documents have of one feature.
  struct Seen {
    std::array<float, FeatureBins::kMost + 1> lowest;
    std::array<float, FeatureBins::kMost + 1> highest;
    std::vector<float> strangers;  // values that a feature of few values does not have, ascending
    bool has_missing = false;

    Seen() {
      lowest.fill(std::numeric_limits<float>::infinity());
      highest.fill(-std::numeric_limits<float>::infinity());
    }
  };

  /// The one pass over all values.
  void LookAtAll() {
    const std::size_t n_features = data_.n_features();
    const std::size_t n_blocks =
        (n_features + FeatureBlock::kMostFeatures - 1) / FeatureBlock::kMostFeatures;
    const std::size_t n_parts = (data_.n_documents() + kDocumentsPerTask - 1) / kDocumentsPerTask;
    const std::size_t workers = WorkerCount(threads_, n_blocks * n_parts);
    std::vector<std::vector<Seen>> seen(workers, std::vector<Seen>(n_features));
    constexpr double kSecondsPerValue = 5e-9;
    const Threads threads = ForLoopOf(threads_, data_.n_documents() * n_features, kSecondsPerValue);
    ParallelFor(threads, n_blocks * n_parts, [&](std::size_t task, std::size_t worker) {
      const std::size_t first = task / n_parts * FeatureBlock::kMostFeatures;
      const std::size_t last = std::min(first + FeatureBlock::kMostFeatures, n_features);
      Look(task % n_parts * kDocumentsPerTask, first, last, seen[worker]);
    });
    for (const std::vector<Seen>& of_worker : seen) {  // minima, maxima, sets: any order will do
      for (std::size_t f = 0; f < n_features; ++f) TakeIn(f, of_worker[f]);
    }
  }

  void Look(std::size_t begin, std::size_t first, std::size_t last, std::vector<Seen>& seen) {
    const std::size_t n = std::min(kDocumentsPerTask, data_.n_documents() - begin);
    FeatureBlock block;
    block.Load(data_, first, last, n, [&](std::size_t i) { return static_cast<RowId>(begin + i); });
    for (std::size_t f = first; f < last; ++f) {
      const std::vector<ValueCount>* const few = has_few_[f] != 0 ? &few_values_[f] : nullptr;
      LookAtColumn(columns_[f].bins, few, block.Column(f - first), seen[f],
                   columns_[f].codes.data() + begin);
    }
  }

  /// @param few    the values of a feature of few, one a bin; null: it has many
  /// @param codes  to write the bins of the values to
  static void LookAtColumn(const FeatureBins& bins, const std::vector<ValueCount>* few,
                           Span<const float> column, Seen& seen, Bin* codes) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      const float value = column[i] + 0.0F;  // -0.0 becomes 0.0
      const Bin bin = bins.BinOf(value);
      codes[i] = bin;
      if (std::isnan(value)) {
        seen.has_missing = true;
        continue;
      }
      seen.lowest[bin] = std::min(seen.lowest[bin], value);
      seen.highest[bin] = std::max(seen.highest[bin], value);
      if (few == nullptr) continue;
      const bool is_known = !few->empty() && (*few)[bin].value == value;
      if (!is_known) Insert(value, seen.strangers);
    }
  }

  /// Keeps no more than are needed to know that there are too many.
  static void Insert(float value, std::vector<float>& values) {
    const auto place = std::lower_bound(values.begin(), values.end(), value);
    if (place != values.end() && *place == value) return;
    if (values.size() <= FeatureBins::kMost) values.insert(place, value);
  }

  void TakeIn(std::size_t feature, const Seen& seen) {
    FeatureBins& bins = columns_[feature].bins;
    for (std::size_t b = 0; b < bins.n_bins(); ++b) bins.Widen(b, seen.lowest[b], seen.highest[b]);
    if (seen.has_missing) bins.NoteMissing();
    for (const float stranger : seen.strangers) Insert(stranger, strangers_[feature]);
  }

  /// A feature of few values may have some that are not in the sample. If all together are few
  /// enough, each gets its bin; else it stays with the bins that it has.
  void TakeInStrangers(std::size_t feature) {
    std::vector<ValueCount> values = few_values_[feature];
    const std::vector<float>& strangers = strangers_[feature];
    if (strangers.empty() || values.size() + strangers.size() > FeatureBins::kMost) return;
    for (const float stranger : strangers) values.push_back({stranger, 1});
    std::sort(values.begin(), values.end(),
              [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
    FeatureBins& bins = columns_[feature].bins;
    const bool has_missing = bins.has_missing();
    const bool mostly_missing = bins.common() == bins.missing_code();
    bins = ChooseBins(values, mostly_missing ? data_.n_documents() : 0);
    for (std::size_t b = 0; b < values.size(); ++b) bins.Widen(b, values[b].value, values[b].value);
    if (has_missing) bins.NoteMissing();
    Recode(feature);
  }

  void Recode(std::size_t feature) {
    BinnedColumn& column = columns_[feature];
    for (std::size_t d = 0; d < column.codes.size(); ++d) {
      const auto ahead = static_cast<RowId>(std::min(d + kAhead, column.codes.size() - 1));
      Prefetch(data_.Features(ahead) + feature);
      column.codes[d] = column.bins.BinOf(data_.Features(static_cast<RowId>(d))[feature]);
    }
  }

  const Dataset& data_;
  Threads threads_;
  std::size_t n_sampled_;
  std::vector<BinnedColumn> columns_;
  std::vector<std::uint8_t> has_few_;                // whether the sample has up to kMost values
  std::vector<std::vector<ValueCount>> few_values_;  // these; none where all of it is NaN
  std::vector<std::vector<float>> strangers_;        // see TakeInStrangers
};

}  // namespace detail

/// Every feature binned: each value in a bin of its own where a feature has at most 255, else bins
/// of about equal numbers of documents. Depends on the data alone.
inline std::vector<BinnedColumn> BinFeatures(const Dataset& data, Threads threads) {
  return detail::Binner(data, threads).Columns();
}

}  // namespace rankforest
