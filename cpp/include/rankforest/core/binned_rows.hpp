#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/bins.hpp"
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
/// Memory: 2 bytes for each value outside the common bin of its feature, 2 a document and group,
/// 8 a document.
class BinnedRows {
 public:
  /// @param columns  the same data; must outlive the rows
  BinnedRows(const BinnedColumns& columns, Threads threads)
      : columns_(columns), row_of_(columns.n_documents()) {
    NumberBins();
    chunks_.resize((row_of_.size() + kRowsPerChunk - 1) / kRowsPerChunk);
    ParallelFor(threads, chunks_.size(), [&](std::size_t c) { Fill(c); });
    std::size_t n_cells = 0;
    for (const Chunk& chunk : chunks_) n_cells += chunk.size();
    usual_size_ = std::min(n_cells / std::max<std::size_t>(1, row_of_.size()) + kCacheLine,
                           kMostLines * kCacheLine);
  }

  BinnedRows(BinnedRows&&) noexcept = default;
  BinnedRows(const BinnedRows&) = delete;  // documents are found by address

  [[nodiscard]] std::size_t n_features() const { return columns_.n_features(); }
  [[nodiscard]] const FeatureBins& bins(FeatureId feature) const {
    return columns_.column(feature).bins;
  }
  /// Where the codes of a feature begin in a histogram over all features.
  [[nodiscard]] std::size_t FirstBin(FeatureId feature) const { return first_bin_[feature]; }
  /// The size of such a histogram.
  [[nodiscard]] std::size_t n_bins() const { return first_bin_.back(); }
  [[nodiscard]] const std::vector<FeatureGroup>& groups() const { return groups_; }

  /// The cells of a document: add the group's first_bin for the place in a histogram.
  [[nodiscard]] Span<const Cell> Cells(RowId document, std::size_t group) const {
    const Cell* row = row_of_[document];
    for (; group > 0; --group) row = EndOfGroup(row);
    return {row + 1, *row};
  }

  /// Ask for the cells of a document that is read soon, and before that for where they are.
  void PrefetchPlace(RowId document) const { detail::Prefetch(row_of_.data() + document); }
  void PrefetchCells(RowId document) const {
    const Cell* const row = row_of_[document];
    for (std::size_t c = 0; c < usual_size_; c += kCacheLine) detail::Prefetch(row + c);
  }

 private:
  static constexpr std::size_t kRowsPerChunk = 1024;
  static constexpr std::size_t kCacheLine = 64 / sizeof(Cell);
  static constexpr std::size_t kMostLines = 16;  // to ask for at once

  /// Row after row; a row has for each group the number of its cells and the cells.
  using Chunk = std::vector<Cell>;
  static_assert(std::numeric_limits<Cell>::max() >= (std::size_t{1} << 16U) / 2,
                "a group has at most half as many features that are not constant as bins");

  [[nodiscard]] static const Cell* EndOfGroup(const Cell* row) { return row + 1 + *row; }

  void NumberBins() {
    first_bin_ = {0};
    groups_ = {{}};
    for (FeatureId f = 0; f < n_features(); ++f) {
      const std::size_t end = first_bin_.back() + bins(f).n_codes();
      if (end - groups_.back().first_bin > std::numeric_limits<Cell>::max() + std::size_t{1}) {
        groups_.push_back({f, f, first_bin_.back()});
      }
      groups_.back().last = f + 1;
      first_bin_.push_back(end);
    }
  }

  void Fill(std::size_t index) {
    const std::size_t begin = index * kRowsPerChunk;
    const std::size_t n = std::min(kRowsPerChunk, row_of_.size() - begin);
    std::vector<Bin> codes(n * n_features());  // document by document
    for (FeatureId f = 0; f < n_features(); ++f) {
      const Bin* const column = columns_.column(f).codes.data() + begin;
      for (std::size_t i = 0; i < n; ++i) codes[i * n_features() + f] = column[i];
    }
    chunks_[index] = Compress(codes, n);
    const Cell* row = chunks_[index].data();
    for (std::size_t i = 0; i < n; ++i) {
      row_of_[begin + i] = row;
      for (std::size_t g = 0; g < groups_.size(); ++g) row = EndOfGroup(row);
    }
  }

  /// Rows of codes without the common bins.
  [[nodiscard]] Chunk Compress(const std::vector<Bin>& codes, std::size_t n_rows) const {
    // One more, to write what is left out to.
    std::vector<Cell> cells(codes.size() + n_rows * groups_.size() + 1);
    Cell* next = cells.data();
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Bin* const row = codes.data() + i * n_features();
      for (const FeatureGroup& group : groups_) {
        Cell* const size = next++;
        for (FeatureId f = group.first; f < group.last; ++f) {
          *next = static_cast<Cell>(first_bin_[f] - group.first_bin + row[f]);
          next += row[f] != bins(f).common() ? 1 : 0;
        }
        *size = static_cast<Cell>(next - size - 1);
      }
    }
    return {cells.data(), next};
  }

  const BinnedColumns& columns_;
  std::vector<std::size_t> first_bin_;  // of each feature; one more than there are
  std::vector<FeatureGroup> groups_;
  std::vector<Chunk> chunks_;
  std::vector<const Cell*> row_of_;  // of each document, in its chunk
  std::size_t usual_size_ = 0;       // of a row, in cells; where it begins in a line is not known
};

}  // namespace rankforest
