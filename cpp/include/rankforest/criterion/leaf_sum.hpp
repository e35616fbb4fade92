#pragma once

#include <cstdint>

#include "rankforest/criterion/fixed_point.hpp"

namespace rankforest {

/// The gradients and hessians of a leaf's documents, added up in the high resolution that leaf
/// values come from (ScalesFor(largest, LeafBits(n))). Growing and refitting share it: equal
/// documents give equal values, bit for bit.
struct LeafSum {
  std::int64_t grad = 0;
  std::int64_t hess = 0;

  void Add(const GradientScales& scales, const GradientPair& target, std::uint32_t times = 1) {
    grad += scales.grad.ToInteger(target.grad) * times;
    hess += scales.hess.ToInteger(target.hess) * times;
  }
  LeafSum& operator+=(const LeafSum& other) {
    grad += other.grad;
    hess += other.hess;
    return *this;
  }

  /// Whether no document says anything about the value of the leaf.
  [[nodiscard]] bool is_empty() const { return grad == 0 && hess == 0; }

  /// @param criterion  LeafValue(grad, hess)
  template <class Criterion>
  [[nodiscard]] double Value(const Criterion& criterion, const GradientScales& scales) const {
    return criterion.LeafValue(scales.grad.ToReal(grad), scales.hess.ToReal(hess));
  }
};

}  // namespace rankforest
