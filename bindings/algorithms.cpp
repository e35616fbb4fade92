#include "algorithms.hpp"

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "broof_trainer.hpp"
#include "plain_trainers.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run_ordinal.hpp"
#include "rankforest/train/settings_check.hpp"
#include "rankforest/train/tree_weights.hpp"
#include "settings.hpp"
#include "train_unlocked.hpp"

namespace rankforest::bindings {
namespace {

/// Trains without the interpreter lock, by classification where the settings say so.
template <class Recipe>
Trained TrainMaybeOrdinal(const Recipe& recipe, const OrdinalSettings& ordinal, const Dataset& data,
                          std::size_t n_rounds, RunOptions options) {
  if (!ordinal.is_ordinal) return TrainUnlocked(recipe, data, n_rounds, std::move(options));
  const py::gil_scoped_release release;
  return TrainOrdinal(recipe, ordinal.scoring, data, n_rounds, std::move(options));
}

void RefuseObjective(const Callbacks& callbacks) {
  if (callbacks.objective) throw std::invalid_argument("this algorithm takes no objective");
}

void RefusePairWeights(const Callbacks& callbacks) {
  if (callbacks.pair_weights) throw std::invalid_argument("this algorithm weighs no pairs");
}

template <class Recipe>
Trained TrainForest(const Dataset& data, const ForestSettings& settings, const Recipe& recipe,
                    const Callbacks& callbacks, RunOptions options) {
  RefuseObjective(callbacks);
  RefusePairWeights(callbacks);
  Check(settings);
  const std::vector<Watch> watches = options.monitor.watches;
  const std::size_t weighing_watch = options.monitor.stopping_watch;
  const Threads threads = options.threads;
  const bool weighs = settings.tree_weights == TreeWeights::kExpectedNdcg;
  if (weighs && options.bag) {
    throw std::invalid_argument("tree_weights=\"expected_ndcg\" is not for members of a bag");
  }
  if (weighs && watches.empty()) {
    throw std::invalid_argument("tree_weights=\"expected_ndcg\" needs held-out queries to watch");
  }
  Trained trained = TrainMaybeOrdinal(recipe(settings), settings.ordinal, data,
                                      settings.n_estimators, std::move(options));
  if (weighs) {
    const py::gil_scoped_release release;
    trained.ensemble =
        WeighTrees(std::move(trained.ensemble), *watches[weighing_watch].data, threads);
  }
  return trained;
}

void StopEarly(const BoostSettings& settings, MonitorSettings& monitor) {
  monitor.early_stopping_rounds = settings.early_stopping_rounds;
  monitor.min_delta = settings.min_delta;
  monitor.overfit = settings.overfit;
}

/// One boosting loop for all objectives: AnyObjective is asked once per round.
Trained TrainBoosted(const Dataset& data, const BoostSettings& settings,
                     const AnyObjective& objective, RunOptions options) {
  StopEarly(settings, options.monitor);
  return TrainUnlocked(Boosted(settings, objective), data, settings.n_estimators,
                       std::move(options));
}

Trained TrainMart(const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
                  RunOptions options) {
  RefusePairWeights(callbacks);
  const MartSettings settings = FromDict(MartDefaults(), dict);
  Check(settings.boost);
  const auto& objective = callbacks.objective;
  if (objective) CheckWholeQueries(settings.boost.sample);
  if (settings.ordinal.is_ordinal) {
    RefuseObjective(callbacks);
    StopEarly(settings.boost, options.monitor);
    return TrainMaybeOrdinal(Mart(settings), settings.ordinal, data, settings.boost.n_estimators,
                             std::move(options));
  }
  return TrainBoosted(
      data, settings.boost,
      objective ? AnyObjective(*objective) : AnyObjective(SquaredError(settings.init)),
      std::move(options));
}

Trained TrainIgbrt(const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
                   RunOptions options) {
  RefuseObjective(callbacks);
  RefusePairWeights(callbacks);
  const IgbrtSettings settings = FromDict(IgbrtDefaults(), dict);
  Check(settings);
  StopEarly(settings.boost, options.monitor);
  const std::size_t n_rounds =
      std::size_t{settings.forest.n_estimators} + settings.boost.n_estimators;
  return TrainMaybeOrdinal(Igbrt(settings), settings.ordinal, data, n_rounds, std::move(options));
}

Trained TrainLambdaMart(const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
                        RunOptions options) {
  const LambdaMartSettings settings = FromDict(LambdaMartDefaults(), dict);
  Check(settings);
  if (callbacks.objective) {
    RefusePairWeights(callbacks);
    CheckWholeQueries(settings.boost.sample);
  }
  AnyObjective objective = callbacks.objective
                               ? AnyObjective(*callbacks.objective)
                               : RankingObjectiveOf(settings, callbacks.pair_weights);
  if (callbacks.positions) {
    objective = callbacks.positions->Wrapped(std::move(objective), settings.boost.learning_rate);
  }
  return TrainBoosted(data, settings.boost, objective, std::move(options));
}

Trained TrainSelGb(const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
                   RunOptions options) {
  RefuseObjective(callbacks);
  const SelGbSettings settings = FromDict(SelGbDefaults(), dict);
  Check(settings, data.n_features());
  const BoostSettings& boost = settings.lambdamart.boost;
  StopEarly(boost, options.monitor);
  return TrainUnlocked(SelGb(settings, callbacks.pair_weights), data, boost.n_estimators,
                       std::move(options));
}

/// @param defaults  of DART or of X-DART
Trained TrainDart(const DartSettings& defaults, const Dataset& data, const py::dict& dict,
                  const Callbacks& callbacks, RunOptions options) {
  const DartSettings settings = FromDict(defaults, dict);
  Check(settings);
  const BoostSettings& boost = settings.lambdamart.boost;
  if (callbacks.objective) {
    RefusePairWeights(callbacks);
    CheckWholeQueries(boost.sample);
  }
  StopEarly(boost, options.monitor);
  const auto recipe = BoostedWithDropout(
      boost, settings.drop,
      callbacks.objective ? AnyObjective(*callbacks.objective)
                          : RankingObjectiveOf(settings.lambdamart, callbacks.pair_weights));
  return TrainUnlocked(recipe, data, boost.n_estimators, std::move(options));
}

/// Without the functions that other algorithms call.
using Plain = Trained (*)(const Dataset&, const py::dict&, RunOptions);

template <Plain kTrain>
Trained TrainPlain(const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
                   RunOptions options) {
  RefuseObjective(callbacks);
  RefusePairWeights(callbacks);
  return kTrain(data, dict, std::move(options));
}

const std::vector<Algorithm>& Algorithms() {
  static const std::vector<Algorithm> algorithms = {
      {"random_forest", [] { return ToDict(RandomForestDefaults()); },
       [](const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
          RunOptions options) {
         return TrainForest(data, FromDict(RandomForestDefaults(), dict), &RandomForest, callbacks,
                            std::move(options));
       }},
      {"extra_trees", [] { return ToDict(ExtraTreesDefaults()); },
       [](const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
          RunOptions options) {
         const ForestSettings settings = FromDict(ExtraTreesDefaults(), dict);
         CheckRandomThresholds(settings);
         return TrainForest(data, settings, &ExtraTrees, callbacks, std::move(options));
       }},
      {"mart", [] { return ToDict(MartDefaults()); }, &TrainMart},
      {"igbrt", [] { return ToDict(IgbrtDefaults()); }, &TrainIgbrt},
      {"lambdamart", [] { return ToDict(LambdaMartDefaults()); }, &TrainLambdaMart, false, true},
      {"selgb", [] { return ToDict(SelGbDefaults()); }, &TrainSelGb},
      {"dart", [] { return ToDict(DartDefaults()); },
       [](const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
          RunOptions options) {
         return TrainDart(DartDefaults(), data, dict, callbacks, std::move(options));
       }},
      {"ranksvm", &RankSvmDefaults, &TrainPlain<&TrainRankSvm>},
      {"coordinate_ascent", &CoordinateAscentDefaults, &TrainPlain<&TrainCoordinateAscent>},
      {"adarank", &AdaRankDefaults, &TrainPlain<&TrainAdaRank>},
      {"rankboost", &RankBoostDefaults, &TrainPlain<&TrainRankBoost>},
      {"broof", &BroofDefaultSettings,
       [](const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
          RunOptions options) {
         RefuseObjective(callbacks);
         RefusePairWeights(callbacks);
         return TrainBroof(data, dict, callbacks.functions, std::move(options));
       },
       true},
      {"xdart", [] { return ToDict(XDartDefaults()); },
       [](const Dataset& data, const py::dict& dict, const Callbacks& callbacks,
          RunOptions options) {
         return TrainDart(XDartDefaults(), data, dict, callbacks, std::move(options));
       }},
  };
  return algorithms;
}

}  // namespace

const Algorithm& FindAlgorithm(const std::string& name) {
  std::string names;
  for (const Algorithm& algorithm : Algorithms()) {
    if (name == algorithm.name) return algorithm;
    names += names.empty() ? algorithm.name : std::string(", ") + algorithm.name;
  }
  throw std::invalid_argument("no algorithm is called '" + name + "'; there are " + names);
}

}  // namespace rankforest::bindings
