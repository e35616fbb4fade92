#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/gradient_side.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/tree/gain_filter.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/node_histogram.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/paired_sums.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// The histograms of a growing tree's nodes. Of the children of a split only the smaller ones are
/// summed; the largest is what they leave of their parent.
///
/// For each set of siblings: Sum(), then FinishFeature() of every feature that is not constant,
/// then any number of MayGain() and Cells(), then Keep().
class TreeHistograms {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  /// @param most_bytes  of histograms that wait: see HistogramPool
  TreeHistograms(const BinnedRows& rows, Threads threads, std::size_t most_bytes)
      : rows_(rows), builder_(rows, threads), pool_(rows.n_bins(), most_bytes) {}

  /// Forgets the tree before.
  void Begin() {
    for (std::uint32_t node = 0; node < histogram_of_.size(); ++node) Forget(node);
    histogram_of_.clear();
  }

  /// From now on sums only the documents on that side: to be called before a tree's root is.
  void Restrict(const GradientSide& side) { builder_.Restrict(side); }

  /// Sums the documents of those of `nodes`, and of their siblings, that have to be: see
  /// FinishFeature().
  ///
  /// @param nodes  children of `parent`, or the root alone, or none
  void Sum(const Partition<Target>& partition, const GrowingTree<Stats>& tree, std::uint32_t parent,
           Span<const std::uint32_t> nodes) {
    built_.clear();
    subtracted_.reset();
    histogram_of_.resize(tree.size(), kNone);
    if (nodes.empty()) return Forget(parent);
    if (nodes[0] == 0) BeginWith(partition.Node(0, partition.size(), 0));
    Plan(tree, parent, nodes);
    Provide(partition, tree);
    for (std::size_t b = 0; b < built_.size(); ++b) {
      const GrowingNode<Stats>& node = tree[built_[b]];
      totals_[b] = builder_.Build(partition.Node(node.begin, node.end, node.depth),
                                  HistogramOf(built_[b]), parts_[b]);
    }
  }

  /// Makes the cells of one feature, for all nodes; features may be finished side by side.
  void FinishFeature(FeatureId feature) {
    for (std::size_t b = 0; b < built_.size(); ++b) {
      builder_.FinishFeature(feature, totals_[b], HistogramOf(built_[b]), parts_[b]);
    }
    if (!subtracted_.has_value()) return;
    const std::size_t first = rows_.FirstBin(feature);
    const std::size_t end = rows_.FirstBin(feature + 1);
    NodeHistogram& largest = HistogramOf(*subtracted_);
    for (const std::uint32_t other : built_) {
      largest.Subtract(HistogramOf(other), builder_.sums(), first, end);
    }
    if (packs_subtracted_) largest.Pack(builder_.sums(), first, end);
  }

  /// The filter of a node's splits.
  ///
  /// @param sums  of the node
  [[nodiscard]] GainFilter FilterOf(std::uint32_t node, const Newton::Scaled& criterion,
                                    const SplitRules& rules, const Stats& sums) const {
    const bool is_paired = pool_[histogram_of_[node]].kind == CellKind::kPaired;
    return GainFilter(criterion, rules,
                      is_paired ? detail::PairedSums::Fields() : builder_.sums().fields(), sums);
  }

  /// Whether a split between two bins of a feature may gain `goal` or more; false is certain.
  [[nodiscard]] bool MayGain(std::uint32_t node, FeatureId feature, const GainFilter& filter,
                             double goal) const {
    const NodeHistogram& histogram = pool_[histogram_of_[node]];
    const auto may_gain = [&](const auto* first) {
      const FeatureBins& bins = rows_.bins(feature);
      const auto* const cells = first + rows_.FirstBin(feature);
      const std::size_t n = bins.n_bins();
      return bins.has_missing() ? filter.MayGain({cells, n}, cells[n], goal)
                                : filter.MayGain({cells, n}, {}, goal);
    };
    switch (histogram.kind) {
      case CellKind::kPlain:
        return true;
      case CellKind::kPaired:
        return may_gain(histogram.paired.data());
      case CellKind::kPacked:
        return may_gain(histogram.packed.data());
    }
    return true;
  }

  /// A node's cells of all codes of a feature, written to `unpacked` where they are not plain.
  [[nodiscard]] const Stats* Cells(std::uint32_t node, FeatureId feature,
                                   Histogram& unpacked) const {
    return pool_[histogram_of_[node]].Cells(builder_.sums(), rows_.FirstBin(feature),
                                            rows_.FirstBin(feature + 1), unpacked);
  }

