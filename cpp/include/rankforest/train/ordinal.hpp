#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/combinators.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/ordinal_scores.hpp"
#include "rankforest/train/ordinal_watches.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

/// Trains a recipe by classification (Mohan 2010, chapter 3): once for each distinct grade y_c but
/// the highest, on whether a document's grade is at most y_c, which is 1 or 0.
///
/// The problems share the layouts of the data, its canonical order, and the stream of random
/// numbers: they draw the same documents and features. So a problem is what the recipe trains on
/// these targets with the same seed, and differences of neighbouring probabilities have less noise
/// than with samples of their own. They grow together, round by round, so that the score that they
/// make is measured, and ends the training, as that of one model.
///
/// @tparam Recipe  of Once, Boost and Chain: see recipes.hpp
template <class Recipe>
class OrdinalTraining {
 public:
  /// @param recipe, training  must outlive this
  /// @throws std::invalid_argument  for grades that make no problems, or no score
  OrdinalTraining(const Recipe& recipe, OrdinalScoring scoring, const TrainingSet& training)
      : recipe_(recipe),
        scoring_(scoring),
        training_(training),
        grades_(OrdinalGrades(training.data)),
        fixed_(FixedScore(grades_, scoring)) {
    for (std::size_t c = 0; c + 1 < grades_.size(); ++c) {
      data_.push_back(training.data.WithGrades(AtMost(training.data.grades(), grades_[c])));
      trainings_.push_back(training.WithGrades(data_.back()));
    }
  }

  OrdinalTraining(const OrdinalTraining&) = delete;
  OrdinalTraining& operator=(const OrdinalTraining&) = delete;
  ~OrdinalTraining() = default;

  struct Result {
    std::vector<Member> problems;  ///< of each, with the rounds that are kept
    OrdinalScore score;
  };

  [[nodiscard]] const std::vector<double>& grades() const { return grades_; }

  /// Makes the layouts of the data that all problems share.
  void Prepare() const { recipe_.Prepare(training_); }

  /// @param trained  the problems with their first rounds, to go on from; none: begins afresh
  [[nodiscard]] Result Train(const RowSample& rows, const Rng& rng, Monitor& monitor,
                             std::vector<Member> trained = {}) const {
    if (IsFitted(scoring_) && scoring_ != OrdinalScoring::kOlsTrain && monitor.watches().empty()) {
      throw std::invalid_argument("ordinal_scoring needs a data set to evaluate on");
    }
    const bool goes_on = !trained.empty();
    if (!goes_on) trained.resize(trainings_.size());
    Run run{rows, monitor, OrdinalWatches(monitor.watches(), fixed_, training_.threads),
            std::move(trained), goes_on};
    Grow(recipe_, rng, run);
    Ensemble grown;
    grown.members = std::move(run.problems);
    Result result{Prefix(std::move(grown), monitor.RoundsToKeep()).members, fixed_};
    if (IsFitted(scoring_)) {
      result.score = FittedScore(result.problems, FittedSets(rows, monitor), training_.threads);
    }
    return result;
  }

 private:
  /// The problems while they are trained.
  struct Run {
    const RowSample& rows;
    Monitor& monitor;
    OrdinalWatches watches;
    std::vector<Member> problems;
    bool goes_on;  // from the problems that there are
  };

  template <class Objective, class Learner>
  void Grow(const Once<Objective, Learner>& forest, const Rng& rng, Run& run) const {
    using Growth = typename Once<Objective, Learner>::Growth;
    std::size_t shown = run.problems.front().n_rounds();
    std::vector<Growth> growths;
    for (std::size_t c = 0; c < trainings_.size(); ++c) {
      growths.emplace_back(forest, trainings_[c], run.rows, rng, std::move(run.problems[c]));
    }
    if (run.goes_on) run.monitor.Resume(shown);
    while (shown < forest.n_rounds() && !run.monitor.asked_to_stop()) {
      for (Growth& growth : growths) growth.Advance();
      shown = ShowTrees<Objective, Learner>(growths, shown, run);
    }
    for (std::size_t c = 0; c < growths.size(); ++c) run.problems[c] = growths[c].Finish(shown);
  }

  /// Shows the monitor what forests have grown, as Bag does. Returns the number of trees of each
  /// that it has seen.
  template <class Objective, class Learner, class Growth>
  [[nodiscard]] static std::size_t ShowTrees(const std::vector<Growth>& growths, std::size_t shown,
                                             Run& run) {
    std::vector<Span<const Tree>> trees;
    for (const Growth& growth : growths) trees.emplace_back(growth.trees());
    const auto scores_of = [&](const Dataset& data, std::size_t n) {
      return run.watches.OfForests(trees, data, n);
    };
    while (shown < trees.front().size()) {
      shown = std::min(trees.front().size(), shown + kTreesShownTogether);
      if (!run.monitor.AfterTrees(shown, scores_of)) break;
      run.monitor.BetweenRounds([&] {
        GrownSoFar grown;
        for (const Span<const Tree>& of_problem : trees) {
          grown.members.push_back(Once<Objective, Learner>::MeanOf(of_problem.subspan(0, shown)));
        }
        return grown;
      });
    }
    return shown;
  }

