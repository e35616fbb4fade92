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

}  // namespace detail

/// Trains a recipe (see recipes.hpp) on all documents of a data set.
///
/// @param n_rounds  that the recipe was asked for
/// @throws std::invalid_argument  for data that the recipe or the watches cannot work with
template <class Recipe>
Trained Train(const Recipe& recipe, const Dataset& data, std::size_t n_rounds, RunOptions options) {
  detail::RequireColumns(options.monitor, data.n_features());
  const TrainingSet training(data, options.threads);
  Monitor monitor(std::move(options.monitor), options.threads, n_rounds);
  Ensemble ensemble;
  ensemble.n_features = static_cast<std::uint32_t>(data.n_features());
  ensemble.members.push_back(
      recipe.Train(training, WholeSample(data.n_documents()), Rng(options.seed), monitor));
  ensemble = Prefix(std::move(ensemble), monitor.RoundsToKeep());
  return {std::move(ensemble), monitor.history(), monitor.stopped_early()};
}

}  // namespace rankforest
