#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform_search.hpp"

namespace rankforest::detail {

// A *rank code* stands for a value x of a feature: the number of the model's own thresholds of
// that feature below x. With thresholds t_0 < t_1 < ..., x > t_k if and only if the code is > k,
// whatever x is. Codes are bytes; a feature with more than 255 thresholds has several *columns*
// of them, each for 255 thresholds. NaN has the code of the lowest value, and a mark beside it.

/// Documents that are scored side by side.
inline constexpr std::size_t kBlock = 64;

/// A byte for each document of a block. Codes are 128 less than they should be: processors compare
/// signed bytes.
struct alignas(kBlock) BlockBytes {
  std::array<std::int8_t, kBlock> values;
};

/// Where a threshold is found among the codes: right is where the column's code > `code`.
struct CodedThreshold {
  std::uint32_t column;
  std::int8_t code;
};

/// The thresholds of a model, and the codes of documents among them.
class RankCodes {
 public:
  static constexpr std::size_t kThresholdsPerColumn = 255;

  /// @param splits  feature and threshold of every node, in any order, with repetitions
  explicit RankCodes(std::vector<std::pair<FeatureId, float>> splits) {
    std::sort(splits.begin(), splits.end());
    splits.erase(std::unique(splits.begin(), splits.end()), splits.end());
    for (const auto& [feature, threshold] : splits) {
      if (features_.empty() || features_.back().id != feature) {
        features_.push_back({feature, kNoMarks, thresholds_.size(), 0, n_columns(), 0});
      }
      Feature& last = features_.back();
      if (last.n_thresholds++ % kThresholdsPerColumn == 0) {
        ++last.n_columns;
        columns_.push_back({feature, thresholds_.size()});
      }
      thresholds_.push_back(threshold);
    }
    for (Feature& feature : features_) AddMarks(feature);
    features_.shrink_to_fit();
    marks_.shrink_to_fit();
    columns_.shrink_to_fit();
    thresholds_.shrink_to_fit();
  }

  [[nodiscard]] std::uint32_t n_columns() const {
    return static_cast<std::uint32_t>(columns_.size());
  }
  [[nodiscard]] std::size_t n_features() const { return features_.size(); }
  [[nodiscard]] std::size_t n_thresholds() const { return thresholds_.size(); }
  [[nodiscard]] std::size_t n_bytes() const {
    return features_.capacity() * sizeof(Feature) + columns_.capacity() * sizeof(Column) +
           thresholds_.capacity() * sizeof(float) + marks_.capacity() * sizeof(Sixteen);
  }

  /// The threshold of a split that the constructor was given.
  [[nodiscard]] CodedThreshold Find(FeatureId id, float threshold) const {
    const auto feature =
        std::lower_bound(features_.begin(), features_.end(), id,
                         [](const Feature& f, FeatureId wanted) { return f.id < wanted; });
    assert(feature != features_.end() && feature->id == id);
    const float* begin = thresholds_.data() + feature->first_threshold;
    const float* end = begin + feature->n_thresholds;
    const auto rank = static_cast<std::size_t>(std::lower_bound(begin, end, threshold) - begin);
    assert(rank < feature->n_thresholds && begin[rank] == threshold);
    return {feature->first_column + static_cast<std::uint32_t>(rank / kThresholdsPerColumn),
            static_cast<std::int8_t>(static_cast<int>(rank % kThresholdsPerColumn) - 128)};
  }

  /// The feature that a column is of.
  [[nodiscard]] FeatureId FeatureOf(std::uint32_t column) const { return columns_[column].id; }

  /// What Find found.
  [[nodiscard]] float ThresholdOf(CodedThreshold found) const {
    return thresholds_[columns_[found.column].first_threshold +
                       static_cast<std::size_t>(found.code + 128)];
  }

