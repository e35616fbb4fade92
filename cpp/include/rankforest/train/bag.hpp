#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
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
/// Tree i depends on the seed and on i alone, so the first 100 trees of a bag of 500 are the
/// bag of 100.
template <class Learner, class Sampler>
class Bag {
 public:
  Bag(std::uint32_t n_trees, Learner learner, Sampler sampler)
      : n_trees_(n_trees), learner_(std::move(learner)), sampler_(std::move(sampler)) {}

  class Run {
   public:
    Run(const Bag& settings, const TrainingSet& training)
        : settings_(settings), training_(training) {}

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
      const std::size_t n_trees = settings_.n_trees_;
      const std::size_t workers = WorkerCount(training_.threads, n_trees);
      while (runs_.size() < workers) runs_.push_back(settings_.learner_.Start(training_));
      const std::size_t first = trees.size();
      const std::size_t stage = std::min(n_trees - first, StageSize(workers));
      trees.resize(first + stage);
      const Threads threads =
          ForLoopOf(training_.threads, stage * sample.rows.size(), kSecondsPerDocument);
      ParallelFor(threads, stage, [&](std::size_t i, std::size_t w) {
        trees[first + i] = FitOne(runs_[w], targets, sample, rng.Child(Purpose::kTree, first + i));
      });
    }

   private:
    /// What a tree takes for each of its documents, roughly: 0.04 us with 16 leaves, 0.4 to 4 us
    /// unpruned.
    static constexpr double kSecondsPerDocument = 2e-7;

    /// Trees that are grown at a time: enough to keep all threads busy.
    static std::size_t StageSize(std::size_t workers) {
      return kTreesShownTogether * ((workers + 3) / 4);
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

    Tree FitOne(typename Learner::Run& run, Span<const GradientPair> targets,
                const RowSample& sample, const Rng& rng) {
      const RowSample drawn = DrawForTree(settings_.sampler_, training_.data, sample, rng);
      return run.FitTree(targets, drawn, rng);
    }

    Bag settings_;
    TrainingSet training_;
    std::vector<typename Learner::Run> runs_;  // one per worker
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

  [[nodiscard]] std::size_t n_trees() const { return n_trees_; }

 private:
  std::uint32_t n_trees_;
  Learner learner_;
  Sampler sampler_;
};

}  // namespace rankforest
