#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/ensemble.hpp"

namespace rankforest::detail {

/// Calls visit(tree, tree weight, number of its member) for every tree, in order.
template <class Visit>
void ForEachTree(const Ensemble& ensemble, const Visit& visit) {
  for (std::size_t j = 0; j < ensemble.members.size(); ++j) {
    for (const Group& group : ensemble.members[j].groups) {
      for (const Tree& tree : group.trees) visit(tree, group.TreeWeight(), j);
    }
  }
}

/// Consecutive trees of a member that are, or are not, blended.
struct TreeRun {
  bool blended;
  std::size_t first_walked;   ///< number among the trees of all members, which can all be walked
  std::size_t first_blended;  ///< number among those that are blended
  std::size_t n_trees;

  /// Those that are among the trees from `first` to `last` - 1.
  [[nodiscard]] TreeRun Between(std::size_t first, std::size_t last) const {
    const std::size_t end = std::min(last, first_walked + n_trees);
    const std::size_t begin = std::min(std::max(first, first_walked), end);
    return {blended, begin, first_blended + (begin - first_walked), end - begin};
  }
};

/// A member of a compiled ensemble.
struct MemberRuns {
  double base = 0.0;
  std::vector<TreeRun> runs;

  /// Takes the next tree.
  void Append(bool blended, std::size_t walked_id, std::size_t blended_id) {
    if (runs.empty() || runs.back().blended != blended) {
      runs.push_back({blended, walked_id, blended_id, 0});
    }
    ++runs.back().n_trees;
  }
};

}  // namespace rankforest::detail
