#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// How many of the M features of a data set a node draws, without replacement.
struct FeatureDraw {
  enum class Kind : std::uint8_t { kAll, kCount, kFraction, kSqrt, kLog2, kBreiman };

  Kind kind = Kind::kAll;
  double amount = 0.0;  ///< of kCount (>= 1) and kFraction (in (0, 1])

  /// The number of features drawn, from 1 to M. kBreiman is floor(log2 M) + 1 (Breiman, "Random
  /// forests", 2001). Throws std::invalid_argument where a count is larger than M.
  [[nodiscard]] std::size_t Count(std::size_t n_features) const {
    assert(n_features >= 1);
    std::size_t log2 = 0;
    while ((n_features >> (log2 + 1)) != 0) ++log2;
    switch (kind) {
      case Kind::kAll:
        return n_features;
      case Kind::kCount:
        return WithinData(detail::Truncated<std::size_t>(amount), n_features);
      case Kind::kFraction: {
        const double count = amount * static_cast<double>(n_features);
        return std::max<std::size_t>(1, detail::Truncated<std::size_t>(count));
      }
      case Kind::kSqrt:
        return FloorSqrt(n_features);
      case Kind::kLog2:
        return std::max<std::size_t>(1, log2);
      case Kind::kBreiman:
        return log2 + 1;
    }
    return n_features;
  }

 private:
  static std::size_t WithinData(std::size_t count, std::size_t n_features) {
    if (count > n_features) {
      throw std::invalid_argument("max_features is " + std::to_string(count) +
                                  ", but the data has " + std::to_string(n_features) + " features");
    }
    return count;
  }

  static std::size_t FloorSqrt(std::size_t n) {
    std::size_t root = 1;
    while ((root + 1) * (root + 1) <= n) ++root;
    return root;
  }
};

/// Fills `drawn` with the features that a node looks at, ascending.
inline void DrawFeatures(std::size_t count, std::size_t n_features, const Rng& node_rng,
                         std::vector<FeatureId>& drawn) {
  drawn = node_rng.Child(Purpose::kFeatures, 0)
              .Sample(static_cast<std::uint32_t>(n_features), static_cast<std::uint32_t>(count));
}

}  // namespace rankforest
