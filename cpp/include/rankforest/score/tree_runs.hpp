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
  std::size_t first;          ///< number of the first among the trees of all members
  std::size_t first_of_kind;  ///< number among those that are blended, or among those that are not
  std::size_t n_trees;

  /// Those that are among the trees from `from` to `last` - 1.
  [[nodiscard]] TreeRun Between(std::size_t from, std::size_t last) const {
    const std::size_t end = std::min(last, first + n_trees);
    const std::size_t begin = std::min(std::max(from, first), end);
    return {blended, begin, first_of_kind + (begin - first), end - begin};
  }
};

/// A member of a compiled ensemble.
struct MemberRuns {
  double base = 0.0;
  std::vector<TreeRun> runs;

  /// Takes the next tree.
  void Append(bool blended, std::size_t number, std::size_t number_of_kind) {
    if (runs.empty() || runs.back().blended != blended) {
      runs.push_back({blended, number, number_of_kind, 0});
    }
    ++runs.back().n_trees;
  }
};

}  // namespace rankforest::detail
