#pragma once

#include <cstddef>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

/// Documents on one side of a ratio of gradient to hessian.
struct GradientSide {
  double ratio = 0.0;  ///< in the fit's units
  bool is_above = true;

  [[nodiscard]] bool Has(Newton::Target target) const {
    return (target.grad > ratio * target.hess) == is_above;
  }

  /// The side of the mean that fewer documents are on; of a document whose ratio is the mean, none
  /// is above.
  [[nodiscard]] static GradientSide Rarer(const NodeRows<Newton::Target>& node) {
    Newton::Stats all;
    for (const Newton::Target target : node.targets) all.Add(target, 1);
    if (all.hess == 0) return {};
    GradientSide side = {static_cast<double>(all.grad) / static_cast<double>(all.hess), true};
    std::size_t n_above = 0;
    for (const Newton::Target target : node.targets) n_above += side.Has(target) ? 1U : 0U;
    side.is_above = 2 * n_above <= node.size();
    return side;
  }
};

}  // namespace rankforest
