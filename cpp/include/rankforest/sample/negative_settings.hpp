#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rankforest/core/math.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// Which negatives (documents of grade 0 or below) of a query boosting trains on. See
/// SelectNegatives.
enum class NegativeSelection : std::uint8_t {
  kTop = 0,           ///< those that the model so far scores highest (SelGB)
  kRandom = 1,        ///< any, drawn anew for each selection (NegSGB)
  kGradient = 2,      ///< those with the largest absolute gradients
  kMixed = 3,         ///< some of kTop, the others at random
  kAdaptive = 4,      ///< those of kTop, more of them where the query is hard
  kFixedRandom = 5,   ///< any, drawn once before training
  kFixedFeature = 6,  ///< those with the largest values of a feature
};

struct NegativeSettings {
  NegativeSelection selection = NegativeSelection::kTop;
  double fraction = 0.01;            ///< share of the negatives of each query, in (0, 1]
  std::uint32_t reselect_every = 1;  ///< rounds from one selection to the next, >= 1
  double top_share = 0.5;            ///< of kMixed: share of the highest scored ones, in [0, 1]
  std::optional<FeatureId> base_feature;  ///< of kFixedFeature, which needs one
};

/// How many of `n` a share in [0, 1] is: rounded up. A product that only rounding has lifted above
/// a whole number (0.07 of 100) is that number.
inline std::size_t ShareOf(double share, std::size_t n) {
  const double product = share * static_cast<double>(n);
  const double whole = std::floor(product + 0.5);
  const bool is_whole = whole >= 1.0 && std::abs(product - whole) <= 1e-12 * whole;
  return std::min(n, detail::Truncated<std::size_t>(is_whole ? whole : std::ceil(product)));
}

}  // namespace rankforest
