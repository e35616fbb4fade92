#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
#include "rankforest/train/training_state.hpp"

namespace rankforest {

// Long because the ways to combine parts are read together.
//
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

  /// A forest of trees that were grown so far.
  [[nodiscard]] static Member MeanOf(Span<const Tree> trees) {
    return {0.0, {{1.0, Reduction::kMean, 1, {trees.begin(), trees.end()}}}};
  }

  [[nodiscard]] std::size_t n_rounds() const { return learner_.n_trees(); }

  /// The trees of a bag while they grow, for those that grow several bags together.
  class Growth {
   public:
    /// @param rows  must outlive this, as the training set's data must
    Growth(const Once& settings, const TrainingSet& training, const RowSample& rows, const Rng& rng,
           Member trained)
        : rows_(rows),
          rng_(rng),
          targets_(training.data.n_documents()),
          learner_(settings.learner_.Start(training)),
          trees_(TreesOf(std::move(trained))) {
      auto objective = settings.objective_.Start(training);
      objective.Gradients(rows, std::vector<double>(targets_.size(), 0.0), targets_, rng);
    }

    /// Grows some of the trees that are left.
    void Advance() { learner_.GrowStage(targets_, rows_, rng_, trees_); }
    [[nodiscard]] const std::vector<Tree>& trees() const { return trees_; }

    /// The mean of the first `n` of the trees.
    [[nodiscard]] Member Finish(std::size_t n) {
      trees_.resize(n);
      Member member;
      member.groups.push_back({1.0, Reduction::kMean, 1, std::move(trees_)});
      return member;
    }

   private:
    const RowSample& rows_;
    Rng rng_;
    std::vector<GradientPair> targets_;
    typename Learner::Run learner_;
    std::vector<Tree> trees_;
  };

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
    return fit(learner, targets, [&](Span<const Tree> trees) {
      const bool goes_on = monitor.AfterTrees(trees);
      if (goes_on) monitor.BetweenRounds([&] { return GrownSoFar{{MeanOf(trees)}}; });
      return goes_on;
    });
  }

  Objective objective_;
  Learner learner_;
};

