#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/metric/text.hpp"
#include "rankforest/train/bag_training.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/run_options.hpp"
#include "rankforest/train/settings_check.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

namespace detail {

/// Throws unless every watched set has the columns that splits may ask for.
inline void RequireColumns(const MonitorSettings& monitor, std::size_t n_features) {
  for (const Watch& watch : monitor.watches) {
    if (watch.data->n_features() >= n_features) continue;
    throw std::invalid_argument("'" + watch.name + "' must have the " + std::to_string(n_features) +
                                " features of the training data; it has " +
                                std::to_string(watch.data->n_features()));
  }
}

/// Whether a recipe can start from initial scores.
template <class Recipe, class = void>
struct TakesInitialScores : std::false_type {};
template <class Recipe>
struct TakesInitialScores<Recipe, std::enable_if_t<Recipe::kTakesInitialScores>> : std::true_type {
};

/// Throws unless the recipe can start from what initial scores there are.
inline void RequireInitialScores(const RunOptions& options, const Dataset& data, bool are_taken) {
  const auto require = [&](const std::vector<double>& scores, const Dataset& of) {
    if (scores.empty()) return;
    if (!are_taken) throw std::invalid_argument("only boosting starts from initial scores");
    if (scores.size() == of.n_documents()) return;
    throw std::invalid_argument("there must be an initial score for each of the " +
                                std::to_string(of.n_documents()) + " documents; there are " +
                                std::to_string(scores.size()));
  };
  require(options.initial_scores, data);
  for (const Watch& watch : options.monitor.watches) require(watch.initial_scores, *watch.data);
}

/// Throws unless a document has a weight that training can work with: products of far smaller ones
/// would be 0.
inline void RequireSomeWeight(const Dataset& data) {
  constexpr double kLeast = 1e-30;
  const Span<const double> weights = data.weights();
  if (weights.empty()) return;
  const double largest = *std::max_element(weights.begin(), weights.end());
  if (largest >= kLeast) return;
  throw std::invalid_argument(
      largest == 0.0 ? std::string("weights must not be 0 for every document that is trained on")
                     : "weights must not all be below 1e-30 to train; the largest is " +
                           NumberToString(largest) + ": multiply all of them by the same number");
}

/// Throws unless training of `n_rounds` rounds may go on from `trained`.
inline void RequireContinuable(const Ensemble& trained, std::size_t n_features,
                               std::size_t n_rounds) {
  if (!trained.is_sum() || trained.members.size() != 1) {
    throw std::invalid_argument(
        "training goes on from a model of one member; this one combines the scores of " +
        std::to_string(trained.members.size()));
  }
  if (trained.has_linear()) {
    throw std::invalid_argument("training goes on from trees alone; this model has a linear part");
  }
  if (trained.n_features != n_features) {
    throw std::invalid_argument("training goes on with the " + std::to_string(trained.n_features) +
                                " features that it began with; the data has " +
                                std::to_string(n_features));
  }
  if (trained.n_rounds() > n_rounds) {
    throw std::invalid_argument("training goes on from " + std::to_string(trained.n_rounds()) +
                                " rounds and must end with as many at least; it was asked for " +
                                std::to_string(n_rounds));
  }
}

/// Lets training go on from the state that it is resumed from, if it is.
///
/// @param n_members  of the model
/// @throws std::invalid_argument  if the state cannot be of this training
inline void GoOnFromState(RunOptions& options, std::size_t n_features, std::size_t n_members,
                          Monitor& monitor) {
  if (!options.resumed.has_value()) return;
  TrainingState& state = *options.resumed;
  if (state.grown.members.size() != n_members) {
    throw std::invalid_argument("training is resumed with " + std::to_string(n_members) +
                                " members; the state has " +
                                std::to_string(state.grown.members.size()));
  }
  monitor.Restore(state);
  options.trained = {};
  options.trained.n_features = static_cast<std::uint32_t>(n_features);
  options.trained.members = std::move(state.grown.members);
}

/// Throws unless a bag may grow from `pool`.
///
/// @param n_each  members of the pool that make one of the bag's
inline void RequireGrowable(const Ensemble& pool, std::size_t n_features, const BagSettings& bag,
                            std::size_t n_each) {
  if (pool.members.empty()) return;
  if (pool.n_features != n_features) {
    throw std::invalid_argument("training goes on with the " + std::to_string(pool.n_features) +
                                " features that it began with; the data has " +
                                std::to_string(n_features));
  }
  const std::size_t n_there = pool.members.size() / n_each;
  if (n_there > bag.n_bags) {
    throw std::invalid_argument("a bag grows from " + std::to_string(n_there) +
                                " members and must end with as many at least; it was asked for " +
                                std::to_string(bag.n_bags));
  }
}

/// Throws if a bag is to start from initial scores: members are combined without them.
inline void RequireNoInitialScores(const RunOptions& options) {
  const std::vector<Watch>& watches = options.monitor.watches;
  const bool has_any = !options.initial_scores.empty() ||
                       std::any_of(watches.begin(), watches.end(), [](const Watch& watch) {
                         return !watch.initial_scores.empty();
                       });
  if (has_any) throw std::invalid_argument("a bag does not start from initial scores");
}

/// Trains a bag.
///
/// @param models   see BagTraining
/// @param ordinal  of a bag of ordinal models: their grades, and the parts of those that there are
template <class Models>
Trained TrainBag(const Models& models, const TrainingSet& training, std::size_t n_rounds,
                 RunOptions options, std::optional<Ordinal> ordinal = std::nullopt) {
  Check(*options.bag);
  RequireNoInitialScores(options);
  if (options.resumed.has_value()) {
    options.trained.n_features = static_cast<std::uint32_t>(training.data.n_features());
    options.trained.members = std::move(options.resumed->grown.members);
    if (ordinal.has_value()) ordinal = options.resumed->ordinal;
  }
  RequireGrowable(options.trained, training.data.n_features(), *options.bag, models.n_members);
  Ensemble pool = std::move(options.trained);
  return BagTraining<Models>(models, training, n_rounds, options)
      .Run(std::move(pool), std::move(ordinal));
}

}  // namespace detail

