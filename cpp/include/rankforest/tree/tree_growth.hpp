#pragma once

// Long because all of it works on the nodes and the documents of one tree.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/leaf_counts.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/split/feature_budget.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/interactions.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/full_tree.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/growth_order.hpp"
#include "rankforest/tree/leaf_values.hpp"
#include "rankforest/tree/level_division.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/tree_on_codes.hpp"

namespace rankforest {

/// Grows trees: what does not depend on how splits are searched.
///
/// @tparam Criterion  gain of a split and value of a leaf
/// @tparam Engine     how splits are searched:
///   Begin(criterion, rules)                   a new tree
///   Search(partition, tree, parent, nodes)    fills tree[n].split for each of `nodes`, which are
///                                             children of `parent`, or the root alone
///   SideOf(split)                             row -> MissingTo; has the `column` of the feature
///   searches_late()                           whether Search is asked about a node only when its
///                                             turn to be split has come, and it alone: for
///                                             criteria that look at the whole tree. The order of
///                                             growth must not depend on gains then.
///   Forget(node)                              a node that has a split will be a leaf all the same
///   Revisit(partition, tree, nodes, features)  brings the splits of nodes up to date that were
///                                             searched before `features` became free: see
///                                             FreedSearch
/// or, for oblivious trees, Begin and SideOf as above, kSearchesLevels, and
///   SearchLevel(partition, tree, nodes, rng, is_last)  the question of a level: see LevelEngine
template <class Criterion, class Engine>
class TreeGrowth {
 public:
  TreeGrowth(const TreeLimits& limits, const Criterion& criterion, const TrainingSet& training,
             Engine engine)
      : limits_(limits),
        criterion_(criterion),
        training_(training),
        engine_(std::move(engine)),
        leaf_values_(criterion, limits.weightless_leaf, training.constraints),
        charges_(limits.costs, training.feature_costs) {
    if (training.constraints != nullptr) {
      const std::size_t n_features = training.data.n_features();
      interactions_ = Interactions(training.constraints->interactions, n_features);
      budget_ = FeatureBudget(training.constraints->most_features, n_features);
    }
    for (const double weight : training.data.weights()) {
      largest_weight_ = std::max(largest_weight_, weight);
    }
  }

  /// Features that are free for the next trees, and that the model asks for already: of each
  /// whether it is paid; empty: none is.
  void SetPaid(std::vector<std::uint8_t> paid) { paid_ = std::move(paid); }

  /// A tree for the targets of the sample's documents.
  ///
  /// @param targets  by document of the data set; only the sample's are read
  [[nodiscard]] Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                             const Rng& rng) {
    const std::uint64_t n_drawn = sample.size();
    const LargestPair largest = LargestOf(targets, sample.rows, training_.threads);
    const typename Criterion::Scaled scaled = {criterion_, ScalesFor(largest, SearchBits(n_drawn))};
    partition_.Reset(
        sample, [&](RowId row) { return scaled.ToTarget(row, targets[row]); }, training_.threads);
    min_samples_leaf_ = limits_.min_samples_leaf.Count(n_drawn);
    weight_scale_ = FixedPointScale(largest_weight_, LeafBits(n_drawn));
    PlantRoot(rng);
    const SplitRules rules = RulesBy(scaled);
    engine_.Begin(scaled, rules);
    if constexpr (kIsOblivious) {
      GrowLevels(LevelDivision(scaled, rules, training_.threads));
    } else {
      Grow();
    }
    leaf_values_.Set(partition_, targets, ScalesFor(largest, LeafBits(n_drawn)),
                     !training_.data.weights().empty(), training_.threads, tree_);
    if constexpr (kIsOblivious) return CountedFullTree(sample);
    return Finish(tree_);
  }

  /// Adds the contributions of the last tree to the scores of all documents.
  void AddLastTree(double tree_weight, Span<double> scores) const {
    if (partition_.size() == training_.data.n_documents()) {
      return AddLastTreeToSample(tree_weight, scores);
    }
    LastTreeOnCodes().AddTo(tree_weight, training_.data, training_.threads, scores);
  }

