#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/train/bag_training.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/ordinal.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/train/run_options.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

namespace detail {

/// Some grades as messages show them; of many the first ones.
inline std::string ShownGrades(const std::vector<double>& grades) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(grades.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + Shown(grades[i]);
  }
  return grades.size() > kMost ? text + ", ..." : text;
}

/// Throws unless a model told those grades apart that the training data has.
inline void RequireGradesOf(const std::optional<Ordinal>& trained,
                            const std::vector<double>& grades) {
  if (!trained.has_value()) {
    throw std::invalid_argument(
        "with ordinal=True training goes on from an ordinal model, and this one is none");
  }
  if (trained->grades == grades) return;
  throw std::invalid_argument(
      "with ordinal=True training goes on with the grades that the model was trained on, each of "
      "which but the highest is a problem of its own: these are " +
      ShownGrades(trained->grades) + ", and the training data has " + ShownGrades(grades) +
      "; drop what has other grades, or begin a new model");
}

/// The problems that training goes on from, as they were trained; none where it begins afresh.
///
/// @param ordinal  what the problems of this training are
inline std::vector<Member> ProblemsToContinue(const RunOptions& options, const Ordinal& ordinal,
                                              std::size_t n_features, std::size_t n_rounds) {
  const Ensemble& trained = options.trained;
  if (trained.members.empty()) return {};
  RequireGradesOf(options.trained_ordinal, ordinal.grades);
  if (options.trained_ordinal->parts.size() != ordinal.n_problems()) {
    throw std::invalid_argument(
        "with ordinal=True training goes on from one model, and this is a bag of several");
  }
  std::vector<Member> problems = ProblemsOf(trained, *options.trained_ordinal);
  for (const Member& problem : problems) {
    Ensemble alone;
    alone.n_features = trained.n_features;
    alone.members.push_back(problem);
    RequireContinuable(alone, n_features, n_rounds);
  }
  return problems;
}

/// Trains the models of a bag of ordinal models.
template <class Recipe>
class OrdinalModels {
 public:
  const std::size_t n_members;  ///< of each model

  /// @param problems  must outlive this
  explicit OrdinalModels(const OrdinalTraining<Recipe>& problems)
      : n_members(problems.grades().size() - 1), problems_(problems) {}

  void Prepare() const { problems_.Prepare(); }

  [[nodiscard]] BagModel Train(const RowSample& rows, const Rng& rng, Monitor& monitor) const {
    auto [members, score] = problems_.Train(rows, rng, monitor);
    Ordinal ordinal{problems_.grades(), {}};
    Ensemble model = EnsembleOf(std::move(members), score, 0, ordinal);
    return {std::move(model.members), std::move(ordinal.parts)};
  }

 private:
  const OrdinalTraining<Recipe>& problems_;
};

/// Throws unless a bag of ordinal models may grow from those of `options`; returns what it keeps of
/// their problems.
inline Ordinal PoolToContinue(const RunOptions& options, const std::vector<double>& grades) {
  if (options.trained.members.empty()) return {grades, {}};
  RequireGradesOf(options.trained_ordinal, grades);
  return *options.trained_ordinal;
}

}  // namespace detail

/// As Train(), by classification: see OrdinalTraining. The ensemble has a member for each problem.
///
/// @param options  with trained_ordinal where training goes on from a model
/// @throws std::invalid_argument  as Train(), and for grades that make no problems
template <class Recipe>
Trained TrainOrdinal(const Recipe& recipe, OrdinalScoring scoring, const Dataset& data,
                     std::size_t n_rounds, RunOptions options) {
  detail::RequireSomeWeight(data);
  detail::RequireColumns(options.monitor, data.n_features());
  detail::RequireInitialScores(options, data, false);
  if (options.feature_costs) Check(*options.feature_costs, data.n_features());
  if (options.constraints) Check(*options.constraints, data.n_features());
  const std::optional<FeatureCosts> costs = options.feature_costs;  // outlives the options
  const std::optional<FeatureConstraints> constraints = options.constraints;
  const TrainingSet training(data, options.threads, {}, costs ? &*costs : nullptr,
                             constraints ? &*constraints : nullptr);
  const OrdinalTraining<Recipe> problems(recipe, scoring, training);
  if (options.bag) {
    Ordinal pool = detail::PoolToContinue(options, problems.grades());
    return detail::TrainBag(detail::OrdinalModels<Recipe>(problems), training, n_rounds,
                            std::move(options), std::move(pool));
  }
  Ordinal ordinal{problems.grades(), {}};
  Monitor monitor(std::move(options.monitor), options.threads, n_rounds);
  detail::GoOnFromState(options, data.n_features(), ordinal.n_problems(), monitor);
  std::vector<Member> trained =
      monitor.is_restored()
          ? std::move(options.trained.members)
          : detail::ProblemsToContinue(options, ordinal, data.n_features(), n_rounds);
  problems.Prepare();
  auto [members, score] = problems.Train(WholeSample(data.n_documents()), Rng(options.seed),
                                         monitor, std::move(trained));
  Trained result{
      EnsembleOf(std::move(members), score, static_cast<std::uint32_t>(data.n_features()), ordinal),
      monitor.history(), monitor.stopped_early(), monitor.RoundsToKeep()};
  result.ordinal = std::move(ordinal);
  return result;
}

}  // namespace rankforest