  /// Keeps the histograms of nodes that will be split for their children.
  ///
  /// @param will_split  (node) -> whether it will
  template <class WillSplit>
  void Keep(const WillSplit& will_split) {
    const auto keep = [&](std::uint32_t node) {
      if (!will_split(node) || pool_.is_full()) Forget(node);
    };
    for (const std::uint32_t node : built_) keep(node);
    if (!subtracted_.has_value()) return;
    if (packs_subtracted_) pool_.MakePacked(histogram_of_[*subtracted_]);
    keep(*subtracted_);
  }

  /// Whether a node's histogram is there: it was kept.
  [[nodiscard]] bool Has(std::uint32_t node) const {
    return node < histogram_of_.size() && histogram_of_[node] != kNone;
  }

  /// Gives up the histogram of a node that will not be split, if it has one.
  void Forget(std::uint32_t node) {
    if (histogram_of_[node] == kNone) return;
    pool_.Release(std::exchange(histogram_of_[node], kNone));
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Looks at the targets of a new tree.
  void BeginWith(const NodeRows<Target>& root) {
    const detail::TargetRange range(root.targets);
    const bool fits_words = range.largest <= (1 << kLargeSearchBits);
    builder_.Begin(fits_words, range.unit_hessian);
    unpacked_kind_ = !fits_words && FitPairs(root, range) ? CellKind::kPaired : CellKind::kPlain;
  }

  [[nodiscard]] static bool FitPairs(const NodeRows<Target>& root,
                                     const detail::TargetRange& range) {
    const std::uint64_t n_drawn =
        std::accumulate(root.counts.begin(), root.counts.end(), std::uint64_t{0});
    return range.largest <= (1 << kSearchBits) &&
           (root.counts.empty() ? root.size() : n_drawn) <= detail::PairedSums::kMostDocuments;
  }

  /// Decides which histograms are summed and which one is subtracted.
  void Plan(const GrowingTree<Stats>& tree, std::uint32_t parent, Span<const std::uint32_t> nodes) {
    built_.assign(nodes.begin(), nodes.end());
    const std::size_t of_parent = histogram_of_[parent];
    if (of_parent != kNone) {
      const auto& children = tree[parent].children;
      const std::size_t n_children = tree[parent].split.missing == MissingTo::kOwn ? 3 : 2;
      const auto size_of = [&](std::uint32_t n) { return tree[n].end - tree[n].begin; };
      const auto largest = *std::max_element(
          children.begin(), children.begin() + static_cast<std::ptrdiff_t>(n_children),
          [&](std::uint32_t a, std::uint32_t b) { return size_of(a) < size_of(b); });
      if (std::find(nodes.begin(), nodes.end(), largest) != nodes.end()) {
        built_.assign(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(n_children));
        built_.erase(std::find(built_.begin(), built_.end(), largest));
        subtracted_ = largest;
        histogram_of_[largest] = std::exchange(histogram_of_[parent], kNone);
      } else {
        Forget(parent);
      }
    }
    parts_.resize(std::max(parts_.size(), built_.size()));
    totals_.resize(built_.size());
  }

  /// Nodes that fit words have packed histograms: all those below a packed one do.
  void Provide(const Partition<Target>& partition, const GrowingTree<Stats>& tree) {
    const auto fits = [&](std::uint32_t n) {
      const GrowingNode<Stats>& node = tree[n];
      return builder_.sums().Fits(partition.Node(node.begin, node.end, node.depth));
    };
    const bool below_packed = subtracted_.has_value() && HistogramOf(*subtracted_).is_packed();
    for (const std::uint32_t n : built_) {
      const bool is_packed = below_packed || fits(n);
      histogram_of_[n] = pool_.Acquire(is_packed ? CellKind::kPacked : unpacked_kind_);
    }
    packs_subtracted_ = subtracted_.has_value() && !below_packed && fits(*subtracted_);
    if (packs_subtracted_) pool_.AddPacked(histogram_of_[*subtracted_]);
  }

  [[nodiscard]] NodeHistogram& HistogramOf(std::uint32_t node) {
    return pool_[histogram_of_[node]];
  }

  const BinnedRows& rows_;
  HistogramBuilder builder_;
  HistogramPool pool_;
  std::vector<std::size_t> histogram_of_;  // by node; kNone: it has none
  std::vector<std::uint32_t> built_;       // nodes whose documents are summed
  std::optional<std::uint32_t> subtracted_;
  CellKind unpacked_kind_ = CellKind::kPlain;      // of the tree's nodes that do not fit words
  bool packs_subtracted_ = false;                  // whether it becomes a packed one
  std::vector<std::vector<NodeHistogram>> parts_;  // of each of built_
  std::vector<Stats> totals_;                      // likewise
};

}  // namespace rankforest