  /// The same for the documents alone that it was grown on.
  void AddLastTreeToSample(double tree_weight, Span<double> scores) const {
    ParallelFor(training_.threads, tree_.size(), [&](std::size_t n) {
      const Node& node = tree_[n];
      if (node.is_split) return;
      const double contribution = Group::Contribution(tree_weight, node.value);
      for (const RowId row : partition_.Node(node.begin, node.end, node.depth).rows) {
        scores[row] += contribution;
      }
    });
  }

  /// The last tree, for documents to pass later. Refers to the data set and its columns.
  [[nodiscard]] auto LastTree(double tree_weight) const {
    return [tree = LastTreeOnCodes(), tree_weight, &data = training_.data](
               std::size_t begin, std::size_t end, Span<double> scores) {
      tree.AddToRange(tree_weight, data, begin, end, scores);
    };
  }

 private:
  using Stats = typename Criterion::Stats;
  using Node = GrowingNode<Stats>;

  [[nodiscard]] auto LastTreeOnCodes() const {
    using Column = typename decltype(engine_.SideOf(tree_[0].split))::Column;
    return TreeOnCodes<Column>(
        tree_, [&](const auto& split) -> const Column& { return engine_.SideOf(split).column; });
  }

  static constexpr bool kIsOblivious = detail::SearchesLevels<Engine>::value;

  /// The rules of a new tree.
  [[nodiscard]] SplitRules RulesBy(const typename Criterion::Scaled& scaled) {
    SplitRules rules = {min_samples_leaf_, limits_.min_gain, limits_.missing};
    rules.constraints = training_.constraints;
    budget_.Begin(paid_);
    rules.usable = budget_.usable();
    charges_.Begin(paid_);
    if (!charges_.any()) return rules;
    rules.worth = SplitWorth(charges_, 1.0);
    if (!charges_.are_relative()) return rules;
    const auto root = partition_.Node(0, partition_.size(), 0);
    rules.worth = rules.worth.InUnit(scaled.Impurity(root, tree_[0].stats));
    return rules;
  }

  void PlantRoot(const Rng& rng) {
    tree_.clear();
    Node root;
    root.end = partition_.size();
    root.rng = rng;
    root.allowed = interactions_.AllowedIn(0);
    const auto rows = partition_.Node(root.begin, root.end, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) root.stats.Add(rows.targets[i], rows.Count(i));
    tree_.push_back(root);
  }

