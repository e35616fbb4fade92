#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/tree/graded_search.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// Searches the splits of trees by a criterion on grades, node by node.
///
/// @tparam Columns  Presorted or BinnedColumns
template <class Columns>
class GradedEngine {
 public:
  GradedEngine(const Columns& columns, std::unique_ptr<GradedSearch> search)
      : columns_(columns), search_(std::move(search)) {}

  [[nodiscard]] const RowSample& Arrange(const RowSample& sample) const { return sample; }

  void Begin(const Graded::Scaled& /*criterion*/, const SplitRules& rules) { rules_ = rules; }

  void Search(const Partition<GradedTarget>& partition, GrowingTree<Graded::Stats>& tree,
              std::uint32_t /*parent*/, Span<const std::uint32_t> nodes) {
    for (const std::uint32_t n : nodes) {
      GrowingNode<Graded::Stats>& node = tree[n];
      const GradedNode rows = partition.Node(node.begin, node.end, node.depth);
      if (n == 0) search_->BeginTree(rows);
      node.split = search_->Best(rows, rules_, node.rng);
    }
  }

  void End(const Partition<GradedTarget>& /*partition*/,
           const GrowingTree<Graded::Stats>& /*tree*/) {}

  [[nodiscard]] static constexpr bool searches_late() { return false; }

  [[nodiscard]] auto SideOf(const GradedSplit& split) const {
    return CodeSide<typename Columns::Column>{columns_.column(split.feature), split.cut,
                                              split.missing};
  }

 private:
  const Columns& columns_;
  std::unique_ptr<GradedSearch> search_;
  SplitRules rules_;
};

}  // namespace rankforest
