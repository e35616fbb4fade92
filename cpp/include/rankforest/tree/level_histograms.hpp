#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/float_order.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/level_gains.hpp"
#include "rankforest/tree/node_histogram.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/tree_histograms.hpp"

namespace rankforest {

/// What every question between two bins gains, level by level of an oblivious tree (see
/// level_gains.hpp for the words).
///
/// The nodes are gone through two siblings at a time, so that histograms are summed and subtracted
/// as for other trees, and a node that no question divides keeps its own.
class LevelHistograms {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  LevelHistograms(const BinnedRows& rows, Threads threads, std::size_t most_bytes)
      : rows_(rows), threads_(threads), histograms_(rows, threads, most_bytes) {}

  /// A new tree.
  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    histograms_.Begin();
    counts_.assign(rows_.n_bins(), 0);
  }

  /// Adds up the gains at a level.
  ///
  /// @param nodes     of the level, from left to right
  /// @param features  whose questions are looked at, ascending
  /// @param is_last   whether the tree has no level below
  void Sum(const Partition<Target>& partition, const GrowingTree<Stats>& tree,
           Span<const std::uint32_t> nodes, Span<const FeatureId> features, bool is_last) {
    is_asked_.assign(rows_.n_features(), 0);
    for (const FeatureId feature : features) is_asked_[feature] = 1;
    for (std::vector<double>& gains : gains_) gains.assign(rows_.n_bins(), 0.0);
    workers_.resize(std::max(workers_.size(), WorkerCount(threads_, NBlocks())));
    for (std::size_t i = 0; i < nodes.size();) {
      const std::size_t n = SiblingsAt(tree, nodes, i);
      AddNodes(partition, tree, nodes.subspan(i, n), is_last);
      i += n;
    }
  }

  /// The best question of a feature that gains more than min_gain; its cut is a bin.
  [[nodiscard]] Split<Stats> Best(FeatureId feature) const {
    Split<Stats> best;
    const FeatureBins& bins = rows_.bins(feature);
    if (bins.is_constant()) return best;
    const std::uint64_t* const counts = counts_.data() + rows_.FirstBin(feature);
    std::size_t end = bins.n_bins();  // of the bins that hold values of the tree's documents
    while (end > 0 && counts[end - 1] == 0) --end;
    if (end == 0) return best;
    const bool saw_missing = bins.has_missing() && counts[bins.n_bins()] > 0;
    for (const MissingTo to : {MissingTo::kLeft, MissingTo::kRight}) {
      if (to == MissingTo::kRight && !saw_missing) break;
      const double* const gains = GainsOf(to) + rows_.FirstBin(feature);
      // With NaN on the right, all values may be on the left.
      const std::size_t n = to == MissingTo::kRight ? end : end - 1;
      for (std::size_t b = 0; b < n; ++b) {
        if (counts[b] == 0 || !(gains[b] > rules_.min_gain) || gains[b] < best.gain) continue;
        const Split<Stats> question = QuestionBehind(feature, b, end, to, gains[b]);
        if (IsBetter(question, best)) best = question;
      }
    }
    best.saw_missing = saw_missing;
    return best;
  }

 private:
  static constexpr std::size_t kFeaturesPerTask = 8;

  [[nodiscard]] std::size_t NBlocks() const {
    return (rows_.n_features() + kFeaturesPerTask - 1) / kFeaturesPerTask;
  }
  [[nodiscard]] const double* GainsOf(MissingTo to) const {
    return gains_[static_cast<std::size_t>(to)].data();
  }
  [[nodiscard]] double* GainsOf(MissingTo to) {
    return gains_[static_cast<std::size_t>(to)].data();
  }

