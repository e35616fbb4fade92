#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
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

/// The documents that are not in a sample, ascending.
inline std::vector<RowId> RowsOutside(const RowSample& sample, std::size_t n_documents) {
  std::vector<RowId> outside;
  outside.reserve(n_documents - sample.rows.size());
  auto next = sample.rows.begin();
  for (RowId d = 0; d < n_documents; ++d) {
    if (next != sample.rows.end() && *next == d) {
      ++next;
    } else {
      outside.push_back(d);
    }
  }
  return outside;
}

/// The same as AddTrees for the documents that are not in a sample.
inline void AddTreesOutside(const RowSample& sample, Span<const Tree> trees, double tree_weight,
                            const Dataset& data, Threads threads, Span<double> scores) {
  if (sample.rows.size() == data.n_documents()) return;
  const std::vector<RowId> outside = RowsOutside(sample, data.n_documents());
  ParallelChunks(threads, outside.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (const Tree& tree : trees) {
      for (std::size_t i = begin; i < end; ++i) {
        const float value = tree.Value(data.Features(outside[i]));
        scores[outside[i]] += Group::Contribution(tree_weight, value);
      }
    }
  });
}

/// Adds a member's groups, not its base.
inline void AddGroups(const Member& member, const Dataset& data, Threads threads,
                      Span<double> scores) {
  for (const Group& group : member.groups) {
    AddTrees(group.trees, group.TreeWeight(), data, threads, scores);
  }
}

}  // namespace rankforest
