#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/freed_search.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram_column.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/node_histogram.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/tree_histograms.hpp"

namespace rankforest {

/// Searches splits over histograms of binned features.
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
        histograms_(rows_, threads_, most_bytes),
        freed_(columns_, threads_, columns_.n_features()) {}

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    histograms_.Begin();
  }

  /// Fills tree[n].split for each of `nodes`, which are children of `parent`, or the root.
  void Search(const Partition<Target>& partition, GrowingTree<Stats>& tree, std::uint32_t parent,
              Span<const std::uint32_t> nodes) {
    histograms_.Sum(partition, tree, parent, nodes);
    if (nodes.empty()) return;
    SearchFeatures(tree, nodes);
    histograms_.Keep([&](std::uint32_t node) { return tree[node].split.exists(); });
  }

  /// Brings the splits of nodes up to date that were searched before `features` became free.
  void Revisit(const Partition<Target>& partition, GrowingTree<Stats>& tree,
               Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    freed_.Search(criterion_, rules_, partition, tree, nodes, features);
  }

  [[nodiscard]] static constexpr bool searches_late() { return false; }
  void Forget(std::uint32_t node) { histograms_.Forget(node); }

  /// Which child a document of the node goes to.
  [[nodiscard]] CodeSide<BinnedColumn> SideOf(const Split<Stats>& split) const {
    return CodeSideOf(columns_, split);
  }

 private:
  static constexpr std::size_t kFeaturesPerTask = 8;

  void SearchFeatures(GrowingTree<Stats>& tree, Span<const std::uint32_t> nodes) {
    const std::size_t n_blocks = (rows_.n_features() + kFeaturesPerTask - 1) / kFeaturesPerTask;
    const std::size_t workers = WorkerCount(threads_, n_blocks);
    bests_.assign(workers * nodes.size(), {});
    unpacked_.resize(workers);
    filters_.clear();
    for (const std::uint32_t node : nodes) {
      filters_.push_back(histograms_.FilterOf(node, criterion_, rules_, tree[node].stats));
    }
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
    histograms_.FinishFeature(feature);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      if (!rules_.At(node.allowed).Admits(feature)) continue;
      const double goal = rules_.worth.LeastGain(feature, bests[i].worth(), rules_.min_gain);
      if (!histograms_.MayGain(nodes[i], feature, filters_[i], goal)) continue;
      HistogramColumn column(bins, histograms_.Cells(nodes[i], feature, unpacked));
      rules_.worth.FindIn(feature, rules_.min_gain, bests[i], [&](Split<Stats>& found) {
        BestThreshold().Find(criterion_, column, feature, node.stats, rules_, node.rng, found);
      });
    }
  }

  const BinnedColumns& columns_;
  const BinnedRows& rows_;
  Threads threads_;
  TreeHistograms histograms_;
  FreedSearch<Newton, BestThreshold, BinnedColumns> freed_;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::vector<GainFilter> filters_;  // of each node
  std::vector<Histogram> unpacked_;  // one feature of one node, by worker
  std::vector<Split<Stats>> bests_;  // [worker][node]
};

}  // namespace rankforest
