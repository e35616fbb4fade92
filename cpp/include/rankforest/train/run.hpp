#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
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

/// Trains a recipe (see recipes.hpp) on all documents of a data set.
///
/// @param n_rounds  that the recipe was asked for
template <class Recipe>
Trained Train(const Recipe& recipe, const Dataset& data, std::size_t n_rounds, RunOptions options) {
  const Presorted columns(data, options.threads);
  const TrainingSet training{data, columns, options.threads};
  Monitor monitor(std::move(options.monitor), options.threads, n_rounds);
  Ensemble ensemble;
  ensemble.n_features = static_cast<std::uint32_t>(data.n_features());
  ensemble.members.push_back(
      recipe.Train(training, WholeSample(data.n_documents()), Rng(options.seed), monitor));
  ensemble = Prefix(std::move(ensemble), monitor.RoundsToKeep());
  return {std::move(ensemble), monitor.history(), monitor.stopped_early()};
}

}  // namespace rankforest
