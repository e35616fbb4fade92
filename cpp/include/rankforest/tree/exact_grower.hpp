#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/growth_order.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/split_search.hpp"
#include "rankforest/tree/trees_observer.hpp"

namespace rankforest {

/// Grows one regression tree (CART) on presorted features, looking at every distinct value.
///
/// @tparam Criterion  gain of a split and value of a leaf
/// @tparam Threshold  which thresholds of a feature are looked at
template <class Criterion = Newton, class Threshold = BestThreshold>
class TreeGrower {
 public:
  TreeGrower(TreeLimits limits, FeatureDraw features, Criterion criterion = {},
             Threshold threshold = {})
      : limits_(limits), features_(features), criterion_(criterion), threshold_(threshold) {}

  class Run;

  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

 private:
  TreeLimits limits_;
  FeatureDraw features_;
  Criterion criterion_;
  Threshold threshold_;
};

/// One grower at work: settings and memory that its trees share. One thread at a time.
template <class Criterion, class Threshold>
class TreeGrower<Criterion, Threshold>::Run {
 public:
  using Stats = typename Criterion::Stats;

  Run(const TreeGrower& settings, const TrainingSet& training)
      : settings_(settings),
        training_(training),
        search_(training.columns, training.threads, settings.threshold_,
                settings.features_.Count(training.data.n_features())) {}

  /// A tree for the targets of the sample's documents.
  ///
  /// @param targets  by document of the data set; only the sample's are read
  [[nodiscard]] Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                             const Rng& rng) {
    scaled_ = {settings_.criterion_, ScalesFor(targets, sample.rows, kSearchBits)};
    partition_.Reset(sample, [&](RowId row) { return scaled_.ToTarget(targets[row]); });
    const std::uint64_t n_drawn = sample.size();
    rules_ = {settings_.limits_.min_samples_leaf.Count(n_drawn), settings_.limits_.min_gain,
              settings_.limits_.missing};
    Grow(rng);
    SetLeaves(targets, ScalesFor(targets, sample.rows, LeafBits(n_drawn)));
    return Finish(tree_);
  }

  /// The same as an ensemble's member.
  [[nodiscard]] Member Fit(Span<const GradientPair> targets, const RowSample& sample,
                           const Rng& rng, const TreesObserver& observer = {}) {
    Member member;
    member.groups.emplace_back();
    member.groups.back().trees.push_back(FitTree(targets, sample, rng));
    if (observer) observer(member.groups.back().trees);
    return member;
  }

 private:
  using Node = GrowingNode<Stats>;

  void Grow(const Rng& rng) {
    tree_.clear();
    Node root;
    root.end = partition_.size();
    root.rng = rng;
    const auto rows = partition_.Node(root.begin, root.end);
    for (std::size_t i = 0; i < rows.size(); ++i) root.stats.Add(rows.targets[i], rows.counts[i]);
    tree_.push_back(root);

    Frontier<Stats> frontier(settings_.limits_.grow_policy, tree_);
    std::size_t n_leaves = 1;
    Offer(0, n_leaves, frontier);
    while (!frontier.empty()) {
      const std::uint32_t index = frontier.Pop();
      const std::uint32_t n_children = tree_[index].split.missing == MissingTo::kOwn ? 3 : 2;
      if (!HasRoom(n_leaves + n_children - 1)) continue;
      n_leaves += n_children - 1;
      Apply(index, n_children);
      for (const std::uint32_t child : ChildrenOf(index, n_children)) {
        Offer(child, n_leaves, frontier);
      }
    }
  }

  [[nodiscard]] bool HasRoom(std::size_t n_leaves) const {
    const auto& limit = settings_.limits_.max_leaf_nodes;
    return !limit.has_value() || n_leaves <= *limit;
  }