  template <class Objective, class Learner, class Sampler>
  void Grow(const Boost<Objective, Learner, Sampler>& boost, const Rng& rng, Run& run) const {
    GrowBehind(boost, rng, run,
               run.goes_on ? std::optional(run.problems.front().n_rounds()) : std::nullopt);
  }

  template <class First, class Second>
  void Grow(const Chain<First, Second>& chain, const Rng& rng, Run& run) const {
    const std::size_t there = run.problems.front().n_rounds();
    const bool is_in_first = run.monitor.is_restored() && there <= chain.first().n_rounds();
    std::size_t done = 0;
    if (run.goes_on && !is_in_first) {
      done = chain.RoundsOfSecond(there);
    } else {
      Grow(chain.first(), rng.Child(Purpose::kStage, 0), run);
      if (run.monitor.asked_to_stop()) return;
    }
    GrowBehind(chain.second(), rng.Child(Purpose::kStage, 1), run, done);
  }

  /// @param done  how many rounds of this boosting the problems have; none: it begins with them
  template <class Objective, class Learner, class Sampler>
  void GrowBehind(const Boost<Objective, Learner, Sampler>& boost, const Rng& rng, Run& run,
                  std::optional<std::size_t> done) const {
    std::deque<Monitor> silent;  // one is watched: the sum of all problems
    std::deque<typename Boost<Objective, Learner, Sampler>::Growth> growths;
    std::vector<const Member*> models;
    for (std::size_t c = 0; c < trainings_.size(); ++c) {
      silent.emplace_back(MonitorSettings());
      std::optional<Member> start;
      if (done.has_value()) start = std::move(run.problems[c]);
      growths.emplace_back(boost, trainings_[c], run.rows, rng, silent.back(), std::move(start),
                           done.value_or(0));
      models.push_back(&growths.back().model());
    }
    const auto grown = [&models] {
      GrownSoFar all;
      for (const Member* model : models) all.members.push_back(*model);
      return all;
    };
    run.watches.Begin(models, boost.n_rounds() - done.value_or(0));
    run.monitor.Begin(models.front()->n_rounds(), run.watches.Totals());
    try {
      while (AdvanceAll(growths)) {
        run.watches.AddLastTrees(models);
        if (!run.monitor.AfterScores(run.watches.Totals())) break;
        run.monitor.BetweenRounds(grown);
      }
    } catch (...) {
      // Some problems may have a round more than others.
      run.monitor.AfterError([&] { return FirstRounds(grown(), run.monitor.round()); });
      throw;
    }
    for (std::size_t c = 0; c < growths.size(); ++c) run.problems[c] = growths[c].Finish();
  }

  [[nodiscard]] static GrownSoFar FirstRounds(GrownSoFar grown, std::size_t n_rounds) {
    Ensemble problems;
    problems.members = std::move(grown.members);
    grown.members = Prefix(std::move(problems), n_rounds).members;
    return grown;
  }

  /// Grows the next round of every problem. Returns whether there was one.
  template <class Growth>
  [[nodiscard]] bool AdvanceAll(std::deque<Growth>& growths) const {
    if (growths.front().is_over()) return false;
    // Problems side by side wait for each other once a round; threads within a problem, once a
    // node.
    const std::size_t n = growths.size();
    const auto n_threads = static_cast<std::size_t>(training_.threads.count);
    Threads threads = training_.threads;
    if (n % n_threads != 0 && n < 2 * n_threads) threads.count = 1;
    ParallelFor(threads, n, [&](std::size_t c) { growths[c].Advance(); });
    return true;
  }

  /// What the score is fitted to.
  [[nodiscard]] std::vector<FittedOn> FittedSets(const RowSample& rows,
                                                 const Monitor& monitor) const {
    std::vector<FittedOn> sets;
    if (scoring_ != OrdinalScoring::kOlsValid) sets.push_back({training_.data, rows});
    if (scoring_ != OrdinalScoring::kOlsTrain) {
      const Dataset& held_out = *monitor.watches()[monitor.stopping_watch()].data;
      sets.push_back({held_out, WholeSample(held_out.n_documents())});
    }
    return sets;
  }

  const Recipe& recipe_;
  OrdinalScoring scoring_;
  const TrainingSet& training_;
  std::vector<double> grades_;
  OrdinalScore fixed_;
  std::deque<Dataset> data_;           // of each problem
  std::deque<TrainingSet> trainings_;  // likewise; they refer to the data
};

}  // namespace rankforest
