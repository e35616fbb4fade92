#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/sample/view.hpp"
#include "rankforest/train/growing_sum.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest {

// Parts are immutable settings. What changes during a run lives in the object that
// Start(training) returns, so one part serves many runs and threads at once.
//
//   objective  Start(training) -> { BaseScore(sample), Gradients(sample, scores, out, rng) }
//   learner    Start(training) -> { Fit(targets, sample, rng) -> Member,
//                                   SetPaid(features): they are free for what it fits next }
//   sampler    Draw(view, from, rng) -> RowSample, and what it looks at: see sample/view.hpp
//   trainer    Prepare(training): makes the layouts of the data that all runs share
//              Train(training, rows, rng, monitor) -> Member
//              Continue(training, rows, rng, monitor, trained) -> Member
//
// An objective gets the stream of the round, and draws from that of each query alone:
// rng.Child(Purpose::kObjective, query).
//
// Continue() goes on from the first rounds of what Train() returns, and returns the same.
//
//   Bag        learner x sampler -> learner            average over resampled rows (bag.hpp)
//   Once       objective x learner -> trainer          one step from score 0
//   Boost      objective x learner x sampler -> trainer   many small steps, in a sum that grows as
//                                                         its part `Sum` says
//   Chain      trainer x trainer -> trainer            the second starts where the first ended

/// Fits the objective's gradients at score 0 once: a forest, or a single tree.
template <class Objective, class Learner>
class Once {
 public:
  Once(Objective objective, Learner learner)
      : objective_(std::move(objective)), learner_(std::move(learner)) {}

  void Prepare(const TrainingSet& training) const {
    [[maybe_unused]] const auto learner = learner_.Start(training);
  }

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor) const {
    return Fit(training, rows, rng, monitor,
               [&](auto& learner, const auto& targets, const auto& show) {
                 return learner.Fit(targets, rows, rng, show);
               });
  }

  /// The trees of `trained` may be of several groups: the learner, a bag, makes one of them.
  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    std::vector<Tree> first = TreesOf(std::move(trained));
    monitor.Resume(first.size());
    return Fit(training, rows, rng, monitor,
               [&](auto& learner, const auto& targets, const auto& show) {
                 return learner.Fit(targets, rows, rng, show, std::move(first));
               });
  }

  [[nodiscard]] std::size_t n_rounds() const { return learner_.n_trees(); }

 private:
  /// @param fit  (learner at work, targets, observer) -> Member
  template <class FitLearner>
  [[nodiscard]] Member Fit(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                           Monitor& monitor, const FitLearner& fit) const {
    const std::vector<double> scores(training.data.n_documents(), 0.0);
    std::vector<GradientPair> targets(training.data.n_documents());
    auto objective = objective_.Start(training);
    auto learner = learner_.Start(training);
    objective.Gradients(rows, scores, targets, rng);
    return fit(learner, targets, [&](Span<const Tree> trees) { return monitor.AfterTrees(trees); });
  }

  Objective objective_;
  Learner learner_;
};

struct BoostPlan {
  std::uint32_t n_rounds = 500;
  double learning_rate = 0.1;  ///< in (0, 1]
};

/// Gradient boosting: every round fits a step to the objective's gradients at the current
/// scores (Friedman, "Greedy function approximation: a gradient boosting machine", 2001; Mohan
/// 2010, section 2.3).
///
/// @tparam Sum  the model that the steps make: GrowingSum or DropoutSum
template <class Objective, class Learner, class Sampler, class Sum = GrowingSum>
class Boost {
 public:
  static constexpr bool kTakesInitialScores = true;

  Boost(BoostPlan plan, Objective objective, Learner learner, Sampler sampler, Sum sum = {})
      : plan_(plan),
        objective_(std::move(objective)),
        learner_(std::move(learner)),
        sampler_(std::move(sampler)),
        sum_(std::move(sum)) {}

