#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/node_histogram.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// One feature of one node, as BestThreshold asks about it.
class HistogramColumn {
 public:
  using Stats = Newton::Stats;

  /// @param cells  of all codes
  HistogramColumn(const FeatureBins& bins, const Stats* cells) : bins_(bins), cells_(cells) {}

  void Sort() {}
  [[nodiscard]] Span<const Stats> cells() const { return {cells_, bins_.n_bins()}; }
  [[nodiscard]] Code CodeOf(std::size_t cell) const { return static_cast<Code>(cell); }
  [[nodiscard]] Stats missing() const {
    return bins_.has_missing() ? cells_[bins_.missing_code()] : Stats{};
  }
  [[nodiscard]] float Lowest(Code code) const { return bins_.Lowest(code); }
  [[nodiscard]] float Highest(Code code) const { return bins_.Highest(code); }

 private:
  const FeatureBins& bins_;
  const Stats* cells_;
};

/// Searches splits over histograms of binned features. Of the children of a split only the
/// smaller ones are summed; the largest is what they leave of their parent.
class HistogramEngine {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  /// @param most_bytes  of histograms that wait: see HistogramPool
  explicit HistogramEngine(const TrainingSet& training,
                           std::size_t most_bytes = HistogramPool::kMostBytes)
      : columns_(training.binned_columns()),
        rows_(training.binned_rows()),
        threads_(training.threads),
        builder_(rows_, threads_),
        pool_(rows_.n_bins() * (sizeof(Stats) + sizeof(std::uint64_t)), most_bytes) {}

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    pool_.ReleaseAll();
    histogram_of_.clear();
  }

  /// Fills tree[n].split for each of `nodes`, which are children of `parent`, or the root.
  void Search(const Partition<Target>& partition, GrowingTree<Stats>& tree, std::uint32_t parent,
              Span<const std::uint32_t> nodes) {
    histogram_of_.resize(tree.size(), kNone);
    if (nodes.empty()) return ReleaseUnless(false, parent);
    if (nodes[0] == 0) BeginWith(partition.Node(0, partition.size(), 0));
    Plan(tree, parent, nodes);
    ChooseKinds(partition, tree);
    for (std::size_t b = 0; b < built_.size(); ++b) {
      const GrowingNode<Stats>& node = tree[built_[b]];
      builder_.Build(partition.Node(node.begin, node.end, node.depth), HistogramOf(built_[b]),
                     parts_[b]);
    }
    SearchFeatures(tree, nodes);
    if (packs_subtracted_) HistogramOf(*subtracted_).is_packed = true;
    for (const std::uint32_t node : built_) ReleaseUnless(tree[node].split.exists(), node);
    if (subtracted_.has_value()) {
      ReleaseUnless(tree[*subtracted_].split.exists(), *subtracted_);
    }
  }

  [[nodiscard]] static constexpr bool searches_late() { return false; }

  /// Which child a document of the node goes to.
  [[nodiscard]] CodeSide<BinnedColumn> SideOf(const Split<Stats>& split) const {
    return CodeSideOf(columns_, split);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kFeaturesPerTask = 8;

  /// Looks at the targets of a new tree.
  void BeginWith(const NodeRows<Target>& root) {
    const std::int32_t hess = root.targets[0].hess;
    bool is_unit = true;
    std::int32_t largest = 0;
    for (const Target& target : root.targets) {
      is_unit = is_unit && target.hess == hess;
      largest = std::max({largest, std::abs(target.grad), target.hess});
    }
    builder_.Begin(largest <= (1 << kLargeSearchBits), is_unit ? hess : 0);
  }

  /// Decides which histograms are summed and which one is subtracted.
  void Plan(const GrowingTree<Stats>& tree, std::uint32_t parent, Span<const std::uint32_t> nodes) {
    built_.assign(nodes.begin(), nodes.end());
    subtracted_.reset();
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
        pool_.Release(std::exchange(histogram_of_[parent], kNone));
      }
    }
    parts_.resize(std::max(parts_.size(), built_.size()));
    for (const std::uint32_t node : built_) histogram_of_[node] = pool_.Acquire();
  }

  /// Nodes that fit words have packed histograms: all those below a packed one do.
  void ChooseKinds(const Partition<Target>& partition, const GrowingTree<Stats>& tree) {
    const auto fits = [&](std::uint32_t n) {
      const GrowingNode<Stats>& node = tree[n];
      return builder_.sums().Fits(partition.Node(node.begin, node.end, node.depth));
    };
    const bool below_packed = subtracted_.has_value() && HistogramOf(*subtracted_).is_packed;
    for (const std::uint32_t n : built_) HistogramOf(n).is_packed = below_packed || fits(n);
    packs_subtracted_ = subtracted_.has_value() && !below_packed && fits(*subtracted_);
    if (packs_subtracted_) HistogramOf(*subtracted_).packed.resize(rows_.n_bins());
  }

  void SearchFeatures(GrowingTree<Stats>& tree, Span<const std::uint32_t> nodes) {
    const std::size_t n_blocks = (rows_.n_features() + kFeaturesPerTask - 1) / kFeaturesPerTask;
    const std::size_t workers = WorkerCount(threads_, n_blocks);
    bests_.assign(workers * nodes.size(), {});
    unpacked_.resize(workers);
    ParallelChunks(threads_, rows_.n_features(), kFeaturesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t f = begin; f < end; ++f) {
                       SearchFeature(static_cast<FeatureId>(f), tree, nodes, unpacked_[worker],
                                     bests_.data() + worker * nodes.size());
                     }
                   });
    for (std::size_t i = 0; i < bests_.size(); ++i) {
      Split<Stats>& split = tree[nodes[i % nodes.size()]].split;
      if (IsBetter(bests_[i], split)) split = bests_[i];
    }
  }

  void SearchFeature(FeatureId feature, const GrowingTree<Stats>& tree,
                     Span<const std::uint32_t> nodes, Histogram& unpacked, Split<Stats>* bests) {
    const FeatureBins& bins = rows_.bins(feature);
    if (bins.is_constant()) return;
    for (std::size_t b = 0; b < built_.size(); ++b) {
      builder_.FinishFeature(feature, tree[built_[b]].stats, HistogramOf(built_[b]), parts_[b]);
    }
    const detail::PackedSums& sums = builder_.sums();
    const std::size_t first = rows_.FirstBin(feature);
    const std::size_t end = rows_.FirstBin(feature + 1);
    if (subtracted_.has_value()) {
      NodeHistogram& largest = HistogramOf(*subtracted_);
      for (const std::uint32_t other : built_) {
        largest.Subtract(HistogramOf(other), sums, first, end);
      }
      if (packs_subtracted_) largest.Pack(sums, first, end);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      HistogramColumn column(bins, HistogramOf(nodes[i]).Cells(sums, first, end, unpacked));
      BestThreshold().Find(criterion_, column, feature, node.stats, rules_, node.rng, bests[i]);
    }
  }

  [[nodiscard]] NodeHistogram& HistogramOf(std::uint32_t node) {
    return pool_[histogram_of_[node]];
  }

  /// Keeps a node's histogram for its children, if there will be any and the pool has room.
  void ReleaseUnless(bool is_needed, std::uint32_t node) {
    if ((is_needed && !pool_.is_full()) || histogram_of_[node] == kNone) return;
    pool_.Release(std::exchange(histogram_of_[node], kNone));
  }

  const BinnedColumns& columns_;
  const BinnedRows& rows_;
  Threads threads_;
  HistogramBuilder builder_;
  HistogramPool pool_;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::vector<std::size_t> histogram_of_;  // by node; kNone: it has none
  std::vector<std::uint32_t> built_;       // nodes whose documents are summed
  std::optional<std::uint32_t> subtracted_;
  bool packs_subtracted_ = false;                  // whether it becomes a packed one
  std::vector<std::vector<NodeHistogram>> parts_;  // of each of built_
  std::vector<Histogram> unpacked_;                // one feature of one node, by worker
  std::vector<Split<Stats>> bests_;                // [worker][node]
};

}  // namespace rankforest