  /// Writes the codes of one document.
  ///
  /// @param row    its features
  /// @param codes  n_columns() of them
  /// @param nans   likewise: -1 where the value is NaN, else 0; written only if there is any
  /// @return whether a value is NaN
  bool EncodeRow(const float* row, std::int8_t* codes, std::int8_t* nans) const {
    bool has_nan = false;
    for (const Feature& feature : features_) {
      const float x = row[feature.id];
      const auto rank = static_cast<std::int32_t>(RankOf(feature, x));
      for (std::uint32_t c = 0; c < feature.n_columns; ++c) {
        const auto begin = static_cast<std::int32_t>(c * kThresholdsPerColumn);
        codes[feature.first_column + c] =
            static_cast<std::int8_t>(std::min(std::max(rank - begin, 0), 255) - 128);
      }
      if (x != x) {
        if (!has_nan) std::fill(nans, nans + n_columns(), std::int8_t{0});
        has_nan = true;
        std::fill_n(nans + feature.first_column, feature.n_columns, std::int8_t{-1});
      }
    }
    return has_nan;
  }

  /// Writes the codes of up to a block of documents.
  ///
  /// @param rows   the documents, 1 to kBlock; the last one's codes fill up the block
  /// @param codes  n_columns() of them
  /// @param nans   likewise: -1 where the value is NaN, else 0; written only if there is any
  /// @return whether a value is NaN
  [[gnu::always_inline]] bool Encode(const FeatureMatrix& rows, BlockBytes* codes,
                                     BlockBytes* nans) const {
    assert(rows.n_rows >= 1 && rows.n_rows <= kBlock);
    bool has_nan = false;
    alignas(kBlock) std::array<float, kBlock> values;
    alignas(kBlock) std::array<std::uint32_t, kBlock> ranks;
    for (const Feature& feature : features_) {
      std::uint32_t missing = 0;
      Gather(rows, feature.id, values.data());
      for (const float x : values) missing |= static_cast<std::uint32_t>(x != x);
      FindRanks(feature, values.data(), ranks.data());
      WriteCodes(feature, ranks.data(), codes + feature.first_column);
      if (missing != 0) {
        if (!has_nan) std::fill(nans, nans + n_columns(), BlockBytes{});
        has_nan = true;
        MarkNan(feature, values.data(), nans + feature.first_column);
      }
    }
    return has_nan;
  }

 private:
  static constexpr std::size_t kAtOnce = kSearched;
  using Sixteen = std::array<float, kAtOnce>;
  static constexpr std::uint32_t kNoMarks = std::numeric_limits<std::uint32_t>::max();

  struct Feature {
    FeatureId id;
    std::uint32_t marks;  // where they are, or kNoMarks
    std::size_t first_threshold;
    std::size_t n_thresholds;
    std::uint32_t first_column;
    std::uint32_t n_columns;
  };

  /// Where a column begins.
  struct Column {
    FeatureId id;
    std::size_t first_threshold;
  };

  /// Every `share`-th threshold of a feature, seven at most; in place of those that are missing,
  /// infinity, which is below nothing.
  class Shares {
   public:
    [[gnu::always_inline]] Shares(const float* thresholds, std::size_t n, std::size_t share) {
      firsts_.fill(std::numeric_limits<float>::infinity());
      for (std::size_t k = 0; k < firsts_.size() && (k + 1) * share <= n; ++k) {
        firsts_[k] = thresholds[(k + 1) * share - 1];
      }
    }
    /// How many are below x.
    [[gnu::always_inline]] std::uint32_t Below(float x) const {
      const auto [a, b, c, d, e, f, g] = firsts_;
      const auto below = [x](float t) { return t < x ? 1U : 0U; };
      return below(a) + below(b) + below(c) + below(d) + below(e) + below(f) + below(g);
    }

   private:
    std::array<float, 7> firsts_;
  };

  /// Every 16th threshold of a feature, for a search of two steps, if these are enough; in place of
  /// those that are missing, infinity, which is below nothing.
  void AddMarks(Feature& feature) {
    const std::size_t n = feature.n_thresholds;
    if (n < kAtOnce || n > kAtOnce * (kAtOnce + 1)) return;
    feature.marks = static_cast<std::uint32_t>(marks_.size());
    Sixteen marks;
    marks.fill(std::numeric_limits<float>::infinity());
    for (std::size_t k = 0; k < n / kAtOnce && k < kAtOnce; ++k) {
      marks[k] = thresholds_[feature.first_threshold + (k + 1) * kAtOnce - 1];
    }
    marks_.push_back(marks);
  }

