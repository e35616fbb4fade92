#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/best_round.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/monitor_settings.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/state_saver.hpp"
#include "rankforest/train/training_state.hpp"
#include "rankforest/train/watched_scores.hpp"

namespace rankforest {

/// Follows a run: keeps the scores of the watched data sets, evaluates them, and says when to
/// stop.
class Monitor {
 public:
  explicit Monitor(MonitorSettings settings, Threads threads = {}, std::size_t n_rounds = 0)
      : settings_(std::move(settings)),
        threads_(threads),
        n_rounds_(n_rounds),
        saver_(settings_.checkpoints) {
    if (!settings_.early_stopping_rounds.has_value()) return;
    best_.emplace(*settings_.early_stopping_rounds, settings_.min_delta, settings_.overfit);
    if (settings_.stopping_watch >= settings_.watches.size() || Stopping().metrics.empty()) {
      throw std::invalid_argument("early_stopping_rounds needs a data set to evaluate on");
    }
  }

  /// Scores the watched sets with what boosting starts from; a start of some rounds is itself a
  /// result.
  void Begin(const Member& start) {
    scores_.clear();
    if (!is_restored_) round_ = start.n_rounds();
    const std::size_t to_come = n_rounds_ > round_ ? n_rounds_ - round_ : 0;
    for (const Watch& watch : settings_.watches) {
      std::vector<double> scores =
          ScoresAtStart(watch.initial_scores, start.base, watch.data->n_documents());
      AddGroups(start, *watch.data, threads_, scores);
      scores_.emplace_back(*watch.data, threads_, std::move(scores), to_come);
    }
    AfterStart();
  }

  /// The same for a start that the caller scores.
  ///
  /// @param rounds  of the start
  /// @param scores  by watch and document
  void Begin(std::size_t rounds, std::vector<std::vector<double>> scores) {
    scores_.clear();
    if (!is_restored_) round_ = rounds;
    for (std::size_t w = 0; w < scores.size(); ++w) {
      scores_.emplace_back(*settings_.watches[w].data, threads_, std::move(scores[w]), 0);
    }
    AfterStart();
  }

  /// Starts with nothing, for models whose every round gives all scores anew (AfterScores).
  void BeginAnew() {
    scores_.clear();
    round_ = 0;
    for (const Watch& watch : settings_.watches) {
      scores_.emplace_back(*watch.data, threads_,
                           std::vector<double>(watch.data->n_documents(), 0.0), 0);
    }
  }

  /// Starts behind the first `rounds` trees of a forest, which were evaluated when they grew.
  void Resume(std::size_t rounds) {
    round_ = rounds;
    is_restored_ = false;
  }

  /// Goes on from a state that was saved: what comes next, Begin() or Resume(), knows its rounds.
  ///
  /// @throws std::invalid_argument  if the state is of a training with other watches
  void Restore(const TrainingState& state) {
    std::vector<std::size_t> n_metrics;
    for (const Watch& watch : settings_.watches) n_metrics.push_back(watch.metrics.size());
    RequireValues(state.history, n_metrics);
    if (state.best.has_value() != best_.has_value()) {
      throw std::invalid_argument(
          "the state of a training must know the best round if, and only if, it may stop early");
    }
    round_ = state.round;
    saver_.Restore(state.round);
    history_ = state.history;
    for (RoundReport& report : history_) report.n_rounds = n_rounds_;
    if (best_.has_value()) best_->Restore(*state.best);
    kept_model_ = state.grown.kept;
    is_restored_ = true;
  }
  /// Whether it was restored, and no round came since.
  [[nodiscard]] bool is_restored() const { return is_restored_; }
  /// The model of the rounds to keep that was saved, if it was.
  [[nodiscard]] const std::optional<Member>& kept_model() const { return kept_model_; }

  /// To be called between two rounds: saves the state where that is due.
  ///
  /// @param grown  () -> GrownSoFar
  template <class Grown>
  void BetweenRounds(const Grown& grown) {
    saver_.BetweenRounds(round_, [&] { return StateWith(grown()); });
  }

  /// To be called where something threw: saves the state as of the end of the last round.
  template <class Grown>
  void AfterError(const Grown& grown) {
    if (is_between_rounds_) saver_.Save(round_, [&] { return StateWith(grown()); });
  }

  /// Takes in the next round's trees. Returns whether to go on.
  bool AfterRound(const Member& step) {
    is_between_rounds_ = false;
    for (WatchedScores& scores : scores_) scores.Add(step);
    round_ += step.n_rounds();
    return AfterEvaluation();
  }

  /// Takes in a round that changed the trees before it, too. Returns whether to go on.
  ///
  /// @param scores  of the model after the round, by watch and document
  bool AfterScores(std::vector<std::vector<double>> scores) {
    is_between_rounds_ = false;
    for (std::size_t w = 0; w < scores_.size(); ++w) scores_[w].Set(std::move(scores[w]));
    ++round_;
    return AfterEvaluation();
  }

  /// Takes in the first trees of a forest, all of them so far. A mean's contributions change
  /// with the number of trees, so the watched sets are scored anew, at 1, 2, 5, 10, 20, 50, ...
  /// trees and at the last. Returns whether to go on.
  bool AfterTrees(Span<const Tree> trees) {
    return AfterTrees(trees.size(), [&](const Dataset& data, std::size_t n) {
      std::vector<double> scores(data.n_documents(), 0.0);
      AddTrees(trees.subspan(0, n), 1.0 / static_cast<double>(n), data, threads_, scores);
      return scores;
    });
  }

