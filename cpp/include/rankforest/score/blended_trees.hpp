#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/detail/platform_tables.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/oblivious_tree.hpp"
#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/two_way_tree.hpp"

namespace rankforest::detail {

// Trees of up to 256 leaves, evaluated whole, from the bottom up, for a block of documents side by
// side. Of each node the kernel holds one byte per document, the number of the leaf that the
// document reaches if it comes to this node: a blend of the bytes of the two children by the
// comparison of the node. Nothing depends on data but the blends, so nothing is mispredicted, and
// memory is read in order. Oblivious trees take fewer comparisons and no blends
// (oblivious_tree.hpp).

/// Where the kernel keeps the bytes of nodes and leaves: slot k < 256 holds k for each document,
/// slot 256 + i belongs to the i-th node, in order of evaluation, of the tree at work.
class BlendSlots {
 public:
  static constexpr std::size_t kMostLeaves = 256;

  BlendSlots() : slots_(2 * kMostLeaves - 1) {
    for (std::size_t k = 0; k < kMostLeaves; ++k) {
      slots_[k].values.fill(static_cast<std::int8_t>(static_cast<int>(k) - 256 * (k > 127)));
    }
  }

  [[nodiscard]] BlockBytes* data() { return slots_.data(); }

 private:
  std::vector<BlockBytes> slots_;
};

/// The trees, one after the other, as lists of blends.
class BlendedTrees {
 public:
  [[nodiscard]] static bool CanHold(const TwoWayTree& tree, const RankCodes& codes) {
    return tree.leaves.size() <= BlendSlots::kMostLeaves &&
           codes.n_columns() <= std::numeric_limits<std::uint16_t>::max() / kPlacesOfBlock;
  }

  /// Takes a tree, for which CanHold must be true, behind those before it; fewer than 2^32 nodes
  /// in all. Returns how many comparisons it takes for a block.
  std::size_t Add(const TwoWayTree& tree, const RankCodes& codes) {
    assert(CanHold(tree, codes));
    const std::size_t n_levels = ObliviousLevels(tree);
    n_levels == 0 ? AddBlends(tree, codes) : AddLevels(tree, n_levels, codes);
    leaves_.insert(leaves_.end(), tree.leaves.begin(), tree.leaves.end());
    return n_levels == 0 ? tree.nodes.size() : n_levels;
  }

  [[nodiscard]] std::size_t size() const { return programs_.size(); }

  /// Where the leaves of a tree are among those of all, and the number of its nodes.
  struct Extent {
    std::uint32_t first_leaf;
    std::uint32_t n_nodes;
  };
  [[nodiscard]] Extent ExtentOf(std::size_t tree) const {
    const Program& program = programs_[tree];
    return {program.first_leaf, program.n_nodes};
  }
  /// Of all trees, those of each from left to right.
  [[nodiscard]] const float* leaves() const { return leaves_.data(); }

  void ShrinkToFit() {
    nodes_.shrink_to_fit();
    levels_.shrink_to_fit();
    leaves_.shrink_to_fit();
    programs_.shrink_to_fit();
  }
  [[nodiscard]] std::size_t n_bytes() const {
    return nodes_.capacity() * sizeof(Node) + levels_.capacity() * sizeof(ObliviousLevel) +
           leaves_.capacity() * sizeof(float) + programs_.capacity() * sizeof(Program);
  }

  /// Adds to scores[j] what the trees from `first` to `last` - 1, in order, give document j of a
  /// block; to be inlined where code is for `isa`.
  ///
  /// @param nans    null where no value of the block is NaN
  /// @param scores  kBlock of them
  [[gnu::always_inline]] void AddScores(Isa isa, std::size_t first, std::size_t last,
                                        const BlockBytes* codes, const BlockBytes* nans,
                                        BlockBytes* slots, double* scores) const {
    nans == nullptr ? Add<false>(isa, first, last, codes, nans, slots, scores)
                    : Add<true>(isa, first, last, codes, nans, slots, scores);
  }

 private:
  /// Where a block of bytes begins, in units of 8 bytes, which are what addresses of processors
  /// can be scaled by.
  using Place = std::uint16_t;
  static constexpr std::size_t kPlacesOfBlock = sizeof(BlockBytes) / 8;

