#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/leaf_sum.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/direction.hpp"
#include "rankforest/train/initial_scores.hpp"

namespace rankforest {

// Refitting keeps the splits of a model and estimates its leaf values anew, tree by tree, on other
// data. On the data that the model was trained on, all of it in every round, and with decay 0 it
// gives the model's own leaf values, bit for bit.

struct RefitSettings {
  /// Share of the old leaf value in the new one, in [0, 1]: decay x old + (1 - decay) x estimate.
  double decay = 0.9;
  Newton criterion;  ///< value of a leaf
  /// Whether the model's base is estimated anew, too. Not so where training had another start than
  /// the objective's own.
  bool refits_base = true;
};

/// Refits trees one after the other on all documents of a data set.
class LeafRefit {
 public:
  LeafRefit(const RefitSettings& settings, const TrainingSet& training)
      : settings_(settings), training_(training), leaf_of_(training.data.n_documents()) {}

  /// The old value and an estimate, as decay says.
  [[nodiscard]] double Blend(double old, double estimate) const {
    return settings_.decay * old + (1.0 - settings_.decay) * estimate;
  }

  /// Refits the leaves of a tree to `targets`; one that no document says anything about keeps its
  /// value.
  ///
  /// @param scales  of the targets: ScalesOf(targets)
  void Refit(Span<const GradientPair> targets, const GradientScales& scales, Tree& tree) {
    const std::vector<LeafSum> sums = SumLeaves(targets, scales, tree);
    std::vector<double> estimates(tree.leaves.begin(), tree.leaves.end());
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      if (!sums[leaf].is_empty()) estimates[leaf] = sums[leaf].Value(settings_.criterion, scales);
    }
    const bool has_directions = !directions().empty();
    if (has_directions) KeepToBounds(sums, scales, tree, estimates);
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      if (sums[leaf].is_empty() && !has_directions) continue;
      tree.leaves[leaf] =
          ToFiniteFloat(Blend(static_cast<double>(tree.leaves[leaf]), estimates[leaf]));
    }
  }

  /// Adds the contributions of the tree that was refitted last to the scores of all documents.
  void AddTo(const Tree& tree, double tree_weight, Span<double> scores) const {
    ParallelChunks(training_.threads, scores.size(), kChunk,
                   [&](std::size_t begin, std::size_t end) {
                     for (std::size_t d = begin; d < end; ++d) {
                       scores[d] += Group::Contribution(tree_weight, tree.leaves[leaf_of_[d]]);
                     }
                   });
  }

  /// The scales that growing a tree on all documents would sum its leaves with.
  [[nodiscard]] GradientScales ScalesOf(Span<const GradientPair> targets,
                                        const RowSample& all) const {
    return ScalesFor(LargestOf(targets, all.rows, training_.threads), LeafBits(all.size()));
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  [[nodiscard]] Span<const std::int8_t> directions() const {
    return training_.constraints == nullptr
               ? Span<const std::int8_t>()
               : Span<const std::int8_t>(training_.constraints->directions);
  }

  /// Clips the estimates of leaves as growing a tree does: see LeafValues. Mixed with values that
  /// keep to the directions of features, they still do.
  void KeepToBounds(const std::vector<LeafSum>& of_leaf, const GradientScales& scales,
                    const Tree& tree, std::vector<double>& estimates) const {
    std::vector<LeafSum> of_node(tree.nodes.size());
    const auto sum_of = [&](std::int32_t child) -> const LeafSum& {
      return child < 0 ? of_leaf[static_cast<std::size_t>(~child)]
                       : of_node[static_cast<std::size_t>(child)];
    };
    const auto has_third = [](const Tree::Node& node) {
      return node.missing != node.left && node.missing != node.right;
    };
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children come after their parents
      const Tree::Node& node = tree.nodes[i];
      of_node[i] = sum_of(node.left);
      of_node[i] += sum_of(node.right);
      if (has_third(node)) of_node[i] += sum_of(node.missing);
    }
    std::vector<ValueBounds> bounds(tree.nodes.size());
    const auto bound = [&](std::int32_t child, const ValueBounds& to) {
      if (child >= 0) {
        bounds[static_cast<std::size_t>(child)] = to;
      } else {
        double& estimate = estimates[static_cast<std::size_t>(~child)];
        estimate = to.Clip(estimate);
      }
    };
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const Tree::Node& node = tree.nodes[i];
      const int direction = std::isinf(node.threshold) ? 0 : directions()[node.feature];
      const auto value_of = [&](std::int32_t child) {
        return sum_of(child).Value(settings_.criterion, scales);
      };
      const auto sides =
          BoundSides(bounds[i], direction, value_of(node.left), value_of(node.right));
      bound(node.left, sides.first);
      bound(node.right, sides.second);
      if (has_third(node)) bound(node.missing, bounds[i]);
    }
  }

  /// Notes the leaf of each document, and sums the targets of each leaf. Sums are integers: no
  /// sharing out among threads changes them.
  [[nodiscard]] std::vector<LeafSum> SumLeaves(Span<const GradientPair> targets,
                                               const GradientScales& scales, const Tree& tree) {
    const std::size_t n = leaf_of_.size();
    std::vector<std::vector<LeafSum>> of_workers(
        WorkerCount(training_.threads, (n + kChunk - 1) / kChunk),
        std::vector<LeafSum>(tree.leaves.size()));
    ParallelChunks(training_.threads, n, kChunk,
                   [&](std::size_t begin, std::size_t end, std::size_t worker) {
                     std::vector<LeafSum>& sums = of_workers[worker];
                     for (std::size_t d = begin; d < end; ++d) {
                       const auto document = static_cast<RowId>(d);
                       const std::size_t leaf = tree.LeafOf(training_.data.Features(document));
                       leaf_of_[d] = static_cast<std::uint32_t>(leaf);
                       sums[leaf].Add(scales, targets[d]);
                     }
                   });
    for (std::size_t w = 1; w < of_workers.size(); ++w) {
      for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
        of_workers[0][leaf] += of_workers[w][leaf];
      }
    }
    return std::move(of_workers[0]);
  }

  RefitSettings settings_;
  const TrainingSet& training_;
  std::vector<std::uint32_t> leaf_of_;  // by document
};

