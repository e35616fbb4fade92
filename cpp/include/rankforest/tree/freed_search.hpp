#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/node_column.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// Looks again at features that a tree has just paid for, in the nodes whose splits were searched
/// before: those features are worth more there now, and nothing else has changed. So each node has
/// the split that a new search of all features would find, by whatever engine.
///
/// It reads the documents of all waiting nodes once for each feature that is freed. A feature is
/// freed once in a model that is boosted, and in each tree of a stage of a forest.
///
/// @tparam Columns  Presorted or BinnedColumns
template <class Criterion, class Threshold, class Columns>
class FreedSearch {
 public:
  using Stats = typename Criterion::Stats;
  using Target = typename Criterion::Target;

  /// @param features_per_node  that each node draws
  FreedSearch(const Columns& columns, Threads threads, std::size_t features_per_node)
      : columns_(columns), threads_(threads), features_per_node_(features_per_node) {}

  /// Brings the splits of `nodes` up to date.
  ///
  /// @param features  that are free from now on, ascending
  void Search(const typename Criterion::Scaled& criterion, const SplitRules& rules,
              const Partition<Target>& partition, GrowingTree<Stats>& tree,
              Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    workers_.resize(std::max(workers_.size(), WorkerCount(threads_, nodes.size())));
    ParallelFor(threads_, nodes.size(), [&](std::size_t i, std::size_t w) {
      GrowingNode<Stats>& node = tree[nodes[i]];
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      Worker& worker = workers_[w];
      DrawOf(rules.At(node.allowed), node, worker.drawn);
      for (const FeatureId feature : features) {
        const typename Columns::Column& column = columns_.column(feature);
        if (column.is_constant() || !rules.At(node.allowed).Admits(feature)) continue;
        if (!IsDrawn(feature, worker.drawn)) continue;
        NodeColumn<Criterion, typename Columns::Column> of_node(column, rows, worker.scratch);
        rules.worth.FindIn(feature, rules.min_gain, node.split, [&](Split<Stats>& found) {
          Threshold().Find(criterion, of_node, feature, node.stats, rules, node.rng, found);
        });
      }
    });
  }

 private:
  struct Worker {
    ColumnScratch<Stats> scratch;
    std::vector<FeatureId> drawn;
  };

  [[nodiscard]] bool draws_all() const { return features_per_node_ == columns_.n_features(); }

  void DrawOf(const SplitRules& rules, const GrowingNode<Stats>& node,
              std::vector<FeatureId>& drawn) const {
    if (draws_all()) return;
    DrawFeatures(rules, features_per_node_, columns_.n_features(), node.rng, drawn);
  }
  [[nodiscard]] bool IsDrawn(FeatureId feature, const std::vector<FeatureId>& drawn) const {
    return draws_all() || std::binary_search(drawn.begin(), drawn.end(), feature);
  }

  const Columns& columns_;
  Threads threads_;
  std::size_t features_per_node_;
  std::vector<Worker> workers_;
};

}  // namespace rankforest
