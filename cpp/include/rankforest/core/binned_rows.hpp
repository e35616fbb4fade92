#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/binning.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_block.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// A bin of a feature in a histogram over a group of features.
using Cell = std::uint16_t;

/// Neighbouring features whose bins together have numbers that fit a Cell.
struct FeatureGroup {
  FeatureId first = 0;
  FeatureId last = 0;         ///< one past the end
  std::size_t first_bin = 0;  ///< of the group, among the bins of all features
};

/// A data set as the histogram engine reads it: for each document the bins that it falls into,
/// but for the common bin of each feature, whose sums are what the others leave of a node's. In
/// real data, where many features are 0 for most documents, that is half of the work and less.
///
/// Memory: 2 bytes for each value outside the common bin of its feature, 4 a document and group.
class BinnedRows {
 public:
  BinnedRows(const Dataset& data, std::vector<FeatureBins> bins, Threads threads)
      : bins_(std::move(bins)) {
    NumberBins();
    chunks_.resize((data.n_documents() + kRowsPerChunk - 1) / kRowsPerChunk);
    ParallelFor(threads, chunks_.size(), [&](std::size_t c) { Fill(data, c); });
  }

  [[nodiscard]] std::size_t n_features() const { return bins_.size(); }
  [[nodiscard]] const FeatureBins& bins(FeatureId feature) const { return bins_[feature]; }
  /// Where the codes of a feature begin in a histogram over all features.
  [[nodiscard]] std::size_t FirstBin(FeatureId feature) const { return first_bin_[feature]; }
  /// The size of such a histogram.
  [[nodiscard]] std::size_t n_bins() const { return first_bin_.back(); }
  [[nodiscard]] const std::vector<FeatureGroup>& groups() const { return groups_; }

  /// The cells of a document: add the group's first_bin for the place in a histogram.
  [[nodiscard]] Span<const Cell> Cells(RowId document, std::size_t group) const {
    const Chunk& chunk = chunks_[document / kRowsPerChunk];
    const std::size_t at = document % kRowsPerChunk * groups_.size() + group;
    return {chunk.cells.data() + chunk.begins[at], chunk.begins[at + 1] - chunk.begins[at]};
  }

  /// Asks for the cells of a document that is read soon, and for where they are before that: two
  /// steps, for the second would wait for the first.
  void PrefetchPlace(RowId document) const {
    const Chunk& chunk = chunks_[document / kRowsPerChunk];
    detail::Prefetch(chunk.begins.data() + document % kRowsPerChunk * groups_.size());
  }
  void PrefetchCells(RowId document, std::size_t group) const {
    constexpr std::size_t kCacheLine = 64 / sizeof(Cell);
    const Span<const Cell> cells = Cells(document, group);
    for (std::size_t c = 0; c < cells.size(); c += kCacheLine) detail::Prefetch(cells.data() + c);
    detail::Prefetch(cells.end());  // the line that the steps may have passed over
  }

 private:
  static constexpr std::size_t kRowsPerChunk = 4096;

  /// Some documents: cells of document after document, and within one of group after group.
  struct Chunk {
    std::vector<Cell> cells;
    std::vector<std::uint32_t> begins;
  };

  void NumberBins() {
    first_bin_ = {0};
    groups_ = {{}};
    for (FeatureId f = 0; f < bins_.size(); ++f) {
      const std::size_t end = first_bin_.back() + bins_[f].n_codes();
      if (end - groups_.back().first_bin > std::numeric_limits<Cell>::max() + std::size_t{1}) {
        groups_.push_back({f, f, first_bin_.back()});
      }
      groups_.back().last = f + 1;
      first_bin_.push_back(end);
    }
  }

  void Fill(const Dataset& data, std::size_t index) {
    const std::size_t begin = index * kRowsPerChunk;
    const std::size_t end = std::min(begin + kRowsPerChunk, data.n_documents());
    const std::size_t n = end - begin;
    std::vector<Bin> codes(n * bins_.size());  // document by document
    constexpr std::size_t kMost = detail::FeatureBlock::kMostFeatures;
    detail::FeatureBlock block;
    for (std::size_t first = 0; first < bins_.size(); first += kMost) {
      const std::size_t last = std::min(first + kMost, bins_.size());
      block.Load(data, first, last, n,
                 [&](std::size_t i) { return static_cast<RowId>(begin + i); });
      for (std::size_t f = first; f < last; ++f) {
        const Span<const float> values = block.Column(f - first);
        for (std::size_t i = 0; i < n; ++i) {
          codes[i * bins_.size() + f] = bins_[f].BinOf(values[i]);
        }
      }
    }
    chunks_[index] = Compress(codes, n);
  }

  /// Leaves out the common bins.
  [[nodiscard]] Chunk Compress(const std::vector<Bin>& codes, std::size_t n_rows) const {
    std::vector<Cell> cells(codes.size() + 1);  // one to write what is left out to
    Chunk chunk;
    chunk.begins.reserve(n_rows * groups_.size() + 1);
    chunk.begins.push_back(0);
    std::size_t n_cells = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Bin* const row = codes.data() + i * bins_.size();
      for (const FeatureGroup& group : groups_) {
        for (FeatureId f = group.first; f < group.last; ++f) {
          cells[n_cells] = static_cast<Cell>(first_bin_[f] - group.first_bin + row[f]);
          n_cells += row[f] != bins_[f].common() ? 1U : 0U;
        }
        chunk.begins.push_back(static_cast<std::uint32_t>(n_cells));
      }
    }
    chunk.cells.assign(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(n_cells));
    return chunk;
  }

  std::vector<FeatureBins> bins_;
  std::vector<std::size_t> first_bin_;  // of each feature; one more than there are
  std::vector<FeatureGroup> groups_;
  std::vector<Chunk> chunks_;
};

}  // namespace rankforest