/// Refits boosted trees: each round's to the objective's gradients at the scores of the refitted
/// rounds before it. The trees of a mean group are a forest that boosting started from, and fit the
/// same gradients.
///
/// @param model     with the features of the data
/// @param training  its initial scores count as in training
/// @param rng       what boosting got: a round then draws what it drew in training
template <class Objective>
Member RefitBoosted(Member model, const Objective& objective, const RefitSettings& settings,
                    const TrainingSet& training, const Rng& rng) {
  const std::size_t n = training.data.n_documents();
  const RowSample all = WholeSample(n);
  auto run = objective.Start(training);
  LeafRefit refit(settings, training);
  if (settings.refits_base) model.base = refit.Blend(model.base, run.BaseScore(all));
  std::vector<double> scores = ScoresAtStart(training.initial_scores, model.base, n);
  std::vector<GradientPair> targets(n);
  GradientScales scales;
  std::uint64_t round = 0;
  for (Group& group : model.groups) {
    const bool is_forest = group.reduction == Reduction::kMean;
    const std::size_t in_step = is_forest ? group.trees.size() : group.trees_per_round;
    for (std::size_t t = 0; t < group.trees.size(); ++t) {
      if (t % in_step == 0) {
        run.Gradients(all, scores, targets, rng.Child(Purpose::kRound, round++));
        scales = refit.ScalesOf(targets, all);
      }
      refit.Refit(targets, scales, group.trees[t]);
      refit.AddTo(group.trees[t], group.TreeWeight(), scores);
    }
  }
  return model;
}

/// Refits the trees of a forest, each to the objective's gradients at score 0. What trees weigh in
/// the forest stays.
///
/// @param rng  what the forest's training got
template <class Objective>
Member RefitForest(Member model, const Objective& objective, const RefitSettings& settings,
                   const TrainingSet& training, const Rng& rng) {
  const std::size_t n = training.data.n_documents();
  const RowSample all = WholeSample(n);
  std::vector<GradientPair> targets(n);
  objective.Start(training).Gradients(all, std::vector<double>(n, 0.0), targets, rng);
  LeafRefit refit(settings, training);
  const GradientScales scales = refit.ScalesOf(targets, all);
  for (Group& group : model.groups) {
    for (Tree& tree : group.trees) refit.Refit(targets, scales, tree);
  }
  return model;
}

}  // namespace rankforest
