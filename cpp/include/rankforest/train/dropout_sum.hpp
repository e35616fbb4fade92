#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
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
#include "rankforest/core/used_features.hpp"
#include "rankforest/train/dropout.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/leaf_table.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/running_scores.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// The model of DART: a sum of trees, some of which each round leaves out of the scores that it
/// corrects, and whose weights it changes afterwards. The model after k rounds is not the first k
/// trees of a later one, so the weights of the rounds to keep are kept beside it.
///
/// Scores of rounds that dropped trees are summed anew, in the order of the trees, so that they are
/// those of the model, to the bit. That takes some 1 ns a tree and document; see LeafTable for the
/// memory, which is only taken once a round drops trees.
class DropoutSum {
 public:
  class Run {
   public:
    Run(const DropSettings& settings, const TrainingSet& training, Member start,
        double learning_rate, Monitor& monitor)
        : settings_(settings),
          learning_rate_(learning_rate),
          monitor_(monitor),
          base_(start.base),
          n_features_(training.data.n_features()) {
      Require(start);
      const auto add_set = [&](const Dataset& data, Span<const double> initial) {
        sets_.push_back(
            {ScoresAtStart(initial, base_, data.n_documents()), LeafTable(data, training.threads)});
      };
      add_set(training.data, training.initial_scores);
      for (const Watch& watch : monitor.watches()) add_set(*watch.data, watch.initial_scores);
      scores_ = sets_[0].at_start;
      AddGroups(start, training.data, training.threads, scores_);
      kept_before_ = monitor.kept_model();
      monitor.Begin(start);
      for (Group& group : start.groups) {
        for (Tree& tree : group.trees) Append(std::move(tree), group.weight);
      }
      kept_ = model_;
    }

    void BringUpToDate(const RowSample& /*sample*/) {}

    /// Draws the trees that the round does without.
    void BeginRound(const Rng& rng) {
      std::vector<double> weights;
      for (const Weighted& tree : model_) weights.push_back(tree.weight);
      dropped_ = DrawDropped(settings_, weights, rng.Child(Purpose::kDropout, 0));
      if (!dropped_.empty()) scores_ = SumsOf(Without(), 0);
    }
    [[nodiscard]] Span<const double> scores() const { return scores_; }
    /// Trees that stay out for good are of no model.
    [[nodiscard]] std::vector<std::uint8_t> UsedFeatures() const {
      std::vector<std::uint8_t> used(n_features_, 0);
      for (const Weighted& tree : model_) MarkUsed(trees_[tree.index], used);
      return used;
    }

    /// @param learner  that made the step, of one tree, last
    template <class Learner>
    bool Add(const Learner& learner, Member step, const RowSample& /*sample*/,
             ScoresRead /*read*/) {
      Group& group = step.groups.front();
      group.weight = learning_rate_;
      bool goes_on = true;
      if (dropped_.empty()) {
        learner.AddLastTree(learning_rate_, scores_);
        Append(group.trees.front(), learning_rate_);
        goes_on = monitor_.AfterRound(step);
      } else {
        Model with_step = WithStep(std::move(group.trees.front()));
        scores_ = SumsOf(with_step, 0);
        std::vector<std::vector<double>> of_watches;
        for (std::size_t s = 1; s < sets_.size(); ++s) of_watches.push_back(SumsOf(with_step, s));
        model_ = std::move(with_step);  // last, so that it is whole whatever throws
        goes_on = monitor_.AfterScores(std::move(of_watches));
      }
      if (monitor_.RoundsToKeep() == monitor_.round()) {
        kept_ = model_;
        kept_before_.reset();
      }
      return goes_on;
    }

    [[nodiscard]] GrownSoFar grown() const {
      const bool keeps_all = monitor_.RoundsToKeep() == monitor_.round();
      return {{MemberOf(model_)}, keeps_all ? std::nullopt : std::optional(Kept())};
    }
    [[nodiscard]] Member Finish() { return Kept(); }

   private:
    struct Weighted {
      std::uint32_t index;  // in trees_
      double weight;
    };
    using Model = std::vector<Weighted>;

    /// A data set whose scores are kept.
    struct ScoredSet {
      std::vector<double> at_start;  // before any tree
      LeafTable leaves;
    };

    [[nodiscard]] Member Kept() const { return kept_before_ ? *kept_before_ : MemberOf(kept_); }