  /// The same where a round is more than one tree.
  ///
  /// @param rounds     so far
  /// @param scores_of  (data, n) -> the scores that the first n rounds give
  template <class ScoresOf>
  bool AfterTrees(std::size_t rounds, const ScoresOf& scores_of) {
    std::vector<std::vector<double>> values;
    for (std::size_t n = round_ + 1; n <= rounds; ++n) {
      if (settings_.watches.empty() || !(IsRound(n) || n == n_rounds_)) continue;
      scores_.clear();
      for (const Watch& watch : settings_.watches) {
        scores_.emplace_back(*watch.data, threads_, scores_of(*watch.data, n), 0);
      }
      round_ = n;
      Evaluate();
      values = history_.back().values;
    }
    round_ = rounds;
    return Report(std::move(values));
  }

  /// What is watched.
  [[nodiscard]] const std::vector<Watch>& watches() const { return settings_.watches; }
  /// The position of the one that decides.
  [[nodiscard]] std::size_t stopping_watch() const { return settings_.stopping_watch; }

  /// How well scores rank what decides, by its first metric: more is better.
  [[nodiscard]] double QualityOf(Span<const double> scores) const {
    const WatchedMetric& metric = Stopping().metrics.front();
    const double value = metric.evaluate(scores);
    if (std::isnan(value)) {
      throw std::invalid_argument(metric.name + " of '" + Stopping().name +
                                  "' is not a number: no query of it can be evaluated");
    }
    return metric.maximize ? value : -value;
  }

  /// Rounds trained so far.
  [[nodiscard]] std::size_t round() const { return round_; }
  /// The evaluated rounds, in order.
  [[nodiscard]] const std::vector<RoundReport>& history() const { return history_; }

  /// Says which round is kept where nothing stops early.
  void Keep(std::size_t round) {
    if (!best_.has_value()) kept_ = round;
  }

  /// Rounds to keep: where training may stop early those that BestRound says, else all.
  [[nodiscard]] std::size_t RoundsToKeep() const {
    if (kept_.has_value()) return *kept_;
    return best_.has_value() ? best_->RoundsToKeep(round_) : round_;
  }

  /// Whether training ended before the rounds that were asked for.
  [[nodiscard]] bool stopped_early() const { return stopped_early_; }
  /// Whether on_round ended it.
  [[nodiscard]] bool asked_to_stop() const { return asked_to_stop_; }

 private:
  /// Whether n is 1, 2 or 5 times a power of ten.
  static bool IsRound(std::size_t n) {
    while (n % 10 == 0) n /= 10;
    return n == 1 || n == 2 || n == 5;
  }

  [[nodiscard]] const Watch& Stopping() const {
    return settings_.watches[settings_.stopping_watch];
  }

  /// A start of some rounds is itself a result.
  void AfterStart() {
    if (std::exchange(is_restored_, false) || round_ == 0) return;
    if (history_.empty() || history_.back().round != round_) Evaluate();
    UpdateBest();
  }

  /// Returns whether to go on.
  bool AfterEvaluation() {
    Evaluate();
    UpdateBest();
    return Report(history_.empty() ? std::vector<std::vector<double>>{} : history_.back().values);
  }

  void Evaluate() {
    if (settings_.watches.empty()) return;
    RoundReport report{round_, n_rounds_, {}};
    for (std::size_t w = 0; w < settings_.watches.size(); ++w) {
      report.values.emplace_back();
      for (const WatchedMetric& metric : settings_.watches[w].metrics) {
        report.values.back().push_back(metric.evaluate(scores_[w].values()));
      }
    }
    history_.push_back(std::move(report));
  }

  /// Lets early stopping see the last evaluated round.
  void UpdateBest() {
    if (!best_.has_value()) return;
    const WatchedMetric& metric = Stopping().metrics.front();
    const double value = history_.back().values[settings_.stopping_watch].front();
    if (std::isnan(value)) {
      throw std::invalid_argument("early_stopping_rounds: " + metric.name + " of '" +
                                  Stopping().name +
                                  "' is not a number: no query of it can be evaluated");
    }
    best_->Update(round_, value, metric.maximize);
  }

  bool Report(std::vector<std::vector<double>> values) {
    const RoundReport report{round_, n_rounds_, std::move(values)};
    asked_to_stop_ = settings_.on_round && !settings_.on_round(report);
    const bool is_over = best_.has_value() && best_->IsOver(round_);
    stopped_early_ = (asked_to_stop_ || is_over) && round_ < n_rounds_;
    is_between_rounds_ = !asked_to_stop_ && !is_over;
    return !asked_to_stop_ && !is_over;
  }

  [[nodiscard]] TrainingState StateWith(GrownSoFar grown) const {
    TrainingState state{round_, std::move(grown), history_};
    if (best_.has_value()) state.best = best_->found();
    return state;
  }

  MonitorSettings settings_;
  Threads threads_;
  std::size_t n_rounds_;
  std::vector<WatchedScores> scores_;  // of each watch
  std::vector<RoundReport> history_;
  std::size_t round_ = 0;
  std::optional<BestRound> best_;  // of early stopping
  std::optional<std::size_t> kept_;
  bool stopped_early_ = false;
  bool asked_to_stop_ = false;
  StateSaver saver_;
  bool is_between_rounds_ = true;  // whether the model is that of the last round, and goes on
  bool is_restored_ = false;
  std::optional<Member> kept_model_;  // that was saved
};

}  // namespace rankforest