  [[nodiscard]] Split<Stats> QuestionBehind(FeatureId feature, std::size_t bin, std::size_t end,
                                            MissingTo missing, double gain) const {
    const FeatureBins& bins = rows_.bins(feature);
    const std::uint64_t* const counts = counts_.data() + rows_.FirstBin(feature);
    std::size_t next = bin + 1;
    while (next < end && counts[next] == 0) ++next;
    Split<Stats> question;
    question.gain = gain;
    question.feature = feature;
    question.cut = static_cast<Code>(bin);
    question.threshold =
        next < end ? Midpoint(bins.Highest(bin), bins.Lowest(next)) : AboveAll(bins.Largest());
    question.missing = missing;
    return question;
  }

  /// How many of the nodes from i on are children of one parent whose histograms are not there.
  [[nodiscard]] std::size_t SiblingsAt(const GrowingTree<Stats>& tree,
                                       Span<const std::uint32_t> nodes, std::size_t i) const {
    if (i + 1 == nodes.size() || histograms_.Has(nodes[i]) || histograms_.Has(nodes[i + 1])) {
      return 1;
    }
    return tree[nodes[i]].parent == tree[nodes[i + 1]].parent ? 2 : 1;
  }

  /// Whether a question may divide a node, now or further down.
  [[nodiscard]] bool MayEverDivide(const GrowingNode<Stats>& node) const {
    return node.stats.count >= 2 * rules_.min_samples_leaf;
  }

  /// @param nodes  one node, or two siblings without histograms
  void AddNodes(const Partition<Target>& partition, const GrowingTree<Stats>& tree,
                Span<const std::uint32_t> nodes, bool is_last) {
    candidates_.clear();
    for (const std::uint32_t node : nodes) {
      if (MayEverDivide(tree[node])) candidates_.push_back(node);
    }
    const bool is_new = !histograms_.Has(nodes[0]);
    if (is_new) histograms_.Sum(partition, tree, tree[nodes[0]].parent, candidates_);
    if (candidates_.empty()) return;
    ParallelChunks(threads_, rows_.n_features(), kFeaturesPerTask,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     for (std::size_t f = begin; f < end; ++f) {
                       AddFeature(static_cast<FeatureId>(f), tree, is_new, workers_[worker]);
                     }
                   });
    if (!is_new) return;
    histograms_.Keep([&](std::uint32_t node) { return !is_last && MayEverDivide(tree[node]); });
  }

  void AddFeature(FeatureId feature, const GrowingTree<Stats>& tree, bool is_new,
                  Histogram& unpacked) {
    const FeatureBins& bins = rows_.bins(feature);
    if (bins.is_constant()) return;
    if (is_new) histograms_.FinishFeature(feature);
    const std::size_t first = rows_.FirstBin(feature);
    for (const std::uint32_t node : candidates_) {
      if (is_asked_[feature] == 0 && node != 0) continue;
      const Stats* const cells = histograms_.Cells(node, feature, unpacked);
      if (node == 0) {
        for (std::size_t c = 0; c < bins.n_codes(); ++c) counts_[first + c] = cells[c].count;
      }
      const Stats missing = bins.has_missing() ? cells[bins.missing_code()] : Stats{};
      const Span<const Stats> values(cells, bins.n_bins());
      AddGains(criterion_, rules_, tree[node].stats, missing, values,
               GainsOf(MissingTo::kLeft) + first, rules_.DirectionOf(feature));
      if (!bins.has_missing()) continue;
      AddGains(criterion_, rules_, tree[node].stats, {}, values, GainsOf(MissingTo::kRight) + first,
               rules_.DirectionOf(feature));
    }
  }

  const BinnedRows& rows_;
  Threads threads_;
  TreeHistograms histograms_;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::vector<std::uint64_t> counts_;         // of the tree's documents, by cell
  std::array<std::vector<double>, 2> gains_;  // by where NaN goes, and cell
  std::vector<std::uint8_t> is_asked_;        // by feature
  std::vector<std::uint32_t> candidates_;
  std::vector<Histogram> workers_;  // one feature of one node, unpacked
};

}  // namespace rankforest
