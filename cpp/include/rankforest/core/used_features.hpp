#pragma once

#include <cstdint>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest {

/// Marks the features that the splits of a tree ask for.
///
/// @param used  of each feature, 1 where it is marked
inline void MarkUsed(const Tree& tree, std::vector<std::uint8_t>& used) {
  for (const Tree::Node& node : tree.nodes) used[node.feature] = 1;
}

/// The same for all trees of a model.
inline void MarkUsed(const Member& model, std::vector<std::uint8_t>& used) {
  for (const Group& group : model.groups) {
    for (const Tree& tree : group.trees) MarkUsed(tree, used);
  }
}

}  // namespace rankforest
