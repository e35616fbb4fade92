#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/detail/uninitialized.hpp"

namespace rankforest {

/// A bin of a feature in a histogram over a group of features.
using Cell = std::uint16_t;

/// Neighbouring features whose bins together have numbers that fit a Cell.
struct FeatureGroup {
  FeatureId first = 0;
  FeatureId middle = 0;  ///< features before it have half of all documents' cells, or just more
  FeatureId last = 0;    ///< one past the end
  std::size_t first_bin = 0;  ///< of the group, among the bins of all features
};

/// Which of a group's features are meant: those before its middle, the others, or all.
enum class GroupPart { kAll, kFirstHalf, kSecondHalf };

/// A data set as the histogram engine reads it: for each document the bins that it falls into,
/// but for the common bin of each feature, whose sums are what the others leave of a node's. In
/// real data, where many features are 0 for most documents, that is half of the work and less.
///
/// Memory: 2 bytes for each value outside the common bin of its feature, 4 a document and group,
/// 8 a document.
class BinnedRows {
 public:
  /// @param columns  the same data; must outlive the rows
  BinnedRows(const BinnedColumns& columns, Threads threads) : columns_(columns) {
    row_of_.resize(columns.n_documents());
    detail::PreferLargePages(row_of_.data(), row_of_.size() * sizeof(row_of_[0]));
    NumberBins();
    constexpr double kSecondsPerValue = 1e-9;  // in each of two loops
    threads = ForLoopOf(threads, columns.n_documents() * columns.n_features(), kSecondsPerValue);
    const Counts counts = Count(threads);
    ChooseMiddles(counts.of_feature);
    cells_.resize(counts.first_of_chunk.back());
    detail::PreferLargePages(cells_.data(), cells_.size() * sizeof(Cell));
    ParallelFor(threads, counts.first_of_chunk.size() - 1,
                [&](std::size_t c) { Fill(c, cells_.data() + counts.first_of_chunk[c]); });
    usual_size_ = std::min(cells_.size() / std::max<std::size_t>(1, row_of_.size()) + kCacheLine,
                           kMostLines * kCacheLine);
  }

  BinnedRows(BinnedRows&&) noexcept = default;
  BinnedRows(const BinnedRows&) = delete;

  [[nodiscard]] std::size_t n_documents() const { return row_of_.size(); }
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
  [[nodiscard]] Span<const Cell> Cells(RowId document, std::size_t group,
                                       GroupPart part = GroupPart::kAll) const {
    const Cell* row = Row(document);
    for (; group > 0; --group) row = EndOfGroup(row);
    const Cell* const cells = row + kHead;
    const std::size_t middle = row[1];
    if (part == GroupPart::kFirstHalf) return {cells, middle};
    if (part == GroupPart::kSecondHalf) return {cells + middle, row[0] - middle};
    return {cells, row[0]};
  }

  /// Ask for the cells of a document that is read soon, and before that for where they are.
  void PrefetchPlace(RowId document) const { detail::Prefetch(row_of_.data() + document); }
  void PrefetchCells(RowId document) const {
    const Cell* const row = Row(document);
    for (std::size_t c = 0; c < usual_size_; c += kCacheLine) detail::Prefetch(row + c);
  }

 private:
  static constexpr std::size_t kRowsPerChunk = 1024;
  static constexpr std::size_t kCacheLine = 64 / sizeof(Cell);
  static constexpr std::size_t kMostLines = 16;  // to ask for at once
  static constexpr std::size_t kHead = 2;        // cells of a row's group that are not bins
  static_assert(std::numeric_limits<Cell>::max() >= (std::size_t{1} << 16U) / 2,
                "a group has at most half as many features that are not constant as bins");

  /// Values outside the common bin of their feature.
  struct Counts {
    std::vector<std::size_t> of_feature;
    std::vector<std::size_t> first_of_chunk;  // where its rows begin; one more than there are
  };

  [[nodiscard]] const Cell* Row(RowId document) const { return cells_.data() + row_of_[document]; }
  [[nodiscard]] static const Cell* EndOfGroup(const Cell* row) { return row + kHead + *row; }

  void NumberBins() {
    first_bin_ = {0};
    groups_ = {{}};
    for (FeatureId f = 0; f < n_features(); ++f) {
      const std::size_t end = first_bin_.back() + bins(f).n_codes();
      if (end - groups_.back().first_bin > std::numeric_limits<Cell>::max() + std::size_t{1}) {
        groups_.push_back({f, f, f, first_bin_.back()});
      }
      groups_.back().last = f + 1;
      first_bin_.push_back(end);
    }
  }

