#pragma once

#include <cassert>
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

/// Chooses bins of about equal numbers of documents. A value that alone has as many as an
/// average bin gets one of its own; where there are no more distinct values than bins, all do.
///
/// @param n_missing  documents of the sample without a value
inline FeatureBins ChooseBins(Span<const ValueCount> values, std::size_t n_missing) {
  std::size_t n_heavy = 0;
  std::size_t n_light_documents = 0;
  std::size_t n_documents = 0;
  for (const ValueCount& v : values) n_documents += v.count;
  const auto is_heavy = [&](const ValueCount& v) {
    return values.size() <= FeatureBins::kMost || v.count * FeatureBins::kMost >= n_documents;
  };
  for (const ValueCount& v : values) {
    n_heavy += is_heavy(v) ? 1U : 0U;
    n_light_documents += is_heavy(v) ? 0 : v.count;
  }
  // Between two heavy values there may be a bin of few light ones, so those cost bins too; what
  // is left is shared out anew after each bin.
  std::vector<float> edges;
  std::vector<std::size_t> in_bin = {0};
  std::size_t heavy_left = n_heavy;
  std::size_t light_left = n_light_documents;
  std::size_t light_in_bin = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool heavy = is_heavy(values[i]);
    in_bin.back() += values[i].count;
    (heavy ? heavy_left : light_left) -= heavy ? 1 : values[i].count;
    light_in_bin += heavy ? 0 : values[i].count;
    if (i + 1 == values.size()) break;
    const std::size_t n_open = FeatureBins::kMost - in_bin.size();  // after this one
    const bool next_is_heavy = is_heavy(values[i + 1]);
    const bool is_full = n_open > heavy_left &&
                         light_in_bin * (n_open - heavy_left + 1) >= light_left + light_in_bin;
    if (n_open == 0) continue;
    if (!heavy && !is_full && !(next_is_heavy && n_open >= heavy_left)) continue;
    edges.push_back(Midpoint(values[i].value, values[i + 1].value));
    in_bin.push_back(0);
    light_in_bin = 0;
  }
  std::size_t common = 0;
  for (std::size_t b = 0; b < in_bin.size(); ++b) {
    if (in_bin[b] > in_bin[common]) common = b;
  }
  if (n_missing > in_bin[common]) common = in_bin.size();
  return {std::move(edges), static_cast<Bin>(common)};
}

}  // namespace rankforest::detail
