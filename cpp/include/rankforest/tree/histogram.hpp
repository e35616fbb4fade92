#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/gradient_side.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/node_column.hpp"
#include "rankforest/tree/histogram_parts.hpp"
#include "rankforest/tree/node_histogram.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/paired_sums.hpp"

namespace rankforest {

/// Sums documents into histograms of any kind.
///
/// The threads each take a part of the documents, or of the features: see HistogramParts(). What
/// they sum is added up feature by feature when the histogram is read. All sums are of integers:
/// the parts change no bit.
class HistogramBuilder {
 public:
  using Target = Newton::Target;
  using Stats = Newton::Stats;

  HistogramBuilder(const BinnedRows& rows, Threads threads)
      : rows_(rows),
        threads_(threads),
        packed_(WorkerCount(threads, static_cast<std::size_t>(threads.count))),
        chosen_(packed_.size()) {}

  /// From now on sums only the documents on that side.
  void Restrict(const GradientSide& side) { side_ = side; }

  /// Starts a tree.
  ///
  /// @param fits_words    whether targets are of few enough bits for PackedSums
  /// @param unit_hessian  see PackedSums
  void Begin(bool fits_words, std::int32_t unit_hessian) {
    fits_words_ = fits_words;
    sums_ = detail::PackedSums(unit_hessian);
  }

  [[nodiscard]] const detail::PackedSums& sums() const { return sums_; }

  /// Sums a node's documents, but for the common bins, into a histogram and its further parts.
  ///
  /// @param first  its part of the first documents, which FinishFeature() adds the others to; only
  ///               if the node fits words is it packed, only if it fits pairs of words paired
  /// @returns the total of the documents that were summed
  Stats Build(const NodeRows<Target>& node, NodeHistogram& first,
              std::vector<NodeHistogram>& others) {
    const std::vector<HistogramPart> parts =
        HistogramParts(node.size(), first.is_packed(), WorkerCount(threads_, packed_.size()));
    Resize(others, parts.back().histogram);
    for (NodeHistogram& other : others) other.kind = first.kind;
    totals_.assign(parts.size(), {});
    const auto histogram_of = [&](const HistogramPart& part) -> NodeHistogram& {
      return part.histogram == 0 ? first : others[part.histogram - 1];
    };
    for (const HistogramPart& part : parts) {
      // Not by the threads that share it.
      if (part.features != GroupPart::kAll) histogram_of(part).packed.resize(rows_.n_bins());
    }
    ParallelFor(threads_, parts.size(), [&](std::size_t p, std::size_t worker) {
      const HistogramPart& part = parts[p];
      if (side_.has_value()) {
        const NodeRows<Target> chosen = chosen_[worker].Choose(*side_, node, part.begin, part.end);
        totals_[p] = AddPart(chosen, 0, chosen.size(), part.features, worker, histogram_of(part));
      } else {
        totals_[p] = AddPart(node, part.begin, part.end, part.features, worker, histogram_of(part));
      }
    });
    return std::accumulate(totals_.begin(), totals_.end(), Stats{});
  }

  /// Adds the other parts to the cells of one feature, and gives its common bin what is left of
  /// the node's total.
  void FinishFeature(FeatureId feature, const Stats& total, NodeHistogram& histogram,
                     const std::vector<NodeHistogram>& others) const {
    switch (histogram.kind) {
      case CellKind::kPlain:
        return Finish(feature, total, &NodeHistogram::plain, histogram, others);
      case CellKind::kPaired:
        return Finish(feature, detail::PairedSums(total), &NodeHistogram::paired, histogram,
                      others);
      case CellKind::kPacked:
        return Finish(feature, sums_.Pack(total), &NodeHistogram::packed, histogram, others);
    }
  }

 private:
  static constexpr std::size_t kAhead = 6;  // documents between prefetch and use

  /// Some of a node's documents.
  class Chosen {
   public:
    /// Those of [begin, end) that are on a side.
    NodeRows<Target> Choose(const GradientSide& side, const NodeRows<Target>& node,
                            std::size_t begin, std::size_t end) {
      rows_.resize(end - begin);
      targets_.resize(end - begin);
      counts_.resize(node.counts.empty() ? 0 : end - begin);
      std::size_t n = 0;
      for (std::size_t i = begin; i < end; ++i) {
        // Every document is written to the next free place, and kept there if it is on the side:
        // cheaper than a branch that is taken at random.
        rows_[n] = node.rows[i];
        targets_[n] = node.targets[i];
        if (!counts_.empty()) counts_[n] = node.counts[i];
        n += side.Has(node.targets[i]) ? 1U : 0U;
      }
      rows_.resize(n);
      targets_.resize(n);
      counts_.resize(std::min(n, counts_.size()));
      return {rows_, targets_, counts_};
    }

   private:
    std::vector<RowId> rows_;
    std::vector<Target> targets_;
    std::vector<std::uint32_t> counts_;
  };

  /// Keeps the memory of those that a small node has no use for: the next large one has.
  void Resize(std::vector<NodeHistogram>& histograms, std::size_t size) {
    for (; histograms.size() > size; histograms.pop_back()) {
      spare_.push_back(std::move(histograms.back()));
    }
    for (; histograms.size() < size && !spare_.empty(); spare_.pop_back()) {
      histograms.push_back(std::move(spare_.back()));
    }
    histograms.resize(size);
  }

