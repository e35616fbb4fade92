#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/freed_search.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/split_search.hpp"

namespace rankforest {

/// Searches splits node by node in the columns of the features that a node draws, so that it pays
/// for no others: over every distinct value on presorted columns, over bins on binned ones.
template <class Criterion, class Threshold, class Columns>
class ColumnEngine {
 public:
  using Stats = typename Criterion::Stats;
  using Target = typename Criterion::Target;

  ColumnEngine(const Columns& columns, Threads threads, Threshold threshold,
               std::size_t features_per_node)
      : columns_(columns),
        search_(columns, threads, threshold, features_per_node),
        freed_(columns, threads, features_per_node) {}

  void Begin(const typename Criterion::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
  }

  void Search(const Partition<Target>& partition, GrowingTree<Stats>& tree,
              std::uint32_t /*parent*/, Span<const std::uint32_t> nodes) {
    for (const std::uint32_t n : nodes) {
      GrowingNode<Stats>& node = tree[n];
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      node.split = search_.Best(criterion_, rows, node.stats, rules_.At(node.allowed), node.rng);
    }
  }

  /// Brings the splits of nodes up to date that were searched before `features` became free.
  void Revisit(const Partition<Target>& partition, GrowingTree<Stats>& tree,
               Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    freed_.Search(criterion_, rules_, partition, tree, nodes, features);
  }

  [[nodiscard]] static constexpr bool searches_late() { return false; }
  void Forget(std::uint32_t /*node*/) {}

  [[nodiscard]] auto SideOf(const Split<Stats>& split) const { return CodeSideOf(columns_, split); }

 private:
  const Columns& columns_;
  SplitSearch<Criterion, Threshold, Columns> search_;
  FreedSearch<Criterion, Threshold, Columns> freed_;
  typename Criterion::Scaled criterion_;
  SplitRules rules_;
};

}  // namespace rankforest