  void Prepare(const TrainingSet& training) const {
    [[maybe_unused]] const auto learner = learner_.Start(training);
  }

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor) const {
    auto objective = objective_.Start(training);
    Member start;
    // Initial scores are the caller's choice of where to start, to which nothing is added.
    const bool is_given = !training.initial_scores.empty();
    start.base = is_given ? 0.0 : objective.BaseScore(rows);
    return Grow(objective, training, rows, rng, monitor, std::move(start), 0);
  }

  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    const std::size_t done = trained.n_rounds();
    return Train(training, rows, rng, monitor, std::move(trained), done);
  }

  /// @param start  model whose scores the first round corrects; kept in the result
  /// @param done   how many rounds of this boosting it has
  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor, Member start, std::size_t done = 0) const {
    auto objective = objective_.Start(training);
    return Grow(objective, training, rows, rng, monitor, std::move(start), done);
  }

 private:
  /// @param objective  at work: it is started once, for that may take long
  template <class ObjectiveRun>
  [[nodiscard]] Member Grow(ObjectiveRun& objective, const TrainingSet& training,
                            const RowSample& rows, const Rng& rng, Monitor& monitor, Member start,
                            std::size_t done) const {
    std::vector<GradientPair> targets(training.data.n_documents());
    auto learner = learner_.Start(training);
    RowSample sample = SampleBefore(done, start, objective, training, rows, rng, targets);
    const RowSample& drawn = sampler_.draws_all() ? rows : sample;
    auto sum = sum_.Start(training, std::move(start), plan_.learning_rate, monitor);
    for (std::size_t round = done; round < plan_.n_rounds; ++round) {
      const Rng round_rng = rng.Child(Purpose::kRound, round);
      if (!sampler_.draws_all() && sampler_.redraws(round)) {
        sum.BringUpToDate(drawn);
        sample = Draw(objective, training, rows, rng, round, sum.scores(), sample.rows, targets);
      }
      sum.BeginRound(round_rng);
      objective.Gradients(drawn, sum.scores(), targets, round_rng);
      if (training.feature_costs != nullptr) learner.SetPaid(sum.UsedFeatures());
      Member step = learner.Fit(targets, drawn, round_rng);
      for (Group& group : step.groups) {
        group.trees_per_round = static_cast<std::uint32_t>(group.trees.size());
      }
      if (!sum.Add(learner, std::move(step), drawn, ReadAfter(round))) break;
    }
    return sum.Finish();
  }

  /// The sample that a model's last round had, where the next round keeps it; else nothing.
  ///
  /// @param done  how many rounds of this boosting the model has
  template <class ObjectiveRun>
  [[nodiscard]] RowSample SampleBefore(std::size_t done, const Member& model,
                                       ObjectiveRun& objective, const TrainingSet& training,
                                       const RowSample& rows, const Rng& rng,
                                       std::vector<GradientPair>& targets) const {
    std::size_t drawn_in = done;
    while (!sampler_.redraws(drawn_in)) --drawn_in;
    if (drawn_in == done || done >= plan_.n_rounds) return {};
    const std::vector<double> scores = ScoresAfter(WithoutLast(model, done - drawn_in), training);
    return Draw(objective, training, rows, rng, drawn_in, scores, {}, targets);
  }

  /// A model without its last rounds.
  [[nodiscard]] static Member WithoutLast(const Member& model, std::size_t rounds) {
    Ensemble ensemble;
    ensemble.members.push_back(model);
    ensemble = Prefix(std::move(ensemble), model.n_rounds() - rounds);
    return std::move(ensemble.members.front());
  }

  /// The sample of a round that has its own.
  ///
  /// @param scores   of all documents before the round
  /// @param last     documents of the sample before, if there is one
  /// @param targets  memory for the gradients
  template <class ObjectiveRun>
  [[nodiscard]] RowSample Draw(ObjectiveRun& objective, const TrainingSet& training,
                               const RowSample& rows, const Rng& rng, std::size_t round,
                               Span<const double> scores, Span<const RowId> last,
                               std::vector<GradientPair>& targets) const {
    const Rng round_rng = rng.Child(Purpose::kRound, round);
    SamplerView view(training.data);
    view.threads = training.threads;
    view.round = round;
    view.last = last;
    if (sampler_.needs() >= SamplerNeeds::kScores) {
      view.scores = scores;
      view.tie_places = training.scale_free_places();
      view.positives = training.positives();
    }
    if (sampler_.needs() >= SamplerNeeds::kGradients && round > 0) {
      objective.Gradients(rows, scores, targets, round_rng);
      view.gradients = targets;
    }
    return sampler_.Draw(view, rows, round_rng.Child(Purpose::kRows, 0));
  }

  /// Whose scores the next rounds read.
  [[nodiscard]] ScoresRead ReadAfter(std::size_t round) const {
    if (sampler_.draws_all()) return ScoresRead::kSampled;
    for (std::size_t next = round + 1; next < plan_.n_rounds; ++next) {
      if (sampler_.redraws(next)) return next == round + 1 ? ScoresRead::kAll : ScoresRead::kLater;
    }
    return ScoresRead::kSampled;
  }

  BoostPlan plan_;
  Objective objective_;
  Learner learner_;
  Sampler sampler_;
  Sum sum_;
};

/// The second trainer starts where the first one ended.
template <class First, class Second>
class Chain {
 public:
  Chain(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}

  void Prepare(const TrainingSet& training) const {
    first_.Prepare(training);
    second_.Prepare(training);
  }

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor) const {
    Member start = first_.Train(training, rows, rng.Child(Purpose::kStage, 0), monitor);
    if (monitor.asked_to_stop()) return start;
    return second_.Train(training, rows, rng.Child(Purpose::kStage, 1), monitor, std::move(start));
  }

  /// @param trained  with all rounds of the first trainer
  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    const std::size_t of_first = first_.n_rounds();
    const std::size_t n_rounds = trained.n_rounds();
    if (n_rounds < of_first) {
      throw std::invalid_argument("training goes on from " + std::to_string(n_rounds) +
                                  " rounds, and must from the first " + std::to_string(of_first) +
                                  " at least: those are of another kind than what follows");
    }
    return second_.Train(training, rows, rng.Child(Purpose::kStage, 1), monitor, std::move(trained),
                         n_rounds - of_first);
  }

 private:
  First first_;
  Second second_;
};

}  // namespace rankforest
