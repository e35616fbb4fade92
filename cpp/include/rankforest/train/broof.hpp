#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/used_features.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/criterion/relevance.hpp"
#include "rankforest/sample/weighted_bootstrap.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/bag_predictions.hpp"
#include "rankforest/train/broof_answers.hpp"
#include "rankforest/train/broof_examples.hpp"
#include "rankforest/train/broof_iteration.hpp"
#include "rankforest/train/broof_parts.hpp"
#include "rankforest/train/broof_settings.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/training_state.hpp"
#include "rankforest/tree/grower.hpp"

namespace rankforest {

/// Boosting of random forests (Generalized BROOF-L2R, algorithm 1). Each iteration grows a forest
/// whose trees draw documents by their weights, with replacement. Out-of-bag predictions say how
/// wrong it is, what it counts, and what the next forest draws and learns. The model is the sum of
/// all trees.
///
/// Training ends with a forest whose mean error is 0.5 or more; it is left out, but for the first,
/// which then counts the learning rate. It also ends with one that has no error, which is kept, or
/// where no document has a prediction to measure an error on.
///
/// de Sá, Gonçalves, Sousa and Salles, "Generalized BROOF-L2R: a general framework for learning to
/// rank based on boosting and random forests", SIGIR 2016.
class Broof {
 public:
  /// @param parts     as PartsOf(settings), or others
  /// @param observer  may be empty
  Broof(const BroofSettings& settings, BroofParts parts, BroofObserver observer = {})
      : settings_(settings), parts_(std::move(parts)), observer_(std::move(observer)) {}
  explicit Broof(const BroofSettings& settings) : Broof(settings, PartsOf(settings)) {}

  void Prepare(const TrainingSet& training) const {
    [[maybe_unused]] const auto learner = Learner().Start(training);
  }

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                             Monitor& monitor) const {
    return Continue(training, rows, rng, monitor, {});
  }