  static Place PlaceOf(std::size_t block) { return static_cast<Place>(block * kPlacesOfBlock); }

  template <class Blocks>
  [[gnu::always_inline]] static auto* At(Blocks* blocks, Place place) {
    return blocks->values.data() + 8 * std::size_t{place};
  }

  struct Node {
    Place column;  // of codes
    Place left;    // of slots
    Place right;
    std::int8_t code;
    std::int8_t nan_right;  // -1 or 0
  };

  /// First come the pairs, nodes with two leaves, whose numbers follow each other. An oblivious
  /// tree has levels instead.
  struct Program {
    std::uint32_t first_node;  // or level
    std::uint32_t first_leaf;
    std::uint8_t n_pairs;
    std::uint8_t n_levels;
    std::uint16_t n_nodes;  // of the tree
  };

  void AddBlends(const TwoWayTree& tree, const RankCodes& codes) {
    std::vector<std::size_t> slots(tree.nodes.size());
    const auto slot_of = [&](std::int32_t child) {
      return child < 0 ? static_cast<std::size_t>(~child) : slots[static_cast<std::size_t>(child)];
    };
    Program program{static_cast<std::uint32_t>(nodes_.size()),
                    static_cast<std::uint32_t>(leaves_.size()), 0, 0, 0};
    for (const std::uint32_t n : FromTheBottom(tree, program.n_pairs)) {
      const TwoWayTree::Node& node = tree.nodes[n];
      const CodedThreshold found = codes.Find(node.feature, node.threshold);
      slots[n] = BlendSlots::kMostLeaves + program.n_nodes++;
      nodes_.push_back({PlaceOf(found.column), PlaceOf(slot_of(node.left)),
                        PlaceOf(slot_of(node.right)), found.code,
                        static_cast<std::int8_t>(node.nan_right ? -1 : 0)});
    }
    programs_.push_back(program);
  }

  void AddLevels(const TwoWayTree& tree, std::size_t n_levels, const RankCodes& codes) {
    programs_.push_back(
        {static_cast<std::uint32_t>(levels_.size()), static_cast<std::uint32_t>(leaves_.size()), 0,
         static_cast<std::uint8_t>(n_levels), static_cast<std::uint16_t>(tree.nodes.size())});
    AppendLevels(tree, n_levels, codes, levels_);
  }

  /// The nodes by their height: neighbours do not wait for each other. Those of height 1 are the
  /// pairs.
  static std::vector<std::uint32_t> FromTheBottom(const TwoWayTree& tree, std::uint8_t& n_pairs) {
    std::vector<std::uint32_t> heights(tree.nodes.size());
    const auto height_of = [&](std::int32_t child) {
      return child < 0 ? 0U : heights[static_cast<std::size_t>(child)];
    };
    for (std::size_t n = heights.size(); n-- > 0;) {
      heights[n] = 1 + std::max(height_of(tree.nodes[n].left), height_of(tree.nodes[n].right));
    }
    std::vector<std::uint32_t> order(heights.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return heights[a] < heights[b]; });
    n_pairs = static_cast<std::uint8_t>(std::count(heights.begin(), heights.end(), 1U));
    return order;
  }

  static constexpr std::size_t kTogether = 8;  ///< trees whose leaves are added in one go

  template <bool kNan>
  [[gnu::always_inline]] void Add(Isa isa, std::size_t first, std::size_t last,
                                  const BlockBytes* codes, const BlockBytes* nans,
                                  BlockBytes* slots, double* scores) const {
    std::array<BlockBytes, kTogether> reached;
    std::size_t t = first;
    for (; t + kTogether <= last; t += kTogether) {
      for (std::size_t k = 0; k < kTogether; ++k) {
        Evaluate<kNan>(programs_[t + k], codes, nans, slots, reached[k]);
      }
      AddLeaves<kTogether>(isa, t, reached.data(), scores);
    }
    for (; t < last; ++t) {
      Evaluate<kNan>(programs_[t], codes, nans, slots, reached[0]);
      AddLeaves<1>(isa, t, reached.data(), scores);
    }
  }