    [[nodiscard]] Member MemberOf(const Model& model) const {
      Member member;
      member.base = base_;
      for (const Weighted& tree : model) {
        Member step;
        step.groups.push_back({tree.weight, Reduction::kSum, 1, {trees_[tree.index]}});
        Extend(member, std::move(step));
      }
      return member;
    }

    void Require(const Member& start) const {
      if (settings_.keep_drop && monitor_.watches().empty()) {
        throw std::invalid_argument(
            "X-DART drops trees for good by a metric on held-out queries: it needs a set to watch");
      }
      if (settings_.keep_drop && start.n_rounds() > 0 && !monitor_.is_restored()) {
        throw std::invalid_argument(
            "X-DART starts afresh: the trees of a model do not tell how many rounds it had");
      }
      for (const Group& group : start.groups) {
        if (group.reduction == Reduction::kSum && group.trees_per_round == 1 && group.weight > 0.0)
          continue;
        throw std::invalid_argument(
            "dropout of trees goes on from a model that adds up single trees of positive weights");
      }
    }

    void Append(Tree tree, double weight) {
      model_.push_back({static_cast<std::uint32_t>(trees_.size()), weight});
      trees_.push_back(std::move(tree));
    }

    /// The model without the dropped trees.
    [[nodiscard]] Model Without() const {
      Model rest;
      auto next = dropped_.begin();
      for (std::uint32_t t = 0; t < model_.size(); ++t) {
        if (next != dropped_.end() && *next == t) {
          ++next;
        } else {
          rest.push_back(model_[t]);
        }
      }
      return rest;
    }

    /// The model after a round that dropped trees.
    [[nodiscard]] Model WithStep(Tree tree) {
      const auto index = static_cast<std::uint32_t>(trees_.size());
      trees_.push_back(std::move(tree));
      Model all = model_;
      const DropFactors factors =
          FactorsOf(settings_.normalization, dropped_.size(), learning_rate_);
      for (const std::uint32_t t : dropped_) all[t].weight *= factors.dropped;
      all.push_back({index, factors.added});
      if (!settings_.keep_drop) return all;
      Model rest = Without();
      rest.push_back({index, learning_rate_});
      const std::size_t deciding = 1 + monitor_.stopping_watch();
      const double value = monitor_.QualityOf(SumsOf(rest, deciding));
      if (value < monitor_.QualityOf(SumsOf(all, deciding))) return all;
      for (const std::uint32_t t : dropped_) {
        for (ScoredSet& set : sets_) {
          if (set.leaves.n_trees() > model_[t].index) set.leaves.Forget(model_[t].index);
        }
      }
      return rest;
    }

    /// The scores of a set's documents, summed anew.
    [[nodiscard]] std::vector<double> SumsOf(const Model& model, std::size_t set) {
      ScoredSet& of = sets_[set];
      while (of.leaves.n_trees() < trees_.size()) of.leaves.Add(trees_[of.leaves.n_trees()]);
      std::vector<LeafContributions> contributions;
      contributions.reserve(model.size());
      for (const Weighted& tree : model) {
        contributions.emplace_back(tree.index, trees_[tree.index], tree.weight);
      }
      std::vector<double> scores = of.at_start;
      of.leaves.AddTo(contributions, scores);
      return scores;
    }

    DropSettings settings_;
    double learning_rate_;
    Monitor& monitor_;
    double base_;
    std::size_t n_features_;
    std::vector<ScoredSet> sets_;         // the training data, then those that are watched
    std::vector<Tree> trees_;             // all that were grown
    Model model_;                         // those that are in, in the order they were grown
    Model kept_;                          // as of the round to keep
    std::optional<Member> kept_before_;   // in its place: as it was saved
    std::vector<std::uint32_t> dropped_;  // by the round, of model_
    std::vector<double> scores_;
  };

  explicit DropoutSum(const DropSettings& settings) : settings_(settings) {}

  /// As GrowingSum::Start.
  ///
  /// @throws std::invalid_argument  if `start` is no sum of single trees, or keep_drop has no set
  ///                                to decide on
  [[nodiscard]] Run Start(const TrainingSet& training, Member start, double learning_rate,
                          Monitor& monitor) const {
    return {settings_, training, std::move(start), learning_rate, monitor};
  }

 private:
  DropSettings settings_;
};

}  // namespace rankforest
