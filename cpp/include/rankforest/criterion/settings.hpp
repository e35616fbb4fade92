#pragma once

#include <cstdint>

namespace rankforest {

/// By what a forest's trees choose a split.
enum class SplitCriterion : std::uint8_t {
  kSquaredError = 0,  ///< the drop in squared error: Newton
  kEntropy = 1,       ///< the drop in entropy of the grades: Entropy
  kRandom = 2,        ///< nothing: features and thresholds are drawn
};

}  // namespace rankforest
