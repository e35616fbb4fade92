#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/used_features.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/running_scores.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// The scores of all documents by a model that boosting goes on from.
inline std::vector<double> ScoresAfter(const Member& model, const TrainingSet& training) {
  std::vector<double> scores =
      ScoresAtStart(training.initial_scores, model.base, training.data.n_documents());
  AddGroups(model, training.data, training.threads, scores);
  return scores;
}

/// The model that boosting grows, where each step is added to those before, which stay as they are.
///
/// A model at work, which Start() returns, is asked by the boosting loop for
///   BringUpToDate(sample)   before a sample is drawn by scores(); `sample` is that of the rounds
///                           before
///   BeginRound(rng)         before each round; `rng` is the round's own stream
///   scores()                that the round corrects, by document; see RunningScores for whose
///   UsedFeatures()          1 for each feature that the model's trees split by, those that the
///                           round leaves out too; else 0
///   Add(learner, step, sample, read)  takes in the step, tells the monitor, and returns whether to
///                           go on; `read` says whose scores the next rounds read
///   grown()                 what it has, to go on from later
///   Finish()                the model
class GrowingSum {
 public:
  class Run {
   public:
    Run(const TrainingSet& training, Member start, double learning_rate, Monitor& monitor)
        : model_(std::move(start)),
          learning_rate_(learning_rate),
          monitor_(monitor),
          scores_(training, ScoresAfter(model_, training)),
          used_(training.data.n_features(), 0) {
      MarkUsed(model_, used_);
      monitor.Begin(model_);
    }

    void BringUpToDate(const RowSample& sample) { scores_.BringUpToDate(sample); }
    void BeginRound(const Rng& /*rng*/) {}
    [[nodiscard]] Span<const double> scores() const { return scores_.values(); }
    [[nodiscard]] std::vector<std::uint8_t> UsedFeatures() const { return used_; }

    /// @param learner  that made the step last
    template <class Learner>
    bool Add(const Learner& learner, Member step, const RowSample& sample, ScoresRead read) {
      for (Group& group : step.groups) group.weight *= learning_rate_;
      scores_.Add(learner, step, sample, read);
      MarkUsed(step, used_);
      Extend(model_, step);  // first, so that the model has the round whatever the monitor throws
      return monitor_.AfterRound(step);
    }

    /// So far.
    [[nodiscard]] const Member& model() const { return model_; }
    [[nodiscard]] GrownSoFar grown() const { return {{model_}}; }
    [[nodiscard]] Member Finish() { return std::move(model_); }

   private:
    Member model_;
    double learning_rate_;
    Monitor& monitor_;
    RunningScores scores_;
    std::vector<std::uint8_t> used_;
  };

  /// @param start  model that the first round corrects
  [[nodiscard]] static Run Start(const TrainingSet& training, Member start, double learning_rate,
                                 Monitor& monitor) {
    return {training, std::move(start), learning_rate, monitor};
  }
};

}  // namespace rankforest