/// Trains a recipe (see recipes.hpp) on all documents of a data set, or a bag of it.
///
/// @param n_rounds  that the recipe was asked for; at least those of options.trained, but for a bag
/// @throws std::invalid_argument  for data that the recipe or the watches cannot work with
template <class Recipe>
Trained Train(const Recipe& recipe, const Dataset& data, std::size_t n_rounds, RunOptions options) {
  detail::RequireSomeWeight(data);
  detail::RequireColumns(options.monitor, data.n_features());
  detail::RequireInitialScores(options, data, detail::TakesInitialScores<Recipe>::value);
  if (options.feature_costs) Check(*options.feature_costs, data.n_features());
  if (options.constraints) Check(*options.constraints, data.n_features());
  if (options.bag) {
    const std::optional<FeatureCosts> costs = options.feature_costs;  // outlive the options
    const std::optional<FeatureConstraints> constraints = options.constraints;
    const TrainingSet training(data, options.threads, {}, costs ? &*costs : nullptr,
                               constraints ? &*constraints : nullptr);
    return detail::TrainBag(ModelsOfRecipe<Recipe>(recipe, training), training, n_rounds,
                            std::move(options));
  }
  const TrainingSet training(data, options.threads, options.initial_scores, CostsOf(options),
                             ConstraintsOf(options));
  Monitor monitor(std::move(options.monitor), options.threads, n_rounds);
  Ensemble ensemble;
  ensemble.n_features = static_cast<std::uint32_t>(data.n_features());
  detail::GoOnFromState(options, data.n_features(), 1, monitor);
  const RowSample all = WholeSample(data.n_documents());
  const Rng rng(options.seed);
  if (options.trained.members.empty()) {
    ensemble.members.push_back(recipe.Train(training, all, rng, monitor));
  } else {
    detail::RequireContinuable(options.trained, data.n_features(), n_rounds);
    ensemble.members.push_back(
        recipe.Continue(training, all, rng, monitor, std::move(options.trained.members.front())));
  }
  ensemble = Prefix(std::move(ensemble), monitor.RoundsToKeep());
  return {std::move(ensemble), monitor.history(), monitor.stopped_early(), monitor.RoundsToKeep()};
}

}  // namespace rankforest