/// What a part is at work.
template <class Part>
using StartOf = decltype(std::declval<const Part&>().Start(std::declval<const TrainingSet&>()));

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
    return Grown(Growth(*this, training, rows, rng, monitor), monitor);
  }

  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    // With dropout trees may stay out for good, so that there are fewer than rounds.
    const std::size_t done = monitor.is_restored() ? monitor.round() : trained.n_rounds();
    return Train(training, rows, rng, monitor, std::move(trained), done);
  }

  /// @param start  model whose scores the first round corrects; kept in the result
  /// @param done   how many rounds of this boosting it has
  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor, Member start, std::size_t done = 0) const {
    return Grown(Growth(*this, training, rows, rng, monitor, std::move(start), done), monitor);
  }

  /// Boosting at work, one round at a time.
  class Growth {
   public:
    /// What is not taken by value must outlive this.
    ///
    /// @param start  as of Train(); none: the objective's own
    Growth(const Boost& settings, const TrainingSet& training, const RowSample& rows, Rng rng,
           Monitor& monitor, std::optional<Member> start = std::nullopt, std::size_t done = 0)
        : settings_(settings),
          training_(training),
          rows_(rows),
          rng_(rng),
          round_(done),
          objective_(settings.objective_.Start(training)),
          targets_(training.data.n_documents()),
          learner_(settings.learner_.Start(training)),
          sample_(settings.SampleBefore(done, Filled(start), objective_, training, rows, rng_,
                                        targets_)),
          sum_(settings.sum_.Start(training, std::move(*start), settings.plan_.learning_rate,
                                   monitor)) {}

    Growth(const Growth&) = delete;
    Growth& operator=(const Growth&) = delete;
    ~Growth() = default;

    /// Whether no round is left.
    [[nodiscard]] bool is_over() const { return round_ >= settings_.plan_.n_rounds; }

    /// Grows the next round, if one is left. Returns whether to go on.
    bool Advance() {
      if (is_over()) return false;
      const Sampler& sampler = settings_.sampler_;
      const RowSample& drawn = sampler.draws_all() ? rows_ : sample_;
      const Rng round_rng = rng_.Child(Purpose::kRound, round_);
      if (!sampler.draws_all() && sampler.redraws(round_)) {
        sum_.BringUpToDate(drawn);
        sample_ = settings_.Draw(objective_, training_, rows_, rng_, round_, sum_.scores(),
                                 sample_.rows, targets_);
      }
      sum_.BeginRound(round_rng);
      objective_.Gradients(drawn, sum_.scores(), targets_, round_rng);
      if (training_.counts_features()) learner_.SetPaid(sum_.UsedFeatures());
      Member step = learner_.Fit(targets_, drawn, round_rng);
      for (Group& group : step.groups) {
        group.trees_per_round = static_cast<std::uint32_t>(group.trees.size());
      }
      return sum_.Add(learner_, std::move(step), drawn, settings_.ReadAfter(round_++));
    }

    /// So far.
    [[nodiscard]] const Member& model() const { return sum_.model(); }
    [[nodiscard]] GrownSoFar grown() const { return sum_.grown(); }
    [[nodiscard]] Member Finish() { return sum_.Finish(); }

   private:
    const Member& Filled(std::optional<Member>& start) {
      if (!start.has_value()) {
        start.emplace();
        // Initial scores are the caller's choice of where to start, to which nothing is added.
        if (training_.initial_scores.empty()) start->base = objective_.BaseScore(rows_);
      }
      return *start;
    }

    const Boost& settings_;
    const TrainingSet& training_;
    const RowSample& rows_;
    Rng rng_;
    std::size_t round_;
    StartOf<Objective> objective_;  // started once, for that may take long
    std::vector<GradientPair> targets_;
    StartOf<Learner> learner_;
    RowSample sample_;
    typename Sum::Run sum_;
  };

  [[nodiscard]] std::size_t n_rounds() const { return plan_.n_rounds; }

 private:
  [[nodiscard]] static Member Grown(Growth growth, Monitor& monitor) {
    const auto grown = [&growth] { return growth.grown(); };
    try {
      while (growth.Advance()) monitor.BetweenRounds(grown);
    } catch (...) {
      monitor.AfterError(grown);
      throw;
    }
    return growth.Finish();
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
    return Behind(first_.Train(training, rows, rng.Child(Purpose::kStage, 0), monitor), training,
                  rows, rng, monitor);
  }

  /// @param trained  with all rounds of the first trainer, unless the monitor was restored
  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    if (monitor.is_restored() && trained.n_rounds() <= first_.n_rounds()) {
      return Behind(first_.Continue(training, rows, rng.Child(Purpose::kStage, 0), monitor,
                                    std::move(trained)),
                    training, rows, rng, monitor);
    }
    const std::size_t done = RoundsOfSecond(trained.n_rounds());
    return second_.Train(training, rows, rng.Child(Purpose::kStage, 1), monitor, std::move(trained),
                         done);
  }

  /// How many rounds of a model are the second trainer's.
  ///
  /// @throws std::invalid_argument  if the model lacks some of the first one's
  [[nodiscard]] std::size_t RoundsOfSecond(std::size_t n_rounds) const {
    const std::size_t of_first = first_.n_rounds();
    if (n_rounds < of_first) {
      throw std::invalid_argument("training goes on from " + std::to_string(n_rounds) +
                                  " rounds, and must from the first " + std::to_string(of_first) +
                                  " at least: those are of another kind than what follows");
    }
    return n_rounds - of_first;
  }

  [[nodiscard]] const First& first() const { return first_; }
  [[nodiscard]] const Second& second() const { return second_; }

 private:
  /// Trains the second one behind the rounds of the first.
  [[nodiscard]] Member Behind(Member start, const TrainingSet& training, const RowSample& rows,
                              const Rng& rng, Monitor& monitor) const {
    if (monitor.asked_to_stop()) return start;
    return second_.Train(training, rows, rng.Child(Purpose::kStage, 1), monitor, std::move(start));
  }

  First first_;
  Second second_;
};

}  // namespace rankforest
