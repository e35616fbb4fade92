#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "rankforest/core/query_normalization.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/train/settings_check.hpp"
#include "rankforest/train/settings_fields.hpp"
#include "rankforest/tree/method.hpp"

// Parameters of the linear rankers and of RankBoost: defaults, names and ranges.

namespace rankforest {

/// What the linear rankers share.
struct LinearSettings {
  QueryNormalization query_normalization = QueryNormalization::kNone;
  /// Rounds without a better value after which training ends; then the best round is kept.
  std::optional<std::uint32_t> early_stopping_rounds;
  double min_delta = 0.0;  ///< of a better value, >= 0
};

struct RankSvmSettings {
  double cost = 1.0;  ///< C: of a pair's loss against |w|^2 / 2, > 0
  /// A step that would lower the objective by less than this share of it is the last one, >= 0.
  double tolerance = 1e-6;
  std::uint32_t max_iterations = 100;  ///< Newton steps, >= 1
  LinearSettings linear;
};

/// Which weights a search tries along a line: see line_search.hpp.
enum class LineSteps : std::uint8_t { kEven = 0, kDoubling = 1 };

struct CoordinateAscentSettings {
  Metric metric = Metric::Parse("ndcg@10");  ///< maximised
  std::uint32_t n_restarts = 5;              ///< starting points, >= 1
  std::uint32_t max_iterations = 25;         ///< passes from each, >= 1
  LineSteps steps = LineSteps::kDoubling;
  std::uint32_t n_points = 21;  ///< weights tried on a line, >= 2
  double window = 2.0;          ///< of the first pass, > 0; of even steps, as is `shrink`
  double shrink = 0.8;          ///< of the window after each pass, in (0, 1]
  double tolerance = 1e-4;      ///< a pass that gains less is the last one, >= 0
  LinearSettings linear;
};

struct AdaRankSettings {
  Metric metric = Metric::Parse("ndcg@10");  ///< of values from 0 to 1
  std::uint32_t n_estimators = 500;          ///< rounds, >= 1
  double tolerance = 1e-3;                   ///< of the training metric, >= 0
  std::uint32_t n_iter_no_change = 20;       ///< rounds without a gain above it, >= 1
  /// Rounds in a row that choose the same feature, after which it is out, >= 1. None: no limit.
  std::optional<std::uint32_t> max_repeats = 5;
  LinearSettings linear;
};

struct RankBoostSettings {
  std::uint32_t n_estimators = 300;  ///< rounds, >= 1
  /// Thresholds tried of each feature, >= 1. None: all.
  std::optional<std::uint32_t> n_thresholds;
  TreeMethod tree_method = TreeMethod::kAuto;  ///< which thresholds there are
  std::optional<std::uint32_t> early_stopping_rounds;
  double min_delta = 0.0;
};

inline constexpr EnumNames<QueryNormalization, 4> NamesOf(QueryNormalization /*tag*/) {
  return {{{"none", QueryNormalization::kNone},
           {"sum", QueryNormalization::kSum},
           {"minmax", QueryNormalization::kMinMax},
           {"zscore", QueryNormalization::kZScore}}};
}

inline constexpr EnumNames<LineSteps, 2> NamesOf(LineSteps /*tag*/) {
  return {{{"even", LineSteps::kEven}, {"doubling", LineSteps::kDoubling}}};
}

template <class Visitor>
void VisitFields(LinearSettings& settings, Visitor& visit) {
  visit("query_normalization", settings.query_normalization);
  visit("early_stopping_rounds", settings.early_stopping_rounds);
  visit("min_delta", settings.min_delta);
}

template <class Visitor>
void VisitFields(RankSvmSettings& settings, Visitor& visit) {
  visit("C", settings.cost);
  visit("tolerance", settings.tolerance);
  visit("max_iterations", settings.max_iterations);
  VisitFields(settings.linear, visit);
}

template <class Visitor>
void VisitFields(CoordinateAscentSettings& settings, Visitor& visit) {
  visit("metric", settings.metric);
  visit("n_restarts", settings.n_restarts);
  visit("max_iterations", settings.max_iterations);
  visit("steps", settings.steps);
  visit("n_points", settings.n_points);
  visit("window", settings.window);
  visit("shrink", settings.shrink);
  visit("tolerance", settings.tolerance);
  VisitFields(settings.linear, visit);
}

template <class Visitor>
void VisitFields(AdaRankSettings& settings, Visitor& visit) {
  visit("metric", settings.metric);
  visit("n_estimators", settings.n_estimators);
  visit("tolerance", settings.tolerance);
  visit("n_iter_no_change", settings.n_iter_no_change);
  visit("max_repeats", settings.max_repeats);
  VisitFields(settings.linear, visit);
}

template <class Visitor>
void VisitFields(RankBoostSettings& settings, Visitor& visit) {
  visit("n_estimators", settings.n_estimators);
  visit("n_thresholds", settings.n_thresholds);
  visit("tree_method", settings.tree_method);
  visit("early_stopping_rounds", settings.early_stopping_rounds);
  visit("min_delta", settings.min_delta);
}

// Check(settings) throws std::invalid_argument for the first parameter that is out of range.

namespace detail {

inline void CheckStopping(const std::optional<std::uint32_t>& rounds, double min_delta) {
  if (rounds) Require(*rounds >= 1, "early_stopping_rounds", ">= 1", *rounds);
  Require(min_delta >= 0.0, "min_delta", ">= 0", min_delta);
}

inline void CheckAtLeastOne(const char* name, std::uint32_t value) {
  Require(value >= 1, name, ">= 1", value);
}

inline void CheckTolerance(double tolerance) {
  Require(std::isfinite(tolerance) && tolerance >= 0.0, "tolerance", "finite and >= 0", tolerance);
}

}  // namespace detail

inline void Check(const LinearSettings& settings) {
  detail::CheckStopping(settings.early_stopping_rounds, settings.min_delta);
}

inline void Check(const RankSvmSettings& settings) {
  detail::Require(std::isfinite(settings.cost) && settings.cost > 0.0, "C", "finite and > 0",
                  settings.cost);
  detail::CheckTolerance(settings.tolerance);
  detail::CheckAtLeastOne("max_iterations", settings.max_iterations);
  Check(settings.linear);
}

inline void Check(const CoordinateAscentSettings& settings) {
  detail::CheckAtLeastOne("n_restarts", settings.n_restarts);
  detail::CheckAtLeastOne("max_iterations", settings.max_iterations);
  detail::Require(settings.n_points >= 2, "n_points", ">= 2", settings.n_points);
  detail::Require(std::isfinite(settings.window) && settings.window > 0.0, "window",
                  "finite and > 0", settings.window);
  detail::Require(settings.shrink > 0.0 && settings.shrink <= 1.0, "shrink", "in (0, 1]",
                  settings.shrink);
  detail::CheckTolerance(settings.tolerance);
  Check(settings.linear);
}

inline void Check(const AdaRankSettings& settings) {
  detail::CheckAtLeastOne("n_estimators", settings.n_estimators);
  detail::CheckTolerance(settings.tolerance);
  detail::CheckAtLeastOne("n_iter_no_change", settings.n_iter_no_change);
  if (settings.max_repeats) detail::CheckAtLeastOne("max_repeats", *settings.max_repeats);
  Check(settings.linear);
}

inline void Check(const RankBoostSettings& settings) {
  detail::CheckAtLeastOne("n_estimators", settings.n_estimators);
  if (settings.n_thresholds) detail::CheckAtLeastOne("n_thresholds", *settings.n_thresholds);
  detail::CheckStopping(settings.early_stopping_rounds, settings.min_delta);
}

}  // namespace rankforest