  /// Searches a split of a new node, and lets it wait for its turn if there is one.
  void Offer(std::uint32_t index, std::size_t n_leaves, Frontier<Stats>& frontier) {
    Node& node = tree_[index];
    const auto& max_depth = settings_.limits_.max_depth;
    if (max_depth.has_value() && node.depth >= *max_depth) return;
    if (node.stats.count < 2 * rules_.min_samples_leaf || !HasRoom(n_leaves + 1)) return;
    const auto rows = partition_.Node(node.begin, node.end);
    if (IsUniform(rows)) return;
    node.split = search_.Best(scaled_, rows, node.stats, rules_, node.rng);
    if (node.split.exists()) frontier.Push(index);
  }

  /// Whether all targets are equal, so that no split can gain.
  template <class Rows>
  [[nodiscard]] static bool IsUniform(const Rows& rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (!(rows.targets[i] == rows.targets[0])) return false;
    }
    return true;
  }

  /// Splits a node: moves its documents and adds its children.
  void Apply(std::uint32_t index, std::uint32_t n_children) {
    Node node = tree_[index];
    const auto ends =
        partition_.Divide(node.begin, node.end, training_.columns.column(node.split.feature),
                          node.split.cut, node.split.missing);
    if (!node.split.saw_missing) node.split.missing = HeavierSide(node, ends[0]);
    const std::array<std::size_t, 4> bounds = {node.begin, ends[0], ends[1], node.end};
    const std::array<const Stats*, 3> stats = {&node.split.left, &node.split.right,
                                               &node.split.own};
    node.is_split = true;
    for (std::uint32_t side = 0; side < n_children; ++side) {
      Node child;
      child.begin = bounds[side];
      child.end = bounds[side + 1];
      child.depth = node.depth + 1;
      child.parent = index;
      child.side = side;
      child.rng = node.rng.Child(Purpose::kNode, side);
      child.stats = *stats[side];
      node.children[side] = static_cast<std::uint32_t>(tree_.size());
      tree_.push_back(child);
    }
    if (n_children == 2)
      node.children[2] = node.children[static_cast<std::size_t>(node.split.missing)];
    tree_[index] = node;
  }

  /// Where NaN goes at a node that saw none: to the child with more training weight, left if
  /// they weigh the same.
  [[nodiscard]] MissingTo HeavierSide(const Node& node, std::size_t middle) const {
    const double left = Weight(node.begin, middle);
    const double right = Weight(middle, node.end);
    return left >= right ? MissingTo::kLeft : MissingTo::kRight;
  }

  [[nodiscard]] double Weight(std::size_t begin, std::size_t end) const {
    const auto rows = partition_.Node(begin, end);
    const Span<const double> weights = training_.data.weights();
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum += rows.counts[i] * (weights.empty() ? 1.0 : weights[rows.rows[i]]);
    }
    return sum;
  }

  [[nodiscard]] std::vector<std::uint32_t> ChildrenOf(std::uint32_t index, std::uint32_t n) const {
    const auto& children = tree_[index].children;
    return {children.begin(), children.begin() + n};
  }

  /// Leaf values come from sums of more bits than the search uses. A step that float32 cannot hold
  /// (a hessian of almost 0) becomes the largest that it can.
  void SetLeaves(Span<const GradientPair> targets, const GradientScales& scales) {
    for (Node& node : tree_) {
      if (node.is_split) continue;
      const auto rows = partition_.Node(node.begin, node.end);
      std::int64_t grad = 0;
      std::int64_t hess = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const GradientPair& target = targets[rows.rows[i]];
        grad += scales.grad.ToInteger(target.grad) * rows.counts[i];
        hess += scales.hess.ToInteger(target.hess) * rows.counts[i];
      }
      node.value = ToFiniteFloat(
          settings_.criterion_.LeafValue(scales.grad.ToReal(grad), scales.hess.ToReal(hess)));
    }
  }

  TreeGrower settings_;
  TrainingSet training_;
  SplitSearch<Criterion, Threshold> search_;
  typename Criterion::Scaled scaled_;
  SplitRules rules_;
  Partition<typename Criterion::Target> partition_;
  GrowingTree<Stats> tree_;
};

}  // namespace rankforest
