#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest {

/// The trees of all members and groups, in order.
inline std::vector<const Tree*> TreesIn(const Ensemble& ensemble) {
  std::vector<const Tree*> trees;
  for (const Member& member : ensemble.members) {
    for (const Group& group : member.groups) {
      for (const Tree& tree : group.trees) trees.push_back(&tree);
    }
  }
  return trees;
}

/// How many documents reach each leaf of a tree. One thread or many count the same.
///
/// @param n         documents
/// @param row_of    (i) -> const float*: the features of document i
/// @param times_of  (i) -> std::uint32_t: how often it counts
template <class RowOf, class TimesOf>
std::vector<std::uint32_t> CountLeaves(const Tree& tree, std::size_t n, const RowOf& row_of,
                                       const TimesOf& times_of, Threads threads) {
  constexpr std::size_t kChunk = 4096;
  const std::size_t n_chunks = (n + kChunk - 1) / kChunk;
  std::vector<std::vector<std::uint32_t>> of_workers(
      std::max<std::size_t>(1, WorkerCount(threads, n_chunks)),
      std::vector<std::uint32_t>(tree.leaves.size()));
  ParallelChunks(threads, n, kChunk, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    std::vector<std::uint32_t>& counts = of_workers[worker];
    for (std::size_t i = begin; i < end; ++i) {
      counts[tree.LeafOf(row_of(i))] += times_of(i);
    }
  });
  for (std::size_t w = 1; w < of_workers.size(); ++w) {
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      of_workers[0][leaf] += of_workers[w][leaf];
    }
  }
  return std::move(of_workers[0]);
}

/// The model with the counts of these documents in place of those of its training.
///
/// @param documents  with the columns of the model
inline Ensemble WithLeafCounts(Ensemble ensemble, const FeatureMatrix& documents, Threads threads) {
  const auto row_of = [&](std::size_t row) { return documents.Row(row); };
  const auto once = [](std::size_t /*row*/) { return std::uint32_t{1}; };
  for (Member& member : ensemble.members) {
    for (Group& group : member.groups) {
      for (Tree& tree : group.trees) {
        tree.counts = CountLeaves(tree, documents.n_rows, row_of, once, threads);
      }
    }
  }
  return ensemble;
}

/// Whether every tree of the model that has splits has counts.
inline bool HasLeafCounts(const Ensemble& ensemble) {
  const std::vector<const Tree*> trees = TreesIn(ensemble);
  return std::none_of(trees.begin(), trees.end(), [](const Tree* tree) {
    return tree->counts.empty() && !tree->nodes.empty();
  });
}

/// The leaf of each tree that each document falls into.
///
/// @param out  [document][tree]
inline void FindLeaves(const Ensemble& ensemble, const FeatureMatrix& documents, Threads threads,
                       Span<std::int32_t> out) {
  const std::vector<const Tree*> trees = TreesIn(ensemble);
  constexpr std::size_t kChunk = 256;  // whose features stay in the cache while trees pass by
  ParallelChunks(threads, documents.n_rows, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = 0; t < trees.size(); ++t) {
      for (std::size_t row = begin; row < end; ++row) {
        out[row * trees.size() + t] =
            static_cast<std::int32_t>(trees[t]->LeafOf(documents.Row(row)));
      }
    }
  });
}

}  // namespace rankforest
