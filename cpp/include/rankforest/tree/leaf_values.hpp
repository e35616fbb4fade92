#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/leaf_sum.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// Sets what the leaves of a grown tree predict, and how many documents they have, from sums of
/// more bits than the search uses. A step that float32 cannot hold (a hessian of almost 0) becomes
/// the largest that it can.
template <class Criterion>
class LeafValues {
 public:
  using Stats = typename Criterion::Stats;

  LeafValues(const Criterion& criterion, WeightlessLeaf weightless)
      : criterion_(criterion), weightless_(weightless) {}

  /// @param targets      by document of the data set
  /// @param has_weights  whether documents may have the weight 0
  template <class Target>
  void Set(const Partition<Target>& partition, Span<const GradientPair> targets,
           const GradientScales& scales, bool has_weights, Threads threads,
           GrowingTree<Stats>& tree) {
    sums_.assign(tree.size(), {});
    ParallelFor(threads, tree.size(), [&](std::size_t n) {
      GrowingNode<Stats>& node = tree[n];
      if (node.is_split) return;
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      LeafSum sum;
      node.n_documents = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        sum.Add(scales, targets[rows.rows[i]], rows.Count(i));
        node.n_documents += rows.Count(i);
      }
      node.value = ToFiniteFloat(sum.Value(criterion_, scales));
      sums_[n] = sum;
    });
    if (has_weights && weightless_ == WeightlessLeaf::kParent) SetWeightless(scales, tree);
  }

 private:
  /// Gives leaves without weight the value of their nearest ancestor with one.
  void SetWeightless(const GradientScales& scales, GrowingTree<Stats>& tree) {
    const auto is_weightless = [](const LeafSum& sum) { return sum.hess == 0; };
    for (std::size_t n = tree.size() - 1; n > 0; --n) {  // children come after their parents
      sums_[tree[n].parent] += sums_[n];
    }
    for (std::size_t n = 0; n < tree.size(); ++n) {
      if (tree[n].is_split || !is_weightless(sums_[n])) continue;
      std::size_t ancestor = n;
      while (ancestor != 0 && is_weightless(sums_[ancestor])) ancestor = tree[ancestor].parent;
      tree[n].value = ToFiniteFloat(sums_[ancestor].Value(criterion_, scales));
    }
  }

  Criterion criterion_;
  WeightlessLeaf weightless_;
  std::vector<LeafSum> sums_;  // of each node
};

}  // namespace rankforest
