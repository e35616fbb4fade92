#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::detail {

/// Walks at a time: enough to fill the waits for memory, measured on a Zen 3.
inline constexpr std::size_t kWalks = 12;

/// The features that trees look at, numbered from 1. Number 0 is what leaves look at.
class WalkedFeatures {
 public:
  WalkedFeatures() = default;

  /// @param ids  in any order, with repetitions
  explicit WalkedFeatures(std::vector<FeatureId> ids) : ids_(std::move(ids)) {
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  }

  [[nodiscard]] const std::vector<FeatureId>& ids() const { return ids_; }

  [[nodiscard]] std::uint32_t NumberOf(FeatureId id) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    assert(found != ids_.end() && *found == id);
    return static_cast<std::uint32_t>(found - ids_.begin()) + 1;
  }

 private:
  std::vector<FeatureId> ids_;
};

/// Documents laid out for walks: their values of WalkedFeatures alone, in groups of kWalks
/// documents whose values of a feature lie side by side; those left over, one by one.
class WalkedRows {
 public:
  void Fill(const WalkedFeatures& features, const FeatureMatrix& rows) {
    Fill(features, rows.n_rows, [&](std::size_t i) { return rows.Row(i); });
  }

  /// Allocates only what earlier calls have not.
  ///
  /// @param row_of  std::size_t -> const float*: the features of the i-th row
  template <class RowOf>
  void Fill(const WalkedFeatures& features, std::size_t n_rows, const RowOf& row_of) {
    n_values_ = features.ids().size() + 1;
    n_rows_ = n_rows;
    if (values_.size() < n_rows_ * n_values_) values_.resize(n_rows_ * n_values_);
    const std::size_t in_groups = n_groups() * kWalks;
    std::uint32_t nans = 0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const bool single = i >= in_groups;
      float* out = values_.data() + (single ? i : i - i % kWalks) * n_values_;
      nans |= FillRow(features, row_of(i), single ? out : out + i % kWalks, single ? 1 : kWalks);
    }
    has_nan_ = nans != 0;
  }

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_groups() const { return n_rows_ / kWalks; }
  [[nodiscard]] bool has_nan() const { return has_nan_; }

  /// Value f of the k-th document of a group is at f * kWalks + k.
  [[nodiscard]] const float* Group(std::size_t group) const {
    return values_.data() + group * kWalks * n_values_;
  }
  /// The values of a document that is in no group.
  [[nodiscard]] const float* Single(std::size_t row) const {
    return values_.data() + row * n_values_;
  }

 private:
  static std::uint32_t FillRow(const WalkedFeatures& features, const float* row, float* out,
                               std::size_t stride) {
    std::uint32_t nans = 0;
    *out = -std::numeric_limits<float>::infinity();  // above nothing
    for (const FeatureId id : features.ids()) {
      const float x = row[id];
      nans |= static_cast<std::uint32_t>(x != x);
      *(out += stride) = x;
    }
    return nans;
  }

  std::vector<float> values_;
  std::size_t n_values_ = 1;
  std::size_t n_rows_ = 0;
  bool has_nan_ = false;
};

}  // namespace rankforest::detail