  [[nodiscard]] Counts Count(Threads threads) const {
    const std::size_t n_chunks = (row_of_.size() + kRowsPerChunk - 1) / kRowsPerChunk;
    std::vector<std::size_t> counts(n_chunks * n_features());  // [chunk][feature]
    ParallelFor(threads, n_chunks, [&](std::size_t c) {
      for (FeatureId f = 0; f < n_features(); ++f) {
        const Bin* const codes = columns_.column(f).codes.data() + c * kRowsPerChunk;
        const std::size_t n = RowsOf(c);
        counts[c * n_features() + f] =
            n - static_cast<std::size_t>(std::count(codes, codes + n, bins(f).common()));
      }
    });
    Counts result{std::vector<std::size_t>(n_features()), {0}};
    for (std::size_t c = 0; c < n_chunks; ++c) {
      std::size_t size = RowsOf(c) * groups_.size() * kHead;
      for (FeatureId f = 0; f < n_features(); ++f) {
        result.of_feature[f] += counts[c * n_features() + f];
        size += counts[c * n_features() + f];
      }
      result.first_of_chunk.push_back(result.first_of_chunk.back() + size);
    }
    return result;
  }

  void ChooseMiddles(const std::vector<std::size_t>& counts) {
    const auto sum = [&](FeatureId first, FeatureId last) {
      return std::accumulate(counts.begin() + first, counts.begin() + last, std::size_t{0});
    };
    for (FeatureGroup& group : groups_) {
      const std::size_t half = sum(group.first, group.last) / 2;
      group.middle = group.first;
      for (std::size_t before = 0; before < half; ++group.middle) before += counts[group.middle];
    }
  }

  [[nodiscard]] std::size_t RowsOf(std::size_t chunk) const {
    return std::min(kRowsPerChunk, row_of_.size() - chunk * kRowsPerChunk);
  }

  /// Writes the rows of a chunk to where they are to stay.
  void Fill(std::size_t chunk, Cell* place) {
    const std::size_t begin = chunk * kRowsPerChunk;
    const std::size_t n = RowsOf(chunk);
    std::vector<Bin> codes(n * n_features());  // document by document
    for (FeatureId f = 0; f < n_features(); ++f) {
      const Bin* const column = columns_.column(f).codes.data() + begin;
      for (std::size_t i = 0; i < n; ++i) codes[i * n_features() + f] = column[i];
    }
    const std::vector<Cell> rows = Compress(codes, n);
    const Cell* row = std::copy(rows.begin(), rows.end(), place) - rows.size();
    for (std::size_t i = 0; i < n; ++i) {
      row_of_[begin + i] = static_cast<std::size_t>(row - cells_.data());
      for (std::size_t g = 0; g < groups_.size(); ++g) row = EndOfGroup(row);
    }
  }

  /// Rows of codes without the common bins.
  [[nodiscard]] std::vector<Cell> Compress(const std::vector<Bin>& codes,
                                           std::size_t n_rows) const {
    // One more, to write what is left out to.
    std::vector<Cell> cells(codes.size() + n_rows * groups_.size() * kHead + 1);
    Cell* next = cells.data();
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Bin* const row = codes.data() + i * n_features();
      for (const FeatureGroup& group : groups_) {
        Cell* const head = next;
        next = Compress(row, group, group.first, group.middle, head + kHead);
        head[1] = static_cast<Cell>(next - (head + kHead));
        next = Compress(row, group, group.middle, group.last, next);
        head[0] = static_cast<Cell>(next - (head + kHead));
      }
    }
    cells.resize(static_cast<std::size_t>(next - cells.data()));
    return cells;
  }

  /// Writes the cells of some of a group's features. Returns where they end.
  [[nodiscard]] Cell* Compress(const Bin* row, const FeatureGroup& group, FeatureId first,
                               FeatureId last, Cell* next) const {
    for (FeatureId f = first; f < last; ++f) {
      *next = static_cast<Cell>(first_bin_[f] - group.first_bin + row[f]);
      next += row[f] != bins(f).common() ? 1 : 0;
    }
    return next;
  }

  const BinnedColumns& columns_;
  std::vector<std::size_t> first_bin_;  // of each feature; one more than there are
  std::vector<FeatureGroup> groups_;
  /// Row after row; a row has for each group the number of its cells, that of those in the first
  /// half, and the cells.
  detail::UninitializedVector<Cell> cells_;
  detail::UninitializedVector<std::size_t> row_of_;  // where that of each document begins in cells_
  std::size_t usual_size_ = 0;  // of a row, in cells; where it begins in a line is not known
};

}  // namespace rankforest
