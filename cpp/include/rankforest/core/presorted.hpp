#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/float_order.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// The rank of a value among the distinct values of its feature, from 0; one past the last
/// rank stands for NaN.
using Code = std::uint32_t;

/// One feature of a data set, sorted: distinct values and every document's code.
struct PresortedColumn {
  std::vector<float> values;  ///< distinct, ascending, no NaN; -0.0 is 0.0
  std::vector<Code> codes;    ///< of each document, in canonical order
  bool has_missing = false;

  [[nodiscard]] std::size_t n_values() const { return values.size(); }
  [[nodiscard]] Code missing_code() const { return static_cast<Code>(values.size()); }
  /// The smallest and the largest value with a code: here the same.
  [[nodiscard]] float Lowest(Code code) const { return values[code]; }
  [[nodiscard]] float Highest(Code code) const { return values[code]; }
  /// The largest value of the data; there is one.
  [[nodiscard]] float Largest() const { return values.back(); }
  /// Whether any split can tell two documents apart.
  [[nodiscard]] bool is_constant() const { return values.size() + (has_missing ? 1U : 0U) < 2; }
};

/// Every feature of a data set sorted once: the nodes of all trees of all rounds and bags work
/// on codes. Memory: 4 bytes a document and feature, and the distinct values.
class Presorted {
 public:
  using Column = PresortedColumn;

  Presorted(const Dataset& data, Threads threads) : columns_(data.n_features()) {
    constexpr double kSecondsPerValue = 1e-8;
    threads = ForLoopOf(threads, data.n_documents() * data.n_features(), kSecondsPerValue);
    ParallelChunks(threads, columns_.size(), detail::FeatureBlock::kMostFeatures,
                   [&](std::size_t begin, std::size_t end) { SortColumns(data, begin, end); });
  }

  [[nodiscard]] std::size_t n_features() const { return columns_.size(); }
  [[nodiscard]] const PresortedColumn& column(FeatureId feature) const { return columns_[feature]; }

 private:
  void SortColumns(const Dataset& data, std::size_t begin, std::size_t end) {
    detail::FeatureBlock block;
    block.Load(data, begin, end, data.n_documents(),
               [](std::size_t d) { return static_cast<RowId>(d); });
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> spare;
    for (std::size_t f = begin; f < end; ++f) {
      columns_[f] = Sort(block.Column(f - begin), keys, spare);
    }
  }

  static PresortedColumn Sort(Span<const float> values, std::vector<std::uint64_t>& keys,
                              std::vector<std::uint64_t>& spare) {
    PresortedColumn column;
    column.codes.resize(values.size());
    keys.clear();
    for (std::size_t d = 0; d < values.size(); ++d) {
      if (std::isnan(values[d])) {
        column.has_missing = true;
      } else {
        keys.push_back(std::uint64_t{detail::OrderedBits(values[d])} << 32 | d);
      }
    }
    detail::RadixSort(keys, spare,
                      [](std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); });
    std::uint64_t previous = 0;
    for (const std::uint64_t key : keys) {
      const auto document = static_cast<std::uint32_t>(key);
      if (column.values.empty() || key >> 32 != previous) {
        column.values.push_back(values[document] + 0.0F);  // -0.0 + 0.0 is 0.0
        previous = key >> 32;
      }
      column.codes[document] = static_cast<Code>(column.values.size() - 1);
    }
    if (column.has_missing) {
      for (std::size_t d = 0; d < values.size(); ++d) {
        if (std::isnan(values[d])) column.codes[d] = column.missing_code();
      }
    }
    return column;
  }

  std::vector<PresortedColumn> columns_;
};

}  // namespace rankforest
