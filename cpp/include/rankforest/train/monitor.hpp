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
#include "rankforest/train/scores.hpp"
#include "rankforest/train/watched_scores.hpp"

namespace rankforest {

/// A figure that a run reports about a data set; called once per round.
struct WatchedMetric {
  std::string name;
  bool maximize = true;
  std::function<double(Span<const double> scores)> evaluate;  ///< scores in canonical order
  /// Makes `evaluate` with memory of its own, for a run at the same time as others. Empty: there
  /// can be no two, and the members of a bag are trained one after the other.
  std::function<std::function<double(Span<const double> scores)>()> renew = {};
};

/// A data set that a run is evaluated on.
struct Watch {
  std::string name;
  const Dataset* data = nullptr;
  std::vector<WatchedMetric> metrics;
  /// What boosting adds to, by document in canonical order. Empty: 0 everywhere.
  std::vector<double> initial_scores = {};
};

/// What is known after a round.
struct RoundReport {
  std::size_t round = 0;                    ///< rounds trained so far
  std::size_t n_rounds = 0;                 ///< rounds that were asked for
  std::vector<std::vector<double>> values;  ///< by watch and metric; empty where not evaluated
};

struct MonitorSettings {
  std::vector<Watch> watches;
  /// Stop boosting after so many rounds without a better value of the first metric of the stopping
  /// watch. A forest does not overfit with more trees: it is never stopped.
  std::optional<std::uint32_t> early_stopping_rounds;
  /// A value is better if it betters the best so far by more than this, >= 0.
  double min_delta = 0.0;
  OverfitSettings overfit;  ///< rounds behind the best one to keep; of early stopping alone
  /// The position in `watches` of the one that decides.
  std::size_t stopping_watch = 0;
  std::function<bool(const RoundReport&)> on_round;  ///< returns false to stop; may be empty
};

/// Follows a run: keeps the scores of the watched data sets, evaluates them, and says when to
/// stop.
class Monitor {
 public:
  explicit Monitor(MonitorSettings settings, Threads threads = {}, std::size_t n_rounds = 0)
      : settings_(std::move(settings)), threads_(threads), n_rounds_(n_rounds) {
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
    round_ = start.n_rounds();
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
    round_ = rounds;
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
  void Resume(std::size_t rounds) { round_ = rounds; }

  /// Takes in the next round's trees. Returns whether to go on.
  bool AfterRound(const Member& step) {
    for (WatchedScores& scores : scores_) scores.Add(step);
    round_ += step.n_rounds();
    return AfterEvaluation();
  }

  /// Takes in a round that changed the trees before it, too. Returns whether to go on.
  ///
  /// @param scores  of the model after the round, by watch and document
  bool AfterScores(std::vector<std::vector<double>> scores) {
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
    if (round_ == 0) return;
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
    return !asked_to_stop_ && !is_over;
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
};

}  // namespace rankforest
