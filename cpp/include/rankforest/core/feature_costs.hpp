#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// What it costs to compute the features of a data set, in any unit. Features of a *group* are
/// paid together: who has computed one of them has them all, as ten statistics of one field. A
/// feature that is paid alone is a group of its own.
struct FeatureCosts {
  std::vector<double> costs;            ///< of each group: finite, >= 0
  std::vector<std::uint32_t> group_of;  ///< of each feature

  /// Of features that are paid one by one.
  static FeatureCosts OneByOne(std::vector<double> costs) {
    FeatureCosts result;
    result.group_of.resize(costs.size());
    std::iota(result.group_of.begin(), result.group_of.end(), 0U);
    result.costs = std::move(costs);
    return result;
  }

  /// Of all features.
  [[nodiscard]] double Total() const { return std::accumulate(costs.begin(), costs.end(), 0.0); }
};

/// @throws std::invalid_argument  unless there is a group for each feature, and a cost for each
///                                group, finite and >= 0, with a finite sum
inline void Check(const FeatureCosts& features, std::size_t n_features) {
  if (features.group_of.size() != n_features) {
    throw std::invalid_argument("feature_costs must have a cost for each of the " +
                                std::to_string(n_features) + " features; it has " +
                                std::to_string(features.group_of.size()));
  }
  for (const std::uint32_t group : features.group_of) {
    if (group < features.costs.size()) continue;
    throw std::invalid_argument("feature_costs has a feature of group " + std::to_string(group) +
                                ", and costs of " + std::to_string(features.costs.size()) +
                                " groups");
  }
  for (const double cost : features.costs) {
    if (cost >= 0.0 && std::isfinite(cost)) continue;
    throw std::invalid_argument("feature_costs must be finite and >= 0, got " +
                                detail::Shown(cost));
  }
  if (std::isfinite(features.Total())) return;
  throw std::invalid_argument("feature_costs must have a finite sum");
}

}  // namespace rankforest
