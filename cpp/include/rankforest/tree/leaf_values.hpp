#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/leaf_sum.hpp"
#include "rankforest/split/direction.hpp"
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

  /// @param constraints  whose directions leaves keep to; null: none. Must outlive this
  LeafValues(const Criterion& criterion, WeightlessLeaf weightless,
             const FeatureConstraints* constraints = nullptr)
      : criterion_(criterion), weightless_(weightless) {
    if (constraints != nullptr) directions_ = constraints->directions;
  }

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
    const bool gives_parents = has_weights && weightless_ == WeightlessLeaf::kParent;
    if (!gives_parents && directions_.empty()) return;
    for (std::size_t n = tree.size() - 1; n > 0; --n) {  // children come after their parents
      sums_[tree[n].parent] += sums_[n];
    }
    if (gives_parents) SetWeightless(scales, tree);
    if (!directions_.empty()) KeepToBounds(scales, gives_parents, tree);
  }

 private:
  /// Gives leaves without weight the value of their nearest ancestor with one.
  void SetWeightless(const GradientScales& scales, GrowingTree<Stats>& tree) {
    for (std::size_t n = 0; n < tree.size(); ++n) {
      if (tree[n].is_split || !IsWeightless(sums_[n])) continue;
      std::size_t ancestor = n;
      while (ancestor != 0 && IsWeightless(sums_[ancestor])) ancestor = tree[ancestor].parent;
      tree[n].value = ToFiniteFloat(sums_[ancestor].Value(criterion_, scales));
    }
  }

  [[nodiscard]] static bool IsWeightless(const LeafSum& sum) { return sum.hess == 0; }

  /// Clips the values of leaves to bounds that keep features to their directions: see
  /// direction.hpp.
  void KeepToBounds(const GradientScales& scales, bool gives_parents, GrowingTree<Stats>& tree) {
    std::vector<ValueBounds> bounds(tree.size());
    std::vector<double> values(tree.size());  // of nodes, as leaves by themselves
    for (std::size_t n = 0; n < tree.size(); ++n) {
      const bool is_parents = gives_parents && n != 0 && IsWeightless(sums_[n]);
      values[n] = is_parents ? values[tree[n].parent] : sums_[n].Value(criterion_, scales);
    }
    for (std::size_t n = 0; n < tree.size(); ++n) {
      GrowingNode<Stats>& node = tree[n];
      if (!node.is_split) {
        node.value = ToFiniteFloat(bounds[n].Clip(values[n]));
        continue;
      }
      const auto [left, right, missing] = node.children;
      const auto sides = BoundSides(bounds[n], DirectionAt(node), values[left], values[right]);
      if (missing != left && missing != right) bounds[missing] = bounds[n];
      bounds[left] = sides.first;
      bounds[right] = sides.second;
    }
  }

  [[nodiscard]] int DirectionAt(const GrowingNode<Stats>& node) const {
    return std::isinf(node.split.threshold) ? 0 : directions_[node.split.feature];
  }

  Criterion criterion_;
  WeightlessLeaf weightless_;
  Span<const std::int8_t> directions_;  // of each feature; or none
  std::vector<LeafSum> sums_;           // of each node
};

}  // namespace rankforest
