#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/value_order.hpp"
#include "rankforest/criterion/gradient_side.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/criterion/newton_bound.hpp"
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
#include "rankforest/tree/refined_column.hpp"
#include "rankforest/tree/targets_by_document.hpp"
#include "rankforest/tree/tree_histograms.hpp"

namespace rankforest {

/// Finds the best of all thresholds, those of ColumnEngine on presorted columns, to the bit, at
/// little more than the price of histograms. The best boundary between bins is a gain to beat; only
/// the bins that may have a better threshold inside, by NewtonBound, are looked into.
class RefiningEngine {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  /// @param most_bytes  of histograms that wait: see HistogramPool
  explicit RefiningEngine(const TrainingSet& training,
                          std::size_t most_bytes = HistogramPool::kMostBytes)
      : presorted_(training.presorted()),
        order_(training.value_order()),
        rows_(training.binned_rows()),
        threads_(training.threads),
        histograms_(rows_, threads_, most_bytes),
        of_side_(rows_, threads_, most_bytes),
        targets_(training.data.n_documents()),
        freed_(presorted_, threads_, presorted_.n_features()) {}

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    histograms_.Begin();
    of_side_.Begin();
    targets_.Begin();
  }

  /// Fills tree[n].split for each of `nodes`, which are children of `parent`, or the root.
  void Search(const Partition<Target>& partition, GrowingTree<Stats>& tree, std::uint32_t parent,
              Span<const std::uint32_t> nodes) {
    if (!nodes.empty() && nodes[0] == 0) {
      side_ = GradientSide::Rarer(partition.Node(0, partition.size(), 0));
      of_side_.Restrict(side_);
    }
    histograms_.Sum(partition, tree, parent, nodes);
    of_side_.Sum(partition, tree, parent, nodes);
    if (nodes.empty()) return;
    Look(partition, tree, nodes);
    workers_.resize(std::max(workers_.size(), WorkerCount(threads_, rows_.n_features())));
    for (Worker& worker : workers_) worker.bests.assign(nodes.size(), {});
    SearchBins(tree, nodes);
    SearchInsideBins(tree, nodes);
    ParallelFor(threads_, nodes.size(), [&](std::size_t i) {
      Split<Stats>& split = tree[nodes[i]].split;
      for (const Worker& worker : workers_) {
        if (IsBetter(worker.bests[i], split)) split = worker.bests[i];
      }
      if (split.exists()) Narrow(rows_of_[i], split);
    });
    const auto is_split = [&](std::uint32_t node) { return tree[node].split.exists(); };
    histograms_.Keep(is_split);
    of_side_.Keep(is_split);
  }

  /// Brings the splits of nodes up to date that were searched before `features` became free.
  void Revisit(const Partition<Target>& partition, GrowingTree<Stats>& tree,
               Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    freed_.Search(criterion_, rules_, partition, tree, nodes, features);
  }

  [[nodiscard]] static constexpr bool searches_late() { return false; }
  void Forget(std::uint32_t node) {
    histograms_.Forget(node);
    of_side_.Forget(node);
  }

  /// Which child a document of the node goes to.
  [[nodiscard]] CodeSide<PresortedColumn> SideOf(const Split<Stats>& split) const {
    return CodeSideOf(presorted_, split);
  }

 private:
  static constexpr std::size_t kFeaturesPerTask = 8;

  struct Worker {
    Histogram unpacked;  // one feature of one node
    Histogram of_side;   // likewise
    RefinedScratch scratch;
    std::vector<Split<Stats>> bests;  // of each node
  };

  /// Takes note of the documents of the nodes.
  void Look(const Partition<Target>& partition, const GrowingTree<Stats>& tree,
            Span<const std::uint32_t> nodes) {
    rows_of_.resize(nodes.size());
    bounds_.resize(nodes.size());
    ParallelFor(threads_, nodes.size(), [&](std::size_t i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      rows_of_[i] = partition.Node(node.begin, node.end, node.depth);
      bounds_[i] = NewtonBound(criterion_, side_, rows_of_[i]);
      targets_.Note(rows_of_[i], nodes[i]);
    });
  }

