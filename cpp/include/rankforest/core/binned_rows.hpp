#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
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
/// Documents have *places* in memory. Where those that are read together lie side by side, reading
/// them takes half the time: see Regroup().
///
/// Memory: 2 bytes for each value outside the common bin of its feature, 4 a document and group,
/// 8 a document.
class BinnedRows {
 public:
  /// Regroup() divides documents among so many groups.
  static constexpr std::size_t kRegroups = 64;

  /// @param columns  the same data; must outlive the rows
  BinnedRows(const BinnedColumns& columns, Threads threads)
      : columns_(columns), places_(columns.n_documents()) {
    NumberBins();
    chunks_.resize((places_.size() + kRowsPerChunk - 1) / kRowsPerChunk);
    ParallelFor(threads, chunks_.size(), [&](std::size_t c) { Fill(c); });
    NumberPlaces(threads);
  }

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
    const std::uint32_t place = places_[document];
    const Chunk& chunk = chunks_[place / kRowsPerChunk];
    const std::size_t at = place % kRowsPerChunk * groups_.size() + group;
    return {chunk.cells.data() + chunk.begins[at], chunk.begins[at + 1] - chunk.begins[at]};
  }

  /// Calls visit(document) for all of them in the order of their places.
  template <class Visit>
  void ForEachDocument(const Visit& visit) const {
    for (const Chunk& chunk : chunks_) {
      for (const RowId document : chunk.documents) visit(document);
    }
  }

  /// Brings the documents of a group side by side, group after group. Within one they stay in the
  /// order of their places, so that earlier groups become parts of later ones.
  ///
  /// @param group_of  of each document, < kRegroups
  void Regroup(Span<const std::uint8_t> group_of, Threads threads) {
    // Few parts, however many threads: they decide about places.
    constexpr std::size_t kParts = 4;
    std::vector<std::vector<Chunk>> parts(kRegroups * kParts);
    ParallelFor(threads, kParts, [&](std::size_t part) {
      const std::size_t end = chunks_.size() * (part + 1) / kParts;
      for (std::size_t c = chunks_.size() * part / kParts; c < end; ++c) {
        Distribute(std::exchange(chunks_[c], {}), group_of,
                   [&](std::size_t group) -> auto& { return parts[group * kParts + part]; });
      }
    });
    chunks_.clear();
    for (std::vector<Chunk>& part : parts) {
      std::move(part.begin(), part.end(), std::back_inserter(chunks_));
    }
    NumberPlaces(threads);
  }

  /// Ask for the cells of a document that is read soon, for where they begin before that, and for
  /// its place before that: three steps, for each would wait for the one before.
  void PrefetchPlace(RowId document) const { detail::Prefetch(places_.data() + document); }
  void PrefetchBegins(RowId document) const {
    const std::uint32_t place = places_[document];
    const Chunk& chunk = chunks_[place / kRowsPerChunk];
    detail::Prefetch(chunk.begins.data() + place % kRowsPerChunk * groups_.size());
  }
  void PrefetchCells(RowId document, std::size_t group) const {
    constexpr std::size_t kCacheLine = 64 / sizeof(Cell);
    const Span<const Cell> cells = Cells(document, group);
    for (std::size_t c = 0; c < cells.size(); c += kCacheLine) detail::Prefetch(cells.data() + c);
    detail::Prefetch(cells.end());  // the line that the steps may have passed over
  }

 private:
  static constexpr std::size_t kRowsPerChunk = 1024;

  /// Up to kRowsPerChunk documents: cells of document after document, and within one of group
  /// after group.
  struct Chunk {
    std::vector<RowId> documents;
    std::vector<Cell> cells;
    std::vector<std::uint32_t> begins;
  };

  /// Appends each document of a chunk to the last chunk of its group.
  template <class ChunksOf>
  void Distribute(const Chunk& from, Span<const std::uint8_t> group_of,
                  const ChunksOf& chunks_of) const {
    const std::size_t n_groups = groups_.size();
    for (std::size_t i = 0; i < from.documents.size(); ++i) {
      std::vector<Chunk>& chunks = chunks_of(group_of[from.documents[i]]);
      if (chunks.empty() || chunks.back().documents.size() == kRowsPerChunk) {
        if (!chunks.empty()) chunks.back().cells.shrink_to_fit();
        chunks.emplace_back();
        chunks.back().begins = {0};
      }
      Chunk& to = chunks.back();
      const std::uint32_t* const begins = from.begins.data() + i * n_groups;
      const auto moved = static_cast<std::uint32_t>(to.cells.size()) - begins[0];
      for (std::size_t g = 1; g <= n_groups; ++g) to.begins.push_back(begins[g] + moved);
      to.cells.insert(to.cells.end(), from.cells.data() + begins[0],
                      from.cells.data() + begins[n_groups]);
      to.documents.push_back(from.documents[i]);
    }
  }

  void NumberPlaces(Threads threads) {
    ParallelFor(threads, chunks_.size(), [&](std::size_t c) {
      auto place = static_cast<std::uint32_t>(c * kRowsPerChunk);
      for (const RowId document : chunks_[c].documents) places_[document] = place++;
    });
  }

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
    const std::size_t n = std::min(kRowsPerChunk, places_.size() - begin);
    std::vector<Bin> codes(n * n_features());  // document by document
    for (FeatureId f = 0; f < n_features(); ++f) {
      const Bin* const column = columns_.column(f).codes.data() + begin;
      for (std::size_t i = 0; i < n; ++i) codes[i * n_features() + f] = column[i];
    }
    Chunk& chunk = chunks_[index];
    chunk = Compress(codes, n);
    chunk.documents.resize(n);
    std::iota(chunk.documents.begin(), chunk.documents.end(), static_cast<RowId>(begin));
  }

  /// Leaves out the common bins.
  [[nodiscard]] Chunk Compress(const std::vector<Bin>& codes, std::size_t n_rows) const {
    std::vector<Cell> cells(codes.size() + 1);  // one to write what is left out to
    Chunk chunk;
    chunk.begins.reserve(n_rows * groups_.size() + 1);
    chunk.begins.push_back(0);
    std::size_t n_cells = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Bin* const row = codes.data() + i * n_features();
      for (const FeatureGroup& group : groups_) {
        for (FeatureId f = group.first; f < group.last; ++f) {
          cells[n_cells] = static_cast<Cell>(first_bin_[f] - group.first_bin + row[f]);
          n_cells += row[f] != bins(f).common() ? 1U : 0U;
        }
        chunk.begins.push_back(static_cast<std::uint32_t>(n_cells));
      }
    }
    chunk.cells.assign(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(n_cells));
    return chunk;
  }

  const BinnedColumns& columns_;
  std::vector<std::size_t> first_bin_;  // of each feature; one more than there are
  std::vector<FeatureGroup> groups_;
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> places_;  // of each document: its chunk x kRowsPerChunk + where there
};

}  // namespace rankforest
