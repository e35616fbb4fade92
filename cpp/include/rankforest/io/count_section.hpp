#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/leaf_counts.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section of the documents that training counted in leaves, with the notation of
// ensemble_sections.hpp:
//
//   CNTS  u64 n_trees; then, for each tree: u32 its number of leaves, or 0 where it has no counts,
//         and so many u32, the documents of each leaf
//
// It is not critical: scores do not depend on it. It is written where any tree has counts.

/// Whether a model has anything for the section to say.
inline bool HasAnyCounts(const Ensemble& ensemble) {
  for (const Tree* tree : TreesIn(ensemble)) {
    if (!tree->counts.empty()) return true;
  }
  return false;
}

inline Bytes EncodeCounts(const Ensemble& ensemble) {
  const std::vector<const Tree*> trees = TreesIn(ensemble);
  ByteWriter out;
  out.Put(std::uint64_t{trees.size()});
  for (const Tree* tree : trees) {
    out.Put(static_cast<std::uint32_t>(tree->counts.size()));
    for (const std::uint32_t count : tree->counts) out.Put(count);
  }
  return std::move(out).Take();
}

/// Gives the trees of a model the counts that the section holds. Throws std::invalid_argument
/// unless they are of such trees.
inline void DecodeCounts(ByteView bytes, Ensemble& ensemble) {
  ByteReader in("section CNTS", bytes);
  const auto n_trees = in.Get<std::uint64_t>();
  if (n_trees != ensemble.n_trees()) {
    throw std::invalid_argument("section CNTS has counts of " + std::to_string(n_trees) +
                                " trees, the model has " + std::to_string(ensemble.n_trees()));
  }
  for (Member& member : ensemble.members) {
    for (Group& group : member.groups) {
      for (Tree& tree : group.trees) {
        ByteReader counts("section CNTS", in.Take(in.Get<std::uint32_t>(), 4));
        tree.counts.clear();
        while (!counts.at_end()) tree.counts.push_back(counts.Get<std::uint32_t>());
        tree.counts.shrink_to_fit();
      }
    }
  }
  in.RequireEnd();
}

}  // namespace rankforest
