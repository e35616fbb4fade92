#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/train/monitor.hpp"

namespace rankforest {

struct RunOptions {
  std::uint64_t seed = 0;
  Threads threads;  ///< never changes the result
  MonitorSettings monitor;
  /// Of the same recipe with fewer rounds, on the same data: training goes on from it. No members:
  /// it starts afresh.
  Ensemble trained;
};

/// What a run made.
struct Trained {
  Ensemble ensemble;
  std::vector<RoundReport> history;  ///< of the evaluated rounds
  bool stopped_early = false;
};

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

/// Throws unless training of `n_rounds` rounds may go on from `trained`.
inline void RequireContinuable(const Ensemble& trained, std::size_t n_features,
                               std::size_t n_rounds) {
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

}  // namespace detail

/// Trains a recipe (see recipes.hpp) on all documents of a data set.
///
/// @param n_rounds  that the recipe was asked for; at least those of options.trained
/// @throws std::invalid_argument  for data that the recipe or the watches cannot work with
template <class Recipe>
Trained Train(const Recipe& recipe, const Dataset& data, std::size_t n_rounds, RunOptions options) {
  detail::RequireColumns(options.monitor, data.n_features());
  const TrainingSet training(data, options.threads);
  Monitor monitor(std::move(options.monitor), options.threads, n_rounds);
  Ensemble ensemble;
  ensemble.n_features = static_cast<std::uint32_t>(data.n_features());
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
  return {std::move(ensemble), monitor.history(), monitor.stopped_early()};
}

}  // namespace rankforest
