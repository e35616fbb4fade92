#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/two_way_tree.hpp"

namespace rankforest::detail {

// In an *oblivious* tree all leaves are equally deep, and all nodes of a level ask the same
// question. Leaves are numbered from left to right, so the answers, 1 for right, the root's first,
// are the binary digits of the leaf that a document reaches: one comparison for each level finds
// it, where other trees take one for each node.

/// The question of a level.
struct ObliviousLevel {
  std::uint16_t column;  ///< of codes
  std::int8_t code;
  std::int8_t nan_right;  ///< -1 or 0
};

/// Levels are answered so many at a time: a loop over single ones would keep leaf numbers in
/// memory.
inline constexpr std::size_t kLevelsAtOnce = 4;

/// The number of levels of an oblivious tree of 4 to 256 leaves; 0 for any other tree: one of two
/// leaves needs no levels. Node l is of level l, the one furthest to the left.
inline std::size_t ObliviousLevels(const TwoWayTree& tree) {
  std::size_t n_levels = 2;
  while (n_levels < 2 * kLevelsAtOnce && tree.leaves.size() >> n_levels > 1) ++n_levels;
  if (tree.leaves.size() != std::size_t{1} << n_levels) return 0;
  std::vector<std::size_t> levels(tree.nodes.size());  // of the nodes; children come later
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const TwoWayTree::Node& node = tree.nodes[n];
    const TwoWayTree::Node& first = tree.nodes[levels[n]];
    if (node.feature != first.feature || node.threshold != first.threshold ||
        node.nan_right != first.nan_right) {
      return 0;
    }
    for (const std::int32_t child : {node.left, node.right}) {
      if ((child < 0) != (levels[n] + 1 == n_levels)) return 0;
      if (child >= 0) levels[static_cast<std::size_t>(child)] = levels[n] + 1;
    }
  }
  return n_levels;
}

/// Appends the levels of an oblivious tree, and, in front of them, so many to which every answer is
/// left that there are kLevelsAtOnce or twice as many.
inline void AppendLevels(const TwoWayTree& tree, std::size_t n_levels, const RankCodes& codes,
                         std::vector<ObliviousLevel>& levels) {
  for (std::size_t l = n_levels; l % kLevelsAtOnce != 0; ++l) levels.push_back({0, 127, 0});
  for (std::size_t l = 0; l < n_levels; ++l) {
    const TwoWayTree::Node& node = tree.nodes[l];
    const CodedThreshold found = codes.Find(node.feature, node.threshold);
    levels.push_back({static_cast<std::uint16_t>(found.column), found.code,
                      static_cast<std::int8_t>(node.nan_right ? -1 : 0)});
  }
}

/// The answers of a block of documents at a level.
template <bool kNan>
class LevelAnswers {
 public:
  [[gnu::always_inline]] LevelAnswers(const ObliviousLevel& level, const BlockBytes* codes,
                                      const BlockBytes* nans)
      : codes_(codes[level.column].values.data()),
        nans_(kNan ? nans[level.column].values.data() : nullptr),
        level_(level) {}

  /// The leaf number of document j, from that of the levels above.
  [[gnu::always_inline]] std::uint8_t Append(std::uint8_t leaf, std::size_t j) const {
    auto right = static_cast<std::uint8_t>(codes_[j] > level_.code);
    if constexpr (kNan) right |= static_cast<std::uint8_t>(nans_[j] & level_.nan_right & 1);
    return static_cast<std::uint8_t>(leaf + leaf + right);
  }

 private:
  const std::int8_t* codes_;
  const std::int8_t* nans_;
  ObliviousLevel level_;
};

/// Appends the answers of kLevelsAtOnce levels to leaf numbers or, at the root, begins them.
template <bool kRoot, bool kNan>
[[gnu::always_inline]] inline void AppendAnswers(const ObliviousLevel* levels,
                                                 const BlockBytes* codes, const BlockBytes* nans,
                                                 std::int8_t* __restrict leaves) {
  const LevelAnswers<kNan> first(levels[0], codes, nans);
  const LevelAnswers<kNan> second(levels[1], codes, nans);
  const LevelAnswers<kNan> third(levels[2], codes, nans);
  const LevelAnswers<kNan> fourth(levels[3], codes, nans);
  for (std::size_t j = 0; j < kBlock; ++j) {
    const std::uint8_t above = kRoot ? 0 : static_cast<std::uint8_t>(leaves[j]);
    const std::uint8_t half = second.Append(first.Append(above, j), j);
    leaves[j] = static_cast<std::int8_t>(fourth.Append(third.Append(half, j), j));
  }
}

/// Sets the leaf that each document of a block reaches.
///
/// @param levels  as AppendLevels has left them
/// @param nans    read for kNan only
template <bool kNan>
[[gnu::always_inline]] inline void ReachLeaves(const ObliviousLevel* levels, std::size_t n_levels,
                                               const BlockBytes* codes, const BlockBytes* nans,
                                               BlockBytes& leaves) {
  AppendAnswers<true, kNan>(levels, codes, nans, leaves.values.data());
  if (n_levels > kLevelsAtOnce) {
    AppendAnswers<false, kNan>(levels + kLevelsAtOnce, codes, nans, leaves.values.data());
  }
}

}  // namespace rankforest::detail