  /// @param trained  whose forests are asked again what they said of the training data
  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& rows, const Rng& rng,
                                Monitor& monitor, Member trained) const {
    Growth growth(*this, training, rows, rng);
    for (std::vector<Tree>& forest : ForestsOf(std::move(trained))) {
      growth.Replay(std::move(forest));
    }
    monitor.Begin(growth.model());
    while (growth.Advance(monitor)) {
      monitor.BetweenRounds([&] { return GrownSoFar{{growth.model()}}; });
    }
    return growth.Finish();
  }

 private:
  using Forest = Bag<TreeGrower<>, WeightedBootstrap>;

  [[nodiscard]] Forest Learner() const {
    TreeSettings trees = settings_.trees;
    trees.limits.weightless_leaf = WeightlessLeaf::kParent;
    return {settings_.n_estimators,
            TreeGrower<>(trees.limits, trees.max_features,
                         Newton{trees.l2_regularization, trees.min_hessian}, trees.tree_method),
            WeightedBootstrap(settings_.subsample), settings_.cost_stage};
  }

  /// The trees of each iteration.
  static std::vector<std::vector<Tree>> ForestsOf(Member trained) {
    std::vector<std::vector<Tree>> forests;
    for (Group& group : trained.groups) {
      for (std::size_t t = 0; t < group.trees.size(); ++t) {
        if (t % group.trees_per_round == 0) forests.emplace_back();
        forests.back().push_back(std::move(group.trees[t]));
      }
    }
    return forests;
  }

  /// The model while it grows.
  class Growth {
   public:
    /// What is not taken by value must outlive this.
    Growth(const Broof& settings, const TrainingSet& training, const RowSample& rows,
           const Rng& rng)
        : settings_(settings),
          training_(training),
          rows_(rows),
          rng_(rng),
          learner_(settings.Learner().Start(training)),
          pairs_(training.data.n_documents()),
          used_(training.data.n_features(), 0),
          now_(training.data, rows, *Resolved(settings.settings_).learning_rate) {
      RequirePredictableGrades(training.data.grades(), Relevance::kGrade);
      now_.targets.resize(rows.rows.size());
      now_.targets = IdentityExamples()(now_);
      now_.weights = detail::AnsweredWeights(
          "initial_weights", settings.parts_.initial_weights(now_, rng.Child(Purpose::kWeights, 0)),
          rows.rows.size());
    }

    /// Grows the next forest, if one is left. Returns whether to go on.
    bool Advance(Monitor& monitor) {
      if (is_over_ || now_.number >= settings_.settings_.max_iter) return false;
      Member step = Judged(Grown());
      if (step.groups.empty()) return false;
      const bool goes_on = monitor.AfterRound(step);
      Extend(model_, std::move(step));
      return goes_on;
    }

    /// Takes in a forest that this would have grown next.
    void Replay(std::vector<Tree> forest) {
      const WeightedBootstrap sampler = Sampler();
      BagPredictions predictions(training_, rows_, forest.size());
      for (std::size_t t = 0; t < forest.size(); ++t) {
        const Rng tree_rng = IterationRng().Child(Purpose::kTree, t);
        predictions.NoteTree(forest[t], DrawForTree(sampler, training_.data, rows_, tree_rng), t);
        predictions.SumUp(t + 1);
      }
      TakeIn(predictions);
      Extend(model_, Judged(std::move(forest)));
    }

    [[nodiscard]] const Member& model() const { return model_; }
    [[nodiscard]] Member Finish() { return std::move(model_); }

   private:
    [[nodiscard]] Rng IterationRng() const { return rng_.Child(Purpose::kRound, now_.number); }
    [[nodiscard]] WeightedBootstrap Sampler() const {
      return {now_.weights, settings_.settings_.subsample};
    }

    /// The forest of the iteration, which tells what it predicts while it grows.
    std::vector<Tree> Grown() {
      const std::vector<double>& targets = now_.targets;
      const Span<const double> weights = training_.data.weights();
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const RowId row = rows_.rows[i];
        const double weight = weights.empty() ? 1.0 : weights[row];
        pairs_[row] = {-weight * targets[i], weight};
      }
      if (training_.counts_features()) learner_.SetPaid(used_);
      learner_.SetSampler(Sampler());
      const std::size_t n_trees = settings_.settings_.n_estimators;
      BagPredictions predictions(training_, rows_, n_trees);
      std::vector<Tree> trees;
      while (trees.size() < n_trees) {
        learner_.GrowStage(pairs_, rows_, IterationRng(), trees,
                           [&](const auto& learner, const RowSample& drawn, std::size_t number) {
                             predictions.Note(learner, drawn, number);
                           });
        predictions.SumUp(trees.size());
      }
      TakeIn(predictions);
      return trees;
    }

    void TakeIn(const BagPredictions& predictions) {
      now_.predictions.clear();  // of the iteration before
      now_.errors.clear();
      now_.error = now_.beta = now_.learner_weight = 0.0;
      now_.out_of_bag = predictions.OutOfBag();
      now_.of_all_trees = predictions.OfAllTrees();
    }

    /// Asks the extension points about a forest, and makes ready for the next one. Returns what the
    /// forest adds to the model: nothing where it is left out.
    Member Judged(std::vector<Tree> forest) {
      constexpr double kAny = -std::numeric_limits<double>::infinity();
      const BroofParts& parts = settings_.parts_;
      const std::size_t n = rows_.rows.size();
      now_.predictions =
          detail::Answered("validation_set", parts.validation_set(now_), n, kAny, true);
      now_.errors = detail::Answered("errors", parts.errors(now_), n, 0.0, true);
      now_.error = MeanError();
      const bool is_good = now_.error < 0.5;
      is_over_ = !is_good || now_.error == 0.0;
      now_.beta = 0.0;
      now_.learner_weight = now_.number == 0 ? now_.learning_rate : 0.0;
      if (is_good) {
        const BroofLearner learner = detail::Usable(parts.learner_weight(now_));
        now_.beta = learner.beta;
        now_.learner_weight = learner.weight;
      }
      if (settings_.observer_) settings_.observer_(now_);
      if (!is_good && now_.number > 0) return {};
      Member step = StepOf(std::move(forest));
      if (!is_over_) PrepareNext();
      ++now_.number;
      return step;
    }

    Member StepOf(std::vector<Tree> forest) {
      const double n_trees = static_cast<double>(forest.size());
      const auto per_round = static_cast<std::uint32_t>(forest.size());
      Member step;
      step.groups.push_back(
          {now_.learner_weight / n_trees, Reduction::kSum, per_round, std::move(forest)});
      MarkUsed(step, used_);
      return step;
    }

    void PrepareNext() {
      constexpr double kAny = -std::numeric_limits<double>::infinity();
      const BroofParts& parts = settings_.parts_;
      const std::size_t n = rows_.rows.size();
      std::vector<double> weights =
          detail::AnsweredWeights("example_weights", parts.example_weights(now_), n);
      now_.targets = detail::Answered("examples", parts.examples(now_), n, kAny, false);
      now_.weights = std::move(weights);
    }

    [[nodiscard]] double MeanError() const {
      const Span<const double> of_data = training_.data.weights();
      double sum = 0.0;
      double total = 0.0;
      for (std::size_t i = 0; i < now_.errors.size(); ++i) {
        if (std::isnan(now_.errors[i])) continue;
        const double of_document = of_data.empty() ? 1.0 : of_data[rows_.rows[i]];
        const double weight = now_.weights[i] * of_document;
        sum += weight * now_.errors[i];
        total += weight;
      }
      return total > 0.0 ? sum / total : std::numeric_limits<double>::quiet_NaN();
    }

    const Broof& settings_;
    const TrainingSet& training_;
    const RowSample& rows_;
    Rng rng_;
    Forest::Run learner_;
    std::vector<GradientPair> pairs_;
    std::vector<std::uint8_t> used_;  // features, by the trees so far
    BroofIteration now_;
    Member model_;
    bool is_over_ = false;
  };

  BroofSettings settings_;
  BroofParts parts_;
  BroofObserver observer_;
};

}  // namespace rankforest
