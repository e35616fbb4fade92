#include "plain_trainers.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "rankforest/train/ada_rank.hpp"
#include "rankforest/train/coordinate_ascent.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/rank_boost.hpp"
#include "rankforest/train/rank_svm.hpp"
#include "rankforest/train/run.hpp"
#include "settings.hpp"
#include "train_unlocked.hpp"

namespace rankforest::bindings {

namespace {

/// The settings of a dict, checked.
template <class Settings>
Settings CheckedSettings(const py::dict& dict) {
  Settings settings = FromDict(Settings(), dict);
  Check(settings);
  return settings;
}

template <class Settings>
void StopEarly(const Settings& settings, RunOptions& options) {
  options.monitor.early_stopping_rounds = settings.early_stopping_rounds;
  options.monitor.min_delta = settings.min_delta;
}

}  // namespace

py::dict RankSvmDefaults() { return ToDict(RankSvmSettings()); }
py::dict CoordinateAscentDefaults() { return ToDict(CoordinateAscentSettings()); }
py::dict AdaRankDefaults() { return ToDict(AdaRankSettings()); }
py::dict RankBoostDefaults() { return ToDict(RankBoostSettings()); }

Trained TrainRankSvm(const Dataset& data, const py::dict& dict, RunOptions options) {
  const auto settings = CheckedSettings<RankSvmSettings>(dict);
  StopEarly(settings.linear, options);
  RankSvmReport report;
  const bool is_one = !options.bag.has_value();
  Trained trained = TrainUnlocked(RankSvm(settings, is_one ? &report : nullptr), data,
                                  settings.max_iterations, std::move(options));
  if (is_one) {
    trained.figures = {{"objective", report.objective},
                       {"n_iterations", static_cast<double>(report.n_iterations)}};
  }
  return trained;
}

Trained TrainCoordinateAscent(const Dataset& data, const py::dict& dict, RunOptions options) {
  const auto settings = CheckedSettings<CoordinateAscentSettings>(dict);
  StopEarly(settings.linear, options);
  return TrainUnlocked(CoordinateAscent(settings), data,
                       std::size_t{settings.n_restarts} * settings.max_iterations,
                       std::move(options));
}

Trained TrainAdaRank(const Dataset& data, const py::dict& dict, RunOptions options) {
  const auto settings = CheckedSettings<AdaRankSettings>(dict);
  StopEarly(settings.linear, options);
  return TrainUnlocked(AdaRank(settings), data, settings.n_estimators, std::move(options));
}

Trained TrainRankBoost(const Dataset& data, const py::dict& dict, RunOptions options) {
  const auto settings = CheckedSettings<RankBoostSettings>(dict);
  StopEarly(settings, options);
  return TrainUnlocked(RankBoost(settings), data, settings.n_estimators, std::move(options));
}

}  // namespace rankforest::bindings