  /// What the best split between two bins is worth, of each feature and of all, at each node.
  void SearchBins(const GrowingTree<Stats>& tree, Span<const std::uint32_t> nodes) {
    worths_.assign(rows_.n_features() * nodes.size(), 0.0);
    ParallelChunks(threads_, rows_.n_features(), kFeaturesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t f = begin; f < end; ++f) {
                       const auto feature = static_cast<FeatureId>(f);
                       if (rows_.bins(feature).is_constant()) continue;
                       histograms_.FinishFeature(feature);
                       of_side_.FinishFeature(feature);
                       for (std::size_t i = 0; i < nodes.size(); ++i) {
                         worths_[f * nodes.size() + i] =
                             WorthOfBins(feature, tree[nodes[i]], nodes[i], workers_[worker]);
                       }
                     }
                   });
    most_.assign(nodes.size(), 0.0);
    for (std::size_t i = 0; i < worths_.size(); ++i) {
      most_[i % nodes.size()] = std::max(most_[i % nodes.size()], worths_[i]);
    }
  }

  [[nodiscard]] double WorthOfBins(FeatureId feature, const GrowingNode<Stats>& node,
                                   std::uint32_t index, Worker& worker) const {
    if (!rules_.At(node.allowed).Admits(feature)) return 0.0;
    HistogramColumn column(rows_.bins(feature), histograms_.Cells(index, feature, worker.unpacked));
    Split<Stats> best;
    rules_.worth.FindIn(feature, rules_.min_gain, best, [&](Split<Stats>& found) {
      BestThreshold().Find(criterion_, column, feature, node.stats, rules_, node.rng, found);
    });
    return best.worth();
  }

  /// The best splits of all, but for where exactly their thresholds are: see Narrow().
  void SearchInsideBins(const GrowingTree<Stats>& tree, Span<const std::uint32_t> nodes) {
    ParallelFor(threads_, rows_.n_features(), [&](std::size_t f, std::size_t worker) {
      const auto feature = static_cast<FeatureId>(f);
      if (rows_.bins(feature).is_constant()) return;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        SearchInsideBins(feature, tree[nodes[i]], nodes[i], i, worths_[f * nodes.size() + i],
                         workers_[worker]);
      }
    });
  }

  /// @param i  of the node among those that are searched
  void SearchInsideBins(FeatureId feature, const GrowingNode<Stats>& node, std::uint32_t index,
                        std::size_t i, double worth_of_bins, Worker& worker) const {
    if (!rules_.At(node.allowed).Admits(feature)) return;
    Split<Stats>& best = worker.bests[i];
    const double goal = std::max(most_[i], best.worth());
    const BinContents& contents = order_.of(feature);
    const bool is_fine = contents.documents.empty();
    const bool has_best_bins = worth_of_bins > 0.0 && worth_of_bins >= goal;
    if (is_fine && !has_best_bins) return;
    const Stats* const cells = histograms_.Cells(index, feature, worker.unpacked);
    std::array<std::uint8_t, FeatureBins::kMost> marks = {};
    const double gain = rules_.worth.LeastGain(feature, goal, rules_.min_gain);
    const bool any =
        !is_fine && MarkBins(feature, cells, of_side_.Cells(index, feature, worker.of_side),
                             node.stats, bounds_[i], gain, marks);
    if (!any && !has_best_bins) return;
    RefinedColumn column(presorted_.column(feature), contents, cells, marks.data(), targets_, index,
                         worker.scratch);
    rules_.worth.FindIn(feature, rules_.min_gain, best, [&](Split<Stats>& found) {
      BestThreshold().Find(criterion_, column, feature, node.stats, rules_, node.rng, found);
    });
  }

  /// Marks the bins to look into, wherever NaN may go.
  bool MarkBins(FeatureId feature, const Stats* cells, const Stats* of_side, const Stats& all,
                const NewtonBound& bound, double goal,
                std::array<std::uint8_t, FeatureBins::kMost>& marks) const {
    const FeatureBins& bins = rows_.bins(feature);
    const Span<const Stats> values(cells, bins.n_bins());
    const Stats missing = bins.has_missing() ? cells[bins.missing_code()] : Stats{};
    const BinContents& contents = order_.of(feature);
    const auto may_divide = [&](std::size_t bin) { return contents.HasSeveralValues(bin); };
    bool any = bound.Mark(values, of_side, missing, all, goal, may_divide, marks.data());
    if (missing.count == 0) return any;
    any = bound.Mark(values, of_side, {}, all, goal, may_divide, marks.data()) || any;
    if (rules_.missing != MissingRule::kThird) return any;
    const double rest = goal - criterion_.Gain(all - missing, missing);
    return bound.Mark(values, of_side, {}, all - missing, rest, may_divide, marks.data()) || any;
  }

  /// Moves the threshold of a split between the two values of the node that are nearest to it.
  void Narrow(const NodeRows<Target>& node, Split<Stats>& split) const {
    const PresortedColumn& column = presorted_.column(split.feature);
    Code below = 0;
    Code above = column.missing_code();
    for (const RowId row : node.rows) {
      const Code code = column.codes[row];
      const bool is_left = code <= split.cut;
      below = is_left ? std::max(below, code) : below;
      above = is_left ? above : std::min(above, code);
    }
    split.cut = below;
    if (above == column.missing_code()) return;  // all values are left of it
    split.threshold = Midpoint(column.Highest(below), column.Lowest(above));
  }

  const Presorted& presorted_;
  const ValueOrder& order_;
  const BinnedRows& rows_;
  Threads threads_;
  TreeHistograms histograms_;
  TreeHistograms of_side_;  // of documents on one side of a ratio
  GradientSide side_;
  TargetsByDocument targets_;
  FreedSearch<Newton, BestThreshold, Presorted> freed_;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::vector<NodeRows<Target>> rows_of_;  // of each node that is searched
  std::vector<NewtonBound> bounds_;        // likewise
  std::vector<double> worths_;             // [feature][node], between bins
  std::vector<double> most_;               // of each node
  std::vector<Worker> workers_;
};

}  // namespace rankforest
