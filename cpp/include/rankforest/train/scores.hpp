#pragma once

#include <cstddef>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/reference.hpp"

namespace rankforest {

/// Adds the contributions of `trees`, in order, to the score of every document of a data set.
///
/// @param tree_weight  what leaf values are multiplied by
/// @param scores       by document, in canonical order
inline void AddTrees(Span<const Tree> trees, double tree_weight, const Dataset& data,
                     Threads threads, Span<double> scores) {
  const auto row_of = [&](std::size_t d) { return data.Features(static_cast<RowId>(d)); };
  AddContributions(trees, tree_weight, row_of, scores, threads);
}

/// Adds a member's groups, not its base.
inline void AddGroups(const Member& member, const Dataset& data, Threads threads,
                      Span<double> scores) {
  for (const Group& group : member.groups) {
    AddTrees(group.trees, group.TreeWeight(), data, threads, scores);
  }
}

}  // namespace rankforest