  /// Returns the total of the documents; of none for the second half of the features, or halves
  /// would count them twice.
  Stats AddPart(const NodeRows<Target>& node, std::size_t begin, std::size_t end,
                GroupPart features, std::size_t worker, NodeHistogram& out) {
    if (features == GroupPart::kAll) {
      out.Clear(rows_.n_bins());
    } else {
      ClearHalf(features, out.packed);
    }
    if (out.is_packed()) {
      AddRun(node, begin, end, features, out.packed);
    } else if (out.kind == CellKind::kPaired) {
      AddOneByOne(node, begin, end, out.paired);
    } else if (fits_words_) {
      AddInRuns(node, begin, end, packed_[worker], out.plain);
    } else {
      AddOneByOne(node, begin, end, out.plain);
    }
    Stats total;
    if (features == GroupPart::kSecondHalf) return total;
    for (std::size_t i = begin; i < end; ++i) total.Add(node.targets[i], node.Count(i));
    return total;
  }

  void ClearHalf(GroupPart features, PackedHistogram& packed) const {
    for (const FeatureGroup& group : rows_.groups()) {
      const bool is_first = features == GroupPart::kFirstHalf;
      std::fill(packed.data() + rows_.FirstBin(is_first ? group.first : group.middle),
                packed.data() + rows_.FirstBin(is_first ? group.middle : group.last), 0);
    }
  }

  template <class Cell, class Cells>
  void Finish(FeatureId feature, Cell rest, Cells NodeHistogram::* kind, NodeHistogram& histogram,
              const std::vector<NodeHistogram>& others) const {
    const std::size_t begin = rows_.FirstBin(feature);
    const std::size_t end = rows_.FirstBin(feature + 1);
    Cells& cells = histogram.*kind;
    for (const NodeHistogram& other : others) {
      for (std::size_t c = begin; c < end; ++c) cells[c] += (other.*kind)[c];
    }
    for (std::size_t c = begin; c < end; ++c) rest = rest - cells[c];
    cells[begin + rows_.bins(feature).common()] = rest;
  }

  void AddInRuns(const NodeRows<Target>& node, std::size_t begin, std::size_t end,
                 PackedHistogram& packed, Histogram& out) const {
    packed.resize(rows_.n_bins());
    while (begin < end) {
      const std::size_t run_end = sums_.RunEnd(node, begin, end);
      if (run_end == begin) {
        AddOneByOne(node, begin, begin + 1, out);
        ++begin;
        continue;
      }
      AddRun(node, begin, run_end, GroupPart::kAll, packed);
      for (std::size_t c = 0; c < packed.size(); ++c) {
        if (packed[c] == 0) continue;
        out[c] += sums_.Unpack(packed[c]);
        packed[c] = 0;
      }
      begin = run_end;
    }
  }

  void AddRun(const NodeRows<Target>& node, std::size_t begin, std::size_t end, GroupPart features,
              PackedHistogram& packed) const {
    for (std::size_t g = 0; g < rows_.groups().size(); ++g) {
      AddRun(node, begin, end, g, features, packed.data() + rows_.groups()[g].first_bin);
    }
  }

  /// The one loop that runs per document and feature.
  void AddRun(const NodeRows<Target>& node, std::size_t begin, std::size_t end, std::size_t group,
              GroupPart features, std::uint64_t* packed) const {
    for (std::size_t i = begin; i < end; ++i) {
      rows_.PrefetchPlace(node.rows[std::min(i + 2 * kAhead, end - 1)]);
      rows_.PrefetchCells(node.rows[std::min(i + kAhead, end - 1)]);
      const std::uint64_t word = sums_.Pack(node.targets[i], node.Count(i));
      const Span<const Cell> cells = rows_.Cells(node.rows[i], group, features);
      const Cell* cell = cells.begin();
      for (; cells.end() - cell >= 4; cell += 4) {
        packed[cell[0]] += word;
        packed[cell[1]] += word;
        packed[cell[2]] += word;
        packed[cell[3]] += word;
      }
      for (; cell != cells.end(); ++cell) packed[*cell] += word;
    }
  }

  template <class Cells>
  void AddOneByOne(const NodeRows<Target>& node, std::size_t begin, std::size_t end,
                   Cells& out) const {
    for (std::size_t g = 0; g < rows_.groups().size(); ++g) {
      auto* const of_group = out.data() + rows_.groups()[g].first_bin;
      for (std::size_t i = begin; i < end; ++i) {
        rows_.PrefetchPlace(node.rows[std::min(i + 2 * kAhead, end - 1)]);
        rows_.PrefetchCells(node.rows[std::min(i + kAhead, end - 1)]);
        Stats stats;
        stats.Add(node.targets[i], node.Count(i));
        const typename Cells::value_type more(stats);
        for (const Cell cell : rows_.Cells(node.rows[i], g)) of_group[cell] += more;
      }
    }
  }

  const BinnedRows& rows_;
  Threads threads_;
  bool fits_words_ = false;
  detail::PackedSums sums_;
  std::optional<GradientSide> side_;
  std::vector<PackedHistogram> packed_;  // of each worker; all zero between uses
  std::vector<Chosen> chosen_;           // of each worker
  std::vector<NodeHistogram> spare_;
  std::vector<Stats> totals_;  // of each part
};

}  // namespace rankforest
