#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/float_order.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// A value of a feature and how many documents of a sample have it.
struct ValueCount {
  float value = 0.0F;
  std::size_t count = 0;
};

/// The distinct values of keys from OrderedBits, which must be sorted.
inline std::vector<ValueCount> CountValues(Span<const std::uint32_t> sorted) {
  std::vector<ValueCount> values;
  std::uint32_t previous = 0;
  for (const std::uint32_t key : sorted) {
    if (values.empty() || key != previous) values.push_back({FromOrderedBits(key), 0});
    previous = key;
    ++values.back().count;
  }
  return values;
}

/// The values of a feature from some place on, as one who shares out bins looks at them. *Heavy*
/// values, each with as many documents as an average bin, get bins of their own; the others are
/// light.
class ValuesAhead {
 public:
  explicit ValuesAhead(Span<const ValueCount> values) : values_(values) {
    for (const ValueCount& v : values) n_documents_ += v.count;
    for (std::size_t i = 0; i < values.size(); ++i) {
      n_heavy_ += IsHeavy(i) ? 1U : 0U;
      n_light_documents_ += IsHeavy(i) ? 0 : values[i].count;
      n_needed_ += NeedsBin(i) ? 1U : 0U;
    }
  }

  /// All values are where each can have a bin.
  [[nodiscard]] bool IsHeavy(std::size_t i) const {
    return values_.size() <= FeatureBins::kMost ||
           values_[i].count * FeatureBins::kMost >= n_documents_;
  }
  void Pass(std::size_t i) {
    n_heavy_ -= IsHeavy(i) ? 1U : 0U;
    n_light_documents_ -= IsHeavy(i) ? 0 : values_[i].count;
    n_needed_ -= NeedsBin(i) ? 1U : 0U;
  }
  [[nodiscard]] std::size_t n_heavy() const { return n_heavy_; }
  [[nodiscard]] std::size_t n_light_documents() const { return n_light_documents_; }
  /// Bins that heavy values need, and the light ones behind each, however few they are.
  [[nodiscard]] std::size_t n_needed() const { return n_needed_; }

 private:
  [[nodiscard]] bool NeedsBin(std::size_t i) const {
    return IsHeavy(i) || (i > 0 && IsHeavy(i - 1));
  }

  Span<const ValueCount> values_;
  std::size_t n_documents_ = 0;
  std::size_t n_heavy_ = 0;
  std::size_t n_light_documents_ = 0;
  std::size_t n_needed_ = 0;
};

/// Chooses bins of about equal numbers of documents. A value that alone has as many as an
/// average bin gets one of its own while there are at most 127 such; where there are no more
/// distinct values than bins, all do.
///
/// @param n_missing  documents of the sample without a value
inline FeatureBins ChooseBins(Span<const ValueCount> values, std::size_t n_missing) {
  ValuesAhead ahead(values);
  std::vector<float> edges;
  std::vector<std::size_t> in_bin = {0};
  std::size_t light_in_bin = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ahead.Pass(i);
    const bool is_heavy = ahead.IsHeavy(i);
    in_bin.back() += values[i].count;
    light_in_bin += is_heavy ? 0 : values[i].count;
    const std::size_t n_open = FeatureBins::kMost - in_bin.size();  // after this one
    if (i + 1 == values.size() || n_open == 0) continue;
    // Bins that are not needed are shared out by documents, anew after each bin.
    const bool is_full =
        n_open > ahead.n_needed() &&
        light_in_bin * (n_open - ahead.n_needed() + 1) >= ahead.n_light_documents() + light_in_bin;
    const bool is_before_heavy = ahead.IsHeavy(i + 1) && n_open >= ahead.n_heavy();
    if (!is_heavy && !is_full && !is_before_heavy) continue;
    edges.push_back(Midpoint(values[i].value, values[i + 1].value));
    in_bin.push_back(0);
    light_in_bin = 0;
  }
  const auto most = std::max_element(in_bin.begin(), in_bin.end());
  const auto common = n_missing > *most ? in_bin.end() : most;
  return {std::move(edges), static_cast<Bin>(common - in_bin.begin())};
}

}  // namespace rankforest::detail
