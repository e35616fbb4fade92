#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/tree/graded_search.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// Searches the splits of trees by criteria on grades, node by node: the upper levels of a tree by
/// one, the others by another.
///
/// @tparam Columns  Presorted or BinnedColumns
template <class Columns>
class GradedEngine {
 public:
  /// @param n_upper_levels  levels from the root whose nodes `upper` splits
  /// @param lower           of the other nodes; null if there are none
  GradedEngine(const Columns& columns, std::unique_ptr<GradedSearch> upper,
               std::uint32_t n_upper_levels, std::unique_ptr<GradedSearch> lower)
      : columns_(columns),
        upper_(std::move(upper)),
        lower_(std::move(lower)),
        n_upper_levels_(n_upper_levels) {}

  void Begin(const Graded::Scaled& /*criterion*/, const SplitRules& rules) {
    upper_rules_ = rules;
    lower_rules_ = rules;
  }

  void Search(const Partition<GradedTarget>& partition, GrowingTree<Graded::Stats>& tree,
              std::uint32_t /*parent*/, Span<const std::uint32_t> nodes) {
    if (tree.size() == 1) BeginTree(RowsOf(partition, tree[0]));
    for (; upper_->is_global() && n_settled_ < tree.size(); ++n_settled_) {
      upper_->Settle(RowsOf(partition, tree[n_settled_]));
    }
    for (const std::uint32_t n : nodes) {
      tree[n].split =
          SearchOf(tree[n]).Best(RowsOf(partition, tree[n]), RulesOf(tree[n]), tree[n].rng);
    }
  }

  /// As that of FreedSearch, for the nodes that Search() was asked about.
  void Revisit(const Partition<GradedTarget>& partition, GrowingTree<Graded::Stats>& tree,
               Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    for (const std::uint32_t n : nodes) {
      SearchOf(tree[n]).Revisit(RowsOf(partition, tree[n]), RulesOf(tree[n]), tree[n].rng, features,
                                tree[n].split);
    }
  }

  [[nodiscard]] bool searches_late() const { return upper_->is_global(); }
  void Forget(std::uint32_t /*node*/) {}

  [[nodiscard]] auto SideOf(const GradedSplit& split) const { return CodeSideOf(columns_, split); }

 private:
  void BeginTree(const GradedNode& documents) {
    BeginTree(documents, *upper_, upper_rules_);
    if (lower_ != nullptr) BeginTree(documents, *lower_, lower_rules_);
    n_settled_ = 1;  // the root is the documents
  }
  static void BeginTree(const GradedNode& documents, GradedSearch& search, SplitRules& rules) {
    search.BeginTree(documents);
    if (rules.worth.is_relative()) rules.worth = rules.worth.InUnit(search.Impurity(documents));
  }

  [[nodiscard]] bool IsUpper(const GrowingNode<Graded::Stats>& node) const {
    return node.depth < n_upper_levels_;
  }
  [[nodiscard]] GradedSearch& SearchOf(const GrowingNode<Graded::Stats>& node) const {
    return IsUpper(node) ? *upper_ : *lower_;
  }
  [[nodiscard]] SplitRules RulesOf(const GrowingNode<Graded::Stats>& node) const {
    return (IsUpper(node) ? upper_rules_ : lower_rules_).At(node.allowed);
  }

  static GradedNode RowsOf(const Partition<GradedTarget>& partition,
                           const GrowingNode<Graded::Stats>& node) {
    return partition.Node(node.begin, node.end, node.depth);
  }

  const Columns& columns_;
  std::unique_ptr<GradedSearch> upper_;
  std::unique_ptr<GradedSearch> lower_;
  std::uint32_t n_upper_levels_;
  std::size_t n_settled_ = 0;  // nodes that a global criterion knows
  SplitRules upper_rules_;
  SplitRules lower_rules_;
};

}  // namespace rankforest
