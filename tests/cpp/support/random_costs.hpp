#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/split/feature_charges.hpp"

namespace rankforest::testing {

/// Costs of features, one by one or in groups, some of them 0: multiples of 1/8, so that what they
/// leave of exact gains is exact.
inline FeatureCosts RandomCosts(std::size_t n_features, Rng& rng) {
  FeatureCosts features;
  const bool in_groups = rng.Below(2) == 0;
  const std::uint32_t n_groups =
      in_groups ? 1 + rng.Below(3) : static_cast<std::uint32_t>(n_features);
  for (std::uint32_t g = 0; g < n_groups; ++g) features.costs.push_back(rng.Below(5) * 0.125);
  for (std::uint32_t f = 0; f < n_features; ++f) {
    features.group_of.push_back(in_groups ? rng.Below(n_groups) : f);
  }
  return features;
}

/// How much they count, where gains are about so large.
inline CostSettings RandomCostSettings(double gain, Rng& rng) {
  CostSettings settings;
  const bool is_relative = rng.Below(2) == 0;
  if (!is_relative) settings.normalization = CostNormalization::kNone;
  settings.weight = is_relative ? 0.02 * (1 + rng.Below(30)) : 0.25 * gain * (1 + rng.Below(8));
  return settings;
}

/// Some features that are paid, or none.
inline std::vector<std::uint8_t> RandomPaid(std::size_t n_features, Rng& rng) {
  std::vector<std::uint8_t> paid;
  if (rng.Below(2) == 0) return paid;
  for (std::size_t f = 0; f < n_features; ++f) paid.push_back(rng.Below(4) == 0 ? 1 : 0);
  return paid;
}

}  // namespace rankforest::testing
