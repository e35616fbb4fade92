#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/used_features.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/tree/trees_observer.hpp"

namespace rankforest {

/// What a tree of a bag is grown on: what it draws, or all that the bag draws from where it drew
/// documents of weight 0 only, which have nothing to teach.
///
/// @param from      the documents that the bag draws from
/// @param tree_rng  the tree's own stream
template <class Sampler>
RowSample DrawForTree(const Sampler& sampler, const Dataset& data, const RowSample& from,
                      const Rng& tree_rng) {
  RowSample drawn = sampler.Draw(data, from, tree_rng.Child(Purpose::kRows, 0));
  const Span<const double> weights = data.weights();
  const bool teaches =
      weights.empty() || std::any_of(drawn.rows.begin(), drawn.rows.end(),
                                     [&](RowId row) { return weights[row] > 0.0; });
  return teaches ? drawn : from;
}

/// Trees of a bag that an observer gets to see at a time.
inline constexpr std::size_t kTreesShownTogether = 16;

/// The mean of trees, each grown on its own sample of the rows (Breiman, "Bagging predictors",
/// 1996): a learner made of a learner.
///
/// Tree i depends on the seed and on i alone, and on the trees of earlier stages where features
/// have costs; so the first 100 trees of a bag of 500 are the bag of 100.
template <class Learner, class Sampler>
class Bag {
 public:
  /// @param cost_stage  trees that are charged for features together, at least 1: what the trees
  ///                    of earlier stages use is free for them. Where no feature has a cost, it
  ///                    does not matter.
  Bag(std::uint32_t n_trees, Learner learner, Sampler sampler, std::uint32_t cost_stage = 8)
      : n_trees_(n_trees),
        learner_(std::move(learner)),
        sampler_(std::move(sampler)),
        cost_stage_(cost_stage) {}

  class Run {
   public:
    Run(const Bag& settings, const TrainingSet& training)
        : settings_(settings), training_(training) {}

    /// Features that are free for all trees.
    ///
    /// @param paid  of each feature whether it is; empty: none is
    void SetPaid(std::vector<std::uint8_t> paid) { paid_ = std::move(paid); }

    /// What the trees of the next fits draw, in place of the bag's own sampler.
    void SetSampler(Sampler sampler) { settings_.sampler_ = std::move(sampler); }

    /// @param trees  the first ones, where they are already there: as this would grow them
    [[nodiscard]] Member Fit(Span<const GradientPair> targets, const RowSample& sample,
                             const Rng& rng, const TreesObserver& observer = {},
                             std::vector<Tree> trees = {}) {
      while (trees.size() < settings_.n_trees_) {
        const std::size_t first = trees.size();
        GrowStage(targets, sample, rng, trees);
        if (observer && !Show(trees, first, observer)) break;
      }
      Member member;
      member.groups.push_back({1.0, Reduction::kMean, 1, std::move(trees)});
      return member;
    }

    /// Grows the next trees: as many as keep all threads busy.
    ///
    /// @param trees  those before, fewer than the bag has
    void GrowStage(Span<const GradientPair> targets, const RowSample& sample, const Rng& rng,
                   std::vector<Tree>& trees) {
      GrowStage(targets, sample, rng, trees,
                [](const auto& /*learner*/, const RowSample& /*drawn*/, std::size_t /*tree*/) {});
    }

    /// The same, with somebody who looks at each tree.
    ///
    /// @param grown  (learner that has just grown the tree, what it drew, the tree's number);
    /// called
    ///               on the thread that grew it
    template <class Grown>
    void GrowStage(Span<const GradientPair> targets, const RowSample& sample, const Rng& rng,
                   std::vector<Tree>& trees, const Grown& grown) {
      const std::size_t n_trees = settings_.n_trees_;
      const std::size_t workers = WorkerCount(training_.threads, n_trees);
      while (runs_.size() < workers) runs_.push_back(settings_.learner_.Start(training_));
      const std::size_t first = trees.size();
      const std::size_t stage = std::min(n_trees - first, StageSize(workers, first));
      if (training_.counts_features()) PayFor(trees);
      trees.resize(first + stage);
      const Threads threads =
          ForLoopOf(training_.threads, stage * sample.rows.size(), kSecondsPerDocument);
      ParallelFor(threads, stage, [&](std::size_t i, std::size_t w) {
        const Rng tree_rng = rng.Child(Purpose::kTree, first + i);
        const RowSample drawn = DrawForTree(settings_.sampler_, training_.data, sample, tree_rng);
        trees[first + i] = runs_[w].FitTree(targets, drawn, tree_rng);
        grown(runs_[w], drawn, first + i);
      });
    }

   private:
    /// What a tree takes for each of its documents, roughly: 0.04 us with 16 leaves, 0.4 to 4 us
    /// unpruned.
    static constexpr double kSecondsPerDocument = 2e-7;

    /// Trees that are grown at a time, from the `first` on: enough to keep all threads busy, or
    /// the rest of a stage of costs.
    [[nodiscard]] std::size_t StageSize(std::size_t workers, std::size_t first) const {
      if (!training_.counts_features()) return kTreesShownTogether * ((workers + 3) / 4);
      return TreesOfStage() - first % TreesOfStage();
    }

    /// Trees that do not know of each other what features they ask for.
    [[nodiscard]] std::size_t TreesOfStage() const {
      const FeatureConstraints* constraints = training_.constraints;
      const bool is_limited = constraints != nullptr && constraints->most_features.has_value();
      return is_limited ? 1 : settings_.cost_stage_;
    }

    /// Lets the next trees know what those of earlier stages use.
    void PayFor(const std::vector<Tree>& trees) {
      if (n_paid_ == 0 || trees.size() < n_paid_) {  // trees of another Fit
        n_paid_ = 0;
        used_ = paid_;
        used_.resize(training_.data.n_features(), 0);
      }
      const std::size_t end = trees.size() - trees.size() % TreesOfStage();
      for (; n_paid_ < end; ++n_paid_) MarkUsed(trees[n_paid_], used_);
      for (auto& run : runs_) run.SetPaid(used_);
    }

    /// Shows the trees from `first` on, a whole stage in as many steps as one thread would take,
    /// so that the number of threads does not decide where an observer stops. Where it stops,
    /// drops the trees that it has not seen and returns false.
    static bool Show(std::vector<Tree>& trees, std::size_t first, const TreesObserver& observer) {
      for (std::size_t shown = first; shown < trees.size();) {
        shown = std::min(trees.size(), shown + kTreesShownTogether);
        if (observer(Span<const Tree>(trees.data(), shown))) continue;
        trees.resize(shown);
        return false;
      }
      return true;
    }

    Bag settings_;
    TrainingSet training_;
    std::vector<typename Learner::Run> runs_;  // one per worker
    std::vector<std::uint8_t> paid_;
    std::vector<std::uint8_t> used_;  // by the trees of earlier stages, or paid
    std::size_t n_paid_ = 0;          // of these trees
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

  [[nodiscard]] std::size_t n_trees() const { return n_trees_; }

 private:
  std::uint32_t n_trees_;
  Learner learner_;
  Sampler sampler_;
  std::uint32_t cost_stage_;
};

}  // namespace rankforest