  template <std::size_t kTrees>
  [[gnu::always_inline]] void AddLeaves(Isa isa, std::size_t first, const BlockBytes* reached,
                                        double* scores) const {
    static_assert(kBlock == kTableSums && sizeof(BlockBytes) == kBlock);
    const std::int8_t* bytes = reached->values.data();
    if (isa == Isa::kAvx512 && FitRegisters(first, first + kTrees)) {
      AddFromTablesAvx512(LeafTables<kTrees>(first), bytes, scores);
    } else {
      AddFromTables(LeafTables<kTrees>(first), bytes, scores);
    }
  }

  [[nodiscard]] bool FitRegisters(std::size_t first, std::size_t last) const {
    return std::all_of(programs_.data() + first, programs_.data() + last,
                       [](const Program& p) { return p.n_nodes < kMostInRegisters; });
  }

  template <std::size_t kTrees>
  [[gnu::always_inline]] std::array<FloatTable, kTrees> LeafTables(std::size_t first) const {
    std::array<FloatTable, kTrees> tables;
    for (std::size_t k = 0; k < kTrees; ++k) {
      const Program& program = programs_[first + k];
      tables[k] = {leaves_.data() + program.first_leaf, program.n_nodes + std::size_t{1}};
    }
    return tables;
  }

  /// Sets the leaf that each document reaches.
  template <bool kNan>
  [[gnu::always_inline]] void Evaluate(Program program, const BlockBytes* codes,
                                       const BlockBytes* nans, BlockBytes* slots,
                                       BlockBytes& reached) const {
    if (program.n_levels != 0) {
      ReachLeaves<kNan>(levels_.data() + program.first_node, program.n_levels, codes, nans,
                        reached);
      return;
    }
    if (program.n_nodes == 0) {
      reached = slots[0];
      return;
    }
    const Node* node = nodes_.data() + program.first_node;
    const Node* const blends = node + program.n_pairs;
    const Node* const end = node + program.n_nodes;
    BlockBytes* result = slots + BlendSlots::kMostLeaves;
    for (; node != blends; ++node, ++result) {
      const auto leaf = static_cast<std::uint8_t>(node->left / kPlacesOfBlock);
      Pair<kNan>(leaf, node->code, node->nan_right, At(codes, node->column),
                 kNan ? At(nans, node->column) : nullptr, result->values.data());
    }
    for (; node != end; ++node, ++result) {
      Blend<kNan>(node->code, node->nan_right, At(codes, node->column),
                  kNan ? At(nans, node->column) : nullptr, At(slots, node->left),
                  At(slots, node->right), result->values.data());
    }
    reached = result[-1];
  }

  template <bool kNan>
  [[gnu::always_inline]] static void Pair(std::uint8_t leaf, std::int8_t threshold,
                                          std::int8_t nan_right, const std::int8_t* __restrict code,
                                          const std::int8_t* __restrict nan,
                                          std::int8_t* __restrict result) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      auto right = static_cast<std::uint8_t>(code[j] > threshold);
      if constexpr (kNan) right |= static_cast<std::uint8_t>(nan[j] & nan_right & 1);
      result[j] = static_cast<std::int8_t>(static_cast<std::uint8_t>(leaf + right));
    }
  }

  template <bool kNan>
  [[gnu::always_inline]] static void Blend(std::int8_t threshold, std::int8_t nan_right,
                                           const std::int8_t* __restrict code,
                                           const std::int8_t* __restrict nan,
                                           const std::int8_t* __restrict left,
                                           const std::int8_t* __restrict right,
                                           std::int8_t* __restrict result) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      const std::int8_t if_left = left[j];
      const std::int8_t if_right = right[j];
      bool is_right = code[j] > threshold;
      if constexpr (kNan) is_right = is_right | ((nan[j] & nan_right) != 0);
      result[j] = is_right ? if_right : if_left;
    }
  }

  std::vector<Node> nodes_;
  std::vector<ObliviousLevel> levels_;
  std::vector<float> leaves_;
  std::vector<Program> programs_;
};

}  // namespace rankforest::detail
