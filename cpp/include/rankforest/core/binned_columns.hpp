#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/binning.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// One binned feature of a data set: what PresortedColumn is to single values.
struct BinnedColumn {
  FeatureBins bins;
  std::vector<Bin> codes;  ///< of each document, in canonical order

  [[nodiscard]] std::size_t n_values() const { return bins.n_bins(); }
  [[nodiscard]] Bin missing_code() const { return bins.missing_code(); }
  [[nodiscard]] float Lowest(std::size_t code) const { return bins.Lowest(code); }
  [[nodiscard]] float Highest(std::size_t code) const { return bins.Highest(code); }
  [[nodiscard]] bool is_constant() const { return bins.is_constant(); }
};

/// A data set column by column, one byte a document: for growers whose nodes each draw some
/// features, and for the documents of a node that is split by one.
class BinnedColumns {
 public:
  using Column = BinnedColumn;

  BinnedColumns(const Dataset& data, std::vector<FeatureBins> bins, Threads threads)
      : n_documents_(data.n_documents()), columns_(bins.size()) {
    for (std::size_t f = 0; f < bins.size(); ++f) columns_[f].bins = std::move(bins[f]);
    ParallelChunks(threads, columns_.size(), detail::FeatureBlock::kMostFeatures,
                   [&](std::size_t begin, std::size_t end) { Fill(data, begin, end); });
  }

  [[nodiscard]] std::size_t n_documents() const { return n_documents_; }
  [[nodiscard]] std::size_t n_features() const { return columns_.size(); }
  [[nodiscard]] const BinnedColumn& column(FeatureId feature) const { return columns_[feature]; }

 private:
  static constexpr std::size_t kDocumentsPerBlock = 4096;

  void Fill(const Dataset& data, std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) columns_[f].codes.resize(data.n_documents());
    detail::FeatureBlock block;
    for (std::size_t d = 0; d < data.n_documents(); d += kDocumentsPerBlock) {
      const std::size_t n = std::min(kDocumentsPerBlock, data.n_documents() - d);
      block.Load(data, begin, end, n, [&](std::size_t i) { return static_cast<RowId>(d + i); });
      for (std::size_t f = begin; f < end; ++f) {
        const Span<const float> values = block.Column(f - begin);
        for (std::size_t i = 0; i < n; ++i) {
          columns_[f].codes[d + i] = columns_[f].bins.BinOf(values[i]);
        }
      }
    }
  }

  std::size_t n_documents_;
  std::vector<BinnedColumn> columns_;
};

}  // namespace rankforest