  /// Divides all nodes of a level by one question, level by level.
  void GrowLevels(LevelDivision division) {
    questions_.clear();
    level_of_.clear();
    std::vector<std::uint32_t> nodes = {0};  // of the level, from left to right
    std::vector<std::uint32_t> below;
    Rng level_rng = tree_[0].rng;  // that of the level's leftmost node
    const std::uint32_t n_levels = MostLevels(limits_);
    std::uint32_t path_state = 0;
    for (std::uint32_t level = 0; level < n_levels; ++level) {
      Split<Stats> question =
          engine_.SearchLevel(partition_, tree_, nodes, level_rng, level + 1 == n_levels);
      if (!question.exists()) return;
      division.Look(partition_, tree_, nodes, engine_.SideOf(question));
      if (!question.saw_missing) {
        question.missing = division.HeavierSide(partition_, tree_, nodes, engine_.SideOf(question),
                                                training_.data.weights(), weight_scale_);
      }
      questions_.push_back(question);
      charges_.Pay(question.feature);
      budget_.Use(question.feature);
      path_state = interactions_.After(path_state, question.feature);
      below.clear();
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t node = nodes[i];
        if (!division.Divides(i, question, tree_[node])) {
          below.push_back(node);
          continue;
        }
        Apply(node, 2);
        level_of_.resize(tree_.size());
        level_of_[node] = level;
        below.push_back(tree_[node].children[0]);
        below.push_back(tree_[node].children[1]);
      }
      for (const std::uint32_t node : below) {
        tree_[node].allowed = interactions_.AllowedIn(path_state);  // all paths ask all questions
      }
      nodes.swap(below);
      level_rng = level_rng.Child(Purpose::kNode, 0);
    }
  }

  /// The oblivious tree of all questions. Where a node stands on both sides of a question, its
  /// documents are sent down anew to be counted.
  [[nodiscard]] Tree CountedFullTree(const RowSample& sample) const {
    Tree tree = FullTree(tree_, questions_, level_of_);
    const bool has_copies = tree_.size() != tree.nodes.size() + tree.leaves.size();
    if (!has_copies) return tree;
    tree.counts = CountLeaves(
        tree, sample.rows.size(),
        [&](std::size_t i) { return training_.data.Features(sample.rows[i]); },
        [&](std::size_t i) { return sample.Count(i); }, training_.threads);
    return tree;
  }

  void Grow() {
    // What is paid first decides about later splits.
    const bool splits_all = !limits_.max_leaf_nodes.has_value() && !engine_.searches_late() &&
                            !charges_.any() && !budget_.is_open();
    Frontier<Stats> frontier(splits_all ? std::nullopt : std::optional(limits_.grow_policy), tree_);
    std::size_t n_leaves = 1;
    Offer(0, 0, 1, n_leaves, frontier);
    while (!frontier.empty()) {
      const std::uint32_t index = frontier.Pop();
      if (engine_.searches_late() && !SearchAlone(index)) {
        if (charges_.any()) frontier.Pass(index);
        continue;
      }
      if (!tree_[index].split.exists()) continue;  // LeaveUnusable() found no other
      const std::uint32_t n_children = tree_[index].split.missing == MissingTo::kOwn ? 3 : 2;
      if (!HasRoom(n_leaves + n_children - 1)) continue;
      n_leaves += n_children - 1;
      const auto first_child = static_cast<std::uint32_t>(tree_.size());
      Apply(index, n_children);
      Pay(tree_[index].split.feature, frontier);
      if (budget_.Use(tree_[index].split.feature)) LeaveUnusable(frontier);
      Offer(index, first_child, n_children, n_leaves, frontier);
      ForgetHopeless(n_leaves, frontier);
    }
  }

  [[nodiscard]] bool HasRoom(std::size_t n_leaves) const {
    return !limits_.max_leaf_nodes.has_value() || n_leaves <= *limits_.max_leaf_nodes;
  }

  /// Searches splits of the `n` new nodes from `first` on, and lets those that have one wait for
  /// their turn.
  void Offer(std::uint32_t parent, std::uint32_t first, std::uint32_t n, std::size_t n_leaves,
             Frontier<Stats>& frontier) {
    candidates_.clear();
    for (std::uint32_t i = first; i < first + n; ++i) {
      if (MaySplit(tree_[i]) && HasRoom(n_leaves + 1)) candidates_.push_back(i);
    }
    const bool is_late = engine_.searches_late();
    if (!is_late) engine_.Search(partition_, tree_, parent, candidates_);
    for (const std::uint32_t i : candidates_) {
      if (is_late || tree_[i].split.exists()) {
        frontier.Push(i);
      } else if (charges_.any()) {
        frontier.Pass(i);
      }
    }
  }

  /// Pays for the feature of a split. Every node that could be split is worth what it is now, and
  /// takes its turn by that: one that had no split worth its charge may have one now.
  void Pay(FeatureId feature, Frontier<Stats>& frontier) {
    const Span<const FeatureId> freed = charges_.Pay(feature);
    if (freed.empty()) return;
    const bool is_late = engine_.searches_late();
    if (!is_late) engine_.Revisit(partition_, tree_, frontier.All(), freed);
    frontier.Reorder([&](std::uint32_t node) { return is_late || tree_[node].split.exists(); });
  }

  /// Looks anew at the nodes whose split is by a feature that no split may be by any more.
  void LeaveUnusable(Frontier<Stats>& frontier) {
    if (engine_.searches_late()) return;
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t n : frontier.All()) {
      if (!tree_[n].split.exists() || budget_.usable()[tree_[n].split.feature] != 0) continue;
      tree_[n].split = {};
      nodes.push_back(n);
    }
    const std::vector<FeatureId> features = budget_.InUse();
    engine_.Revisit(partition_, tree_, nodes, features);
    frontier.Reorder([&](std::uint32_t node) { return tree_[node].split.exists(); });
  }

  /// Drops the nodes whose turn will not come: each split takes the room of a leaf, so the nodes
  /// before them use up what there is. Not so where one of those may be passed over, because no
  /// split of it is known yet, or because it has three children and there is room for two; nor
  /// where a later payment may change their order.
  void ForgetHopeless(std::size_t n_leaves, Frontier<Stats>& frontier) {
    if (!limits_.max_leaf_nodes.has_value() || engine_.searches_late()) return;
    if (charges_.any() || budget_.is_open()) return;
    if (limits_.missing == MissingRule::kThird) return;
    frontier.KeepFirst(*limits_.max_leaf_nodes - n_leaves,
                       [this](std::uint32_t node) { engine_.Forget(node); });
  }

  /// Searches the split of a node whose turn has come; whether there is one.
  bool SearchAlone(std::uint32_t index) {
    engine_.Search(partition_, tree_, tree_[index].parent, {&index, 1});
    return tree_[index].split.exists();
  }

  [[nodiscard]] bool MaySplit(const Node& node) const {
    if (limits_.max_depth.has_value() && node.depth >= *limits_.max_depth) return false;
    if (node.stats.count < 2 * min_samples_leaf_) return false;
    const auto rows = partition_.Node(node.begin, node.end, node.depth);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (!(rows.targets[i] == rows.targets[0])) return true;
    }
    return false;  // all targets are equal: no split can gain
  }

  /// Splits a node: moves its documents and adds its children.
  void Apply(std::uint32_t index, std::uint32_t n_children) {
    Node node = tree_[index];
    const auto ends = partition_.Divide(node.begin, node.end, node.depth,
                                        engine_.SideOf(node.split), training_.threads);
    const std::array<std::size_t, 4> bounds = {node.begin, ends[0], ends[1], node.end};
    if (!node.split.saw_missing) node.split.missing = HeavierSide(node, bounds);
    const std::array<const Stats*, 3> stats = {&node.split.left, &node.split.right,
                                               &node.split.own};
    node.is_split = true;
    const std::uint32_t path_state = interactions_.After(node.path_state, node.split.feature);
    for (std::uint32_t side = 0; side < n_children; ++side) {
      Node child;
      child.begin = bounds[side];
      child.end = bounds[side + 1];
      child.depth = node.depth + 1;
      child.parent = index;
      child.side = side;
      child.path_state = path_state;
      child.allowed = interactions_.AllowedIn(path_state);
      child.rng = node.rng.Child(Purpose::kNode, side);
      child.stats = *stats[side];
      node.children[side] = static_cast<std::uint32_t>(tree_.size());
      tree_.push_back(child);
    }
    if (n_children == 2) {
      node.children[2] = node.children[static_cast<std::size_t>(node.split.missing)];
    }
    tree_[index] = node;
  }

  /// Where NaN goes at a node that saw none: to the child with more training weight, left if
  /// they weigh the same.
  [[nodiscard]] MissingTo HeavierSide(const Node& node,
                                      const std::array<std::size_t, 4>& bounds) const {
    const Span<const double> weights = training_.data.weights();
    if (weights.empty()) {
      return node.split.left.count >= node.split.right.count ? MissingTo::kLeft : MissingTo::kRight;
    }
    const auto weight_of = [&](std::size_t begin, std::size_t end) {
      const auto rows = partition_.Node(begin, end, node.depth + 1);
      std::int64_t sum = 0;  // as of gradients: the order of documents is the engine's
      for (std::size_t i = 0; i < rows.size(); ++i) {
        sum += weight_scale_.ToInteger(weights[rows.rows[i]]) * rows.Count(i);
      }
      return sum;
    };
    return weight_of(bounds[0], bounds[1]) >= weight_of(bounds[1], bounds[2]) ? MissingTo::kLeft
                                                                              : MissingTo::kRight;
  }

  TreeLimits limits_;
  Criterion criterion_;
  TrainingSet training_;
  Engine engine_;
  double largest_weight_ = 0.0;
  std::uint64_t min_samples_leaf_ = 1;
  FixedPointScale weight_scale_;
  Partition<typename Criterion::Target> partition_;
  GrowingTree<Stats> tree_;
  std::vector<Split<Stats>> questions_;  // of an oblivious tree's levels
  std::vector<std::uint32_t> level_of_;  // of its nodes that are split
  LeafValues<Criterion> leaf_values_;
  std::vector<std::uint32_t> candidates_;
  FeatureCharges charges_;
  Interactions interactions_;
  FeatureBudget budget_;
  std::vector<std::uint8_t> paid_;  // of each feature
};

}  // namespace rankforest
