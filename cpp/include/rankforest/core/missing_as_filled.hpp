#pragma once

#include <cassert>
#include <cstdint>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest {

// A model that was trained with some value in place of each missing one needs no scorer that knows
// these values: it is a model whose splits send NaN where they send the value of their feature. The
// two find the same leaves, so their scores are the same bits.

namespace detail {

/// Where a split sends what stands for a missing value.
inline std::int32_t ChildOfFilled(const Tree::Node& node, Span<const float> fill) {
  return fill[node.feature] <= node.threshold ? node.left : node.right;
}

/// Calls `visit(node)` for every split of a model.
template <class Model, class Visitor>
void ForEachSplit(Model& ensemble, const Visitor& visit) {
  for (auto& member : ensemble.members) {
    for (auto& group : member.groups) {
      for (auto& tree : group.trees) {
        for (auto& node : tree.nodes) visit(node);
      }
    }
  }
}

}  // namespace detail

/// Whether every split of a model already sends NaN where it sends the value in `fill`.
///
/// @param fill  one number for each feature, not NaN
inline bool SendsMissingAsFilled(const Ensemble& ensemble, Span<const float> fill) {
  assert(fill.size() == ensemble.n_features);
  bool all = true;
  detail::ForEachSplit(ensemble, [&](const Tree::Node& node) {
    all = all && node.missing == detail::ChildOfFilled(node, fill);
  });
  return all;
}

/// The same model with NaN sent where the value in `fill` goes. What its trees give for documents
/// with values in all features stays as it is.
///
/// @param ensemble  without third children for NaN, which no document could reach
/// @param fill      one number for each feature, not NaN
inline Ensemble MissingAsFilled(Ensemble ensemble, Span<const float> fill) {
  assert(fill.size() == ensemble.n_features);
  detail::ForEachSplit(ensemble, [&](Tree::Node& node) {
    assert(node.missing == node.left || node.missing == node.right);
    node.missing = detail::ChildOfFilled(node, fill);
  });
  return ensemble;
}

}  // namespace rankforest