  /// Without a branch that depends on x.
  [[nodiscard]] std::size_t RankOf(const Feature& feature, float x) const {
    const float* thresholds = thresholds_.data() + feature.first_threshold;
    if (feature.marks != kNoMarks) {
      const std::size_t passed = kAtOnce * BelowOf16(marks_[feature.marks].data(), x);
      const std::size_t begin = std::min(passed, feature.n_thresholds - kAtOnce);
      return begin + BelowOf16(thresholds + begin, x);
    }
    // A binary search waits for memory at every step, so the last thresholds are all compared.
    std::size_t begin = 0;
    std::size_t left = feature.n_thresholds;
    while (left > kAtOnce) {
      const std::size_t half = left / 2;
      begin += half & (std::size_t{0} - static_cast<std::size_t>(thresholds[begin + half - 1] < x));
      left -= half;
    }
    std::uint32_t below = 0;
    for (std::size_t k = 0; k < left; ++k) {
      below += static_cast<std::uint32_t>(thresholds[begin + k] < x);
    }
    return begin + below;
  }

  [[gnu::always_inline]] static void Gather(const FeatureMatrix& rows, FeatureId feature,
                                            float* __restrict values) {
    const float* __restrict x = rows.data + feature;
    const std::size_t stride = rows.row_stride;
    if (rows.n_rows == kBlock) {
      for (std::size_t j = 0; j < kBlock; ++j) values[j] = x[j * stride];
      return;
    }
    for (std::size_t j = 0; j < kBlock; ++j) values[j] = x[std::min(j, rows.n_rows - 1) * stride];
  }

  /// Search in every document at once, at first among seven thresholds that part the others into
  /// equal shares, then by halves: after each step, the rank of a document is within `left` of its
  /// entry of `ranks`. The first step reads no memory at places that depend on documents.
  [[gnu::always_inline]] void FindRanks(const Feature& feature, const float* __restrict values,
                                        std::uint32_t* __restrict ranks) const {
    const float* __restrict thresholds = thresholds_.data() + feature.first_threshold;
    const std::size_t share = feature.n_thresholds / 8 + 1;
    std::size_t left = share - 1;
    const Shares shares(thresholds, feature.n_thresholds, share);
    const auto last = static_cast<std::uint32_t>(feature.n_thresholds - left);
    for (std::size_t j = 0; j < kBlock; ++j) {
      ranks[j] = std::min(shares.Below(values[j]) * static_cast<std::uint32_t>(share), last);
    }
    while (left > 0) {
      const std::size_t half = (left + 1) / 2;
      const float* __restrict middles = thresholds + half - 1;
      for (std::size_t j = 0; j < kBlock; ++j) {
        ranks[j] += middles[ranks[j]] < values[j] ? static_cast<std::uint32_t>(half) : 0U;
      }
      left -= half;
    }
  }

  [[gnu::always_inline]] static void WriteCodes(const Feature& feature,
                                                const std::uint32_t* __restrict ranks,
                                                BlockBytes* columns) {
    for (std::uint32_t c = 0; c < feature.n_columns; ++c) {
      std::int8_t* __restrict codes = columns[c].values.data();
      const auto begin = static_cast<std::int32_t>(c * kThresholdsPerColumn);
      for (std::size_t j = 0; j < kBlock; ++j) {
        const std::int32_t rank = static_cast<std::int32_t>(ranks[j]) - begin;
        codes[j] = static_cast<std::int8_t>(std::min(std::max(rank, 0), 255) - 128);
      }
    }
  }

  [[gnu::always_inline]] static void MarkNan(const Feature& feature, const float* __restrict values,
                                             BlockBytes* columns) {
    for (std::uint32_t c = 0; c < feature.n_columns; ++c) {
      std::int8_t* __restrict nans = columns[c].values.data();
      for (std::size_t j = 0; j < kBlock; ++j) {
        nans[j] = static_cast<std::int8_t>(values[j] != values[j] ? -1 : 0);
      }
    }
  }

  std::vector<Feature> features_;  // that the model looks at, ascending
  std::vector<Column> columns_;
  std::vector<float> thresholds_;  // ascending within each feature
  std::vector<Sixteen> marks_;
};

}  // namespace rankforest::detail
