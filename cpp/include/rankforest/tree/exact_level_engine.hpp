#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/value_order.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/level_histograms.hpp"
#include "rankforest/tree/level_sweep.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/targets_by_document.hpp"

namespace rankforest {

/// Searches the questions of oblivious trees (see level_gains.hpp) between any two values: of
/// features with a bin for each value by histograms, of the others by LevelSweep.
class ExactLevelEngine {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  static constexpr bool kSearchesLevels = true;

  /// @param features_per_level  that each level draws
  ExactLevelEngine(const TrainingSet& training, std::size_t features_per_level,
                   std::size_t most_bytes = HistogramPool::kMostBytes)
      : presorted_(training.presorted()),
        order_(training.value_order()),
        threads_(training.threads),
        features_per_level_(features_per_level),
        histograms_(training.binned_rows(), training.threads, most_bytes),
        targets_(training.data.n_documents()) {
    for (FeatureId f = 0; f < presorted_.n_features(); ++f) {
      any_fine_ = any_fine_ || (IsFine(f) && !presorted_.column(f).is_constant());
    }
  }

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    histograms_.Begin(criterion, rules);
    targets_.Begin();
  }

  /// As LevelEngine::SearchLevel.
  [[nodiscard]] Split<Stats> SearchLevel(const Partition<Target>& partition,
                                         const GrowingTree<Stats>& tree,
                                         Span<const std::uint32_t> nodes, const Rng& level_rng,
                                         bool is_last) {
    DivideFeatures(rules_.At(tree[nodes[0]].allowed), level_rng);
    if (any_fine_) histograms_.Sum(partition, tree, nodes, fine_, is_last);
    Split<Stats> best;
    for (const FeatureId feature : fine_) {
      Split<Stats> question = histograms_.Best(feature);
      if (question.exists()) question.cut = order_.of(feature).end_code[question.cut] - 1;
      rules_.worth.Offer(question, rules_.min_gain, best);
    }
    if (coarse_.empty()) return best;
    Look(partition, tree, nodes);
    Sweep(best);
    return best;
  }

  /// Which side of a question a document is on.
  [[nodiscard]] CodeSide<PresortedColumn> SideOf(const Split<Stats>& question) const {
    return CodeSideOf(presorted_, question);
  }

 private:
  struct Worker {
    std::vector<LevelSweepNode> nodes;
    Split<Stats> best;
  };

  [[nodiscard]] bool IsFine(FeatureId feature) const {
    return order_.of(feature).documents.empty();
  }

  /// Draws the level's features: those with a bin for each value, and the others.
  void DivideFeatures(const SplitRules& rules, const Rng& level_rng) {
    DrawFeatures(rules, features_per_level_, presorted_.n_features(), level_rng, drawn_);
    fine_.clear();
    coarse_.clear();
    for (const FeatureId feature : drawn_) {
      (IsFine(feature) ? fine_ : coarse_).push_back(feature);
    }
  }

  /// Takes note of the nodes and of their documents.
  void Look(const Partition<Target>& partition, const GrowingTree<Stats>& tree,
            Span<const std::uint32_t> nodes) {
    nodes_.assign(nodes.size(), {});
    ParallelFor(threads_, nodes.size(), [&](std::size_t i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      nodes_[i].all = node.stats;
      targets_.Note(partition.Node(node.begin, node.end, node.depth),
                    static_cast<std::uint32_t>(i));
    });
  }

  /// Looks for a better question of a coarse feature.
  void Sweep(Split<Stats>& best) {
    workers_.resize(std::max(workers_.size(), WorkerCount(threads_, coarse_.size())));
    for (Worker& worker : workers_) {
      worker.nodes = nodes_;
      worker.best = best;
    }
    estimates_.resize(coarse_.size());
    ParallelFor(threads_, coarse_.size(), [&](std::size_t i, std::size_t w) {
      estimates_[i] = SweepOf(coarse_[i], workers_[w]).First();
    });
    double largest = 0.0;
    double goal = std::max(best.worth(), rules_.min_gain);
    for (std::size_t i = 0; i < estimates_.size(); ++i) {
      largest = std::max(largest, estimates_[i].largest);
      goal = std::max(goal, estimates_[i].gain - rules_.worth.ChargeOf(coarse_[i]));
    }
    goal -= Slack(largest);
    ParallelFor(threads_, coarse_.size(), [&](std::size_t i, std::size_t w) {
      const double gain = rules_.worth.is_gain() ? goal : goal + rules_.worth.ChargeOf(coarse_[i]);
      if (estimates_[i].gain < gain) return;
      rules_.worth.FindIn(coarse_[i], rules_.min_gain, workers_[w].best, [&](Split<Stats>& found) {
        SweepOf(coarse_[i], workers_[w]).Second(coarse_[i], gain, found);
      });
    });
    for (const Worker& worker : workers_) {
      if (IsBetter(worker.best, best)) best = worker.best;
    }
  }

  [[nodiscard]] LevelSweep SweepOf(FeatureId feature, Worker& worker) const {
    return {criterion_, rules_,       presorted_.column(feature), order_.of(feature),
            targets_,   worker.nodes, rules_.DirectionOf(feature)};
  }

  /// More than rounding moves two estimates away from their sums: each document that goes left adds
  /// at most three roundings of what is added up, and the sum of the nodes one for each, of at most
  /// as many gains.
  [[nodiscard]] double Slack(double largest) const {
    const auto n = static_cast<double>(targets_.size());
    const auto n_nodes = static_cast<double>(nodes_.size());
    return 8.0 * (n + n_nodes * n_nodes) * 0x1p-53 * largest;
  }

  const Presorted& presorted_;
  const ValueOrder& order_;
  Threads threads_;
  std::size_t features_per_level_;
  LevelHistograms histograms_;
  TargetsByDocument targets_;
  bool any_fine_ = false;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::vector<FeatureId> drawn_;
  std::vector<FeatureId> fine_;
  std::vector<FeatureId> coarse_;
  std::vector<LevelSweepNode> nodes_;  // of the level
  std::vector<LevelSweep::Estimate> estimates_;
  std::vector<Worker> workers_;
};

}  // namespace rankforest
