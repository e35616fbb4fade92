#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/coded_rows.hpp"
#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"

namespace rankforest::detail {

/// A node of 8 bytes, for trees of up to 256 leaves, in pre-order. A side, 0 for left and 1 for
/// right, that ends in a leaf leads back to the node: a walk that is there stays there and takes
/// the same side again, so it needs no test whether it has ended.
struct PackedNode {
  std::uint16_t column = 0;  ///< of codes
  std::int8_t code = 0;
  std::int8_t nan_right = 0;           ///< -1 or 0
  std::array<std::uint8_t, 2> steps;   ///< how far behind the node its children are; 0: a leaf
  std::array<std::uint8_t, 2> leaves;  ///< numbers in the tree, where steps are 0
};

/// The trees of BlendedTrees in a form to walk, for few documents. Walks of one document through
/// several trees advance in turns, so that their waits for memory overlap; and they advance by a
/// stretch of steps at a time, after which those that have ended make room. Trees that are grown
/// best first are far from balanced: most walks end early, but one in twelve is long. Leaves are
/// shared with the blends.
class PackedTrees {
 public:
  /// @param codes  of the trees to come
  PackedTrees(const RankCodes& codes, const WalkedFeatures& features) {
    for (std::uint32_t column = 0; column < codes.n_columns(); ++column) {
      feature_numbers_.push_back(features.NumberOf(codes.FeatureOf(column)));
    }
  }

  /// Takes the next tree that the blends take.
  void Add(const TwoWayTree& tree, const RankCodes& codes) {
    assert(BlendedTrees::CanHold(tree, codes));
    roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    if (tree.nodes.empty()) nodes_.push_back({0, 0, 0, {}, {}});  // both sides are leaf 0
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const TwoWayTree::Node& node = tree.nodes[n];
      const CodedThreshold found = codes.Find(node.feature, node.threshold);
      PackedNode packed{static_cast<std::uint16_t>(found.column),
                        found.code,
                        static_cast<std::int8_t>(node.nan_right ? -1 : 0),
                        {},
                        {}};
      for (const std::size_t side : {0U, 1U}) {
        const std::int32_t child = side == 0 ? node.left : node.right;
        (child < 0 ? packed.leaves : packed.steps)[side] =
            static_cast<std::uint8_t>(child < 0 ? ~child : child - static_cast<std::int32_t>(n));
      }
      nodes_.push_back(packed);
    }
  }

  void ShrinkToFit() {
    nodes_.shrink_to_fit();
    roots_.shrink_to_fit();
    feature_numbers_.shrink_to_fit();
  }
  [[nodiscard]] std::size_t n_bytes() const {
    return nodes_.capacity() * sizeof(PackedNode) + roots_.capacity() * sizeof(std::uint32_t) +
           feature_numbers_.capacity() * sizeof(std::uint32_t);
  }

  /// A tree to be walked step by step: see WalkedTrees::View. A place below the number of its
  /// nodes is a node, else, less that number, a leaf.
  class View {
   public:
    View(const PackedTrees& trees, std::size_t tree, const BlendedTrees& blended,
         const RankCodes& codes)
        : nodes_(trees.nodes_.data() + trees.roots_[tree]),
          n_nodes_(blended.ExtentOf(tree).n_nodes),
          leaves_(blended.leaves() + blended.ExtentOf(tree).first_leaf),
          feature_numbers_(trees.feature_numbers_.data()),
          codes_(codes) {}
    [[nodiscard]] bool IsLeaf(std::size_t place) const { return place >= n_nodes_; }
    [[nodiscard]] float ValueOf(std::size_t place) const { return leaves_[place - n_nodes_]; }
    [[nodiscard]] std::size_t FeatureOf(std::size_t place) const {
      return feature_numbers_[nodes_[place].column];
    }
    [[nodiscard]] std::size_t Next(std::size_t place, float x) const {
      const PackedNode& node = nodes_[place];
      const float threshold = codes_.ThresholdOf({node.column, node.code});
      const std::size_t side = x != x ? (node.nan_right != 0 ? 1 : 0) : (x > threshold ? 1 : 0);
      return node.steps[side] != 0 ? place + node.steps[side] : n_nodes_ + node.leaves[side];
    }

   private:
    const PackedNode* nodes_;
    std::size_t n_nodes_;
    const float* leaves_;
    const std::uint32_t* feature_numbers_;
    const RankCodes& codes_;
  };
  [[nodiscard]] View ViewOf(std::size_t tree, const BlendedTrees& blended,
                            const RankCodes& codes) const {
    return View(*this, tree, blended, codes);
  }

  /// Adds to scores[i] what the trees from `first` to `last` - 1, in order, give document i.
  void AddScores(std::size_t first, std::size_t last, const BlendedTrees& blended,
                 const CodedRows& rows, double* scores) const {
    // Some trees pass by all documents while their nodes are in the cache.
    for (std::size_t t = first; t < last; t += kTogether) {
      const std::size_t n_trees = std::min(kTogether, last - t);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].nans != nullptr) {
          AddTrees<true>(t, n_trees, blended, rows[i], scores[i]);
        } else {
          AddTrees<false>(t, n_trees, blended, rows[i], scores[i]);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kTogether = 256;  ///< trees that a document walks through in one go
  static constexpr std::size_t kStretch = 4;     ///< steps
  static constexpr std::size_t kFew = 4 * kWalks;  ///< walks that are not worth sorting

  using Places = std::array<const PackedNode*, kWalks>;

  /// Walks of a document through some trees, kTogether at most.
  struct Walks {
    /// Those that have not ended: the place among all nodes, and in the lowest 16 bits the tree.
    std::array<std::uint64_t, kTogether> under_way;
    std::size_t n_under_way = 0;
    std::array<std::uint8_t, kTogether> leaves;  ///< of each tree, where its walk has ended

    void GoOn(std::size_t place, std::size_t tree, bool ended) {
      under_way[n_under_way] = static_cast<std::uint64_t>(place) << kTreeBits | tree;
      n_under_way += ended ? 0 : 1;
    }
  };
  static constexpr unsigned kTreeBits = 16;
  static std::size_t PlaceOf(std::uint64_t walk) { return walk >> kTreeBits; }
  static std::size_t TreeOf(std::uint64_t walk) { return walk & ((1U << kTreeBits) - 1); }

  template <bool kNan>
  [[gnu::always_inline]] static std::size_t SideOf(const PackedNode& node, const CodedRow& row) {
    auto side = static_cast<std::size_t>(row.codes[node.column] > node.code);
    if constexpr (kNan)
      side |= static_cast<std::size_t>(row.nans[node.column] & node.nan_right & 1);
    return side;
  }

  /// Takes walks to the parents of leaves.
  template <bool kNan>
  [[gnu::always_inline]] static void Walk(std::size_t n, const CodedRow& row, Places& at) {
    std::uint32_t on_the_way = 1;
    while (on_the_way != 0) {
      // Two steps to a look: a walk that has ended stays.
      for (int twice = 0; twice < 2; ++twice) {
        on_the_way = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const std::uint32_t step = at[k]->steps[SideOf<kNan>(*at[k], row)];
          at[k] += step;
          on_the_way |= step;
        }
      }
    }
  }

  /// Takes kWalks walks further by a stretch. Those that have not ended then are under way.
  ///
  /// @param place_of, tree_of  of each walk
  template <bool kNan, class PlaceOfWalk, class TreeOfWalk>
  [[gnu::always_inline]] void GoFurther(const PlaceOfWalk& place_of, const TreeOfWalk& tree_of,
                                        const CodedRow& row, Walks& walks) const {
    Places at;
    for (std::size_t k = 0; k < kWalks; ++k) at[k] = nodes_.data() + place_of(k);
    for (std::size_t step = 1; step < kStretch; ++step) {
      for (std::size_t k = 0; k < kWalks; ++k) at[k] += at[k]->steps[SideOf<kNan>(*at[k], row)];
    }
    for (std::size_t k = 0; k < kWalks; ++k) {
      const std::size_t side = SideOf<kNan>(*at[k], row);
      const std::size_t step = at[k]->steps[side];
      const std::size_t tree = tree_of(k);
      walks.leaves[tree] = at[k]->leaves[side];  // if it has ended
      walks.GoOn(static_cast<std::size_t>(at[k] - nodes_.data()) + step, tree, step == 0);
    }
  }

  // The parts of a walk are compiled one by one, so that most places stay in registers.

  template <bool kNan>
  [[gnu::noinline]] void Begin(std::size_t first, std::size_t n, CodedRow row, Walks& walks) const {
    const std::uint32_t* roots = roots_.data() + first;
    std::size_t t = 0;
    for (; t + kWalks <= n; t += kWalks) {
      GoFurther<kNan>([&](std::size_t k) { return roots[t + k]; },
                      [&](std::size_t k) { return t + k; }, row, walks);
    }
    for (; t < n; ++t) walks.GoOn(roots[t], t, false);
  }

  template <bool kNan>
  [[gnu::noinline]] void Continue(CodedRow row, Walks& walks) const {
    const std::size_t n = walks.n_under_way;
    walks.n_under_way = 0;
    std::size_t w = 0;
    for (; w + kWalks <= n; w += kWalks) {
      std::array<std::uint64_t, kWalks> some;  // whose places are written over
      std::copy_n(walks.under_way.data() + w, kWalks, some.data());
      GoFurther<kNan>([&](std::size_t k) { return PlaceOf(some[k]); },
                      [&](std::size_t k) { return TreeOf(some[k]); }, row, walks);
    }
    for (; w < n; ++w) walks.under_way[walks.n_under_way++] = walks.under_way[w];
  }

  /// Takes n walks that are under way to their ends.
  template <bool kNan>
  [[gnu::always_inline]] void End(const std::uint64_t* under_way, std::size_t n,
                                  const CodedRow& row, Walks& walks) const {
    Places at;
    for (std::size_t k = 0; k < n; ++k) at[k] = nodes_.data() + PlaceOf(under_way[k]);
    Walk<kNan>(n, row, at);
    for (std::size_t k = 0; k < n; ++k) {
      walks.leaves[TreeOf(under_way[k])] = at[k]->leaves[SideOf<kNan>(*at[k], row)];
    }
  }

  template <bool kNan>
  [[gnu::noinline]] void EndAll(CodedRow row, Walks& walks) const {
    const std::uint64_t* walk = walks.under_way.data();
    std::size_t n = walks.n_under_way;
    for (; n >= kWalks; n -= kWalks, walk += kWalks) End<kNan>(walk, kWalks, row, walks);
    if (n > 0) End<kNan>(walk, n, row, walks);
  }

  /// Adds up to kTogether trees.
  template <bool kNan>
  void AddTrees(std::size_t first, std::size_t n, const BlendedTrees& blended, CodedRow row,
                double& score) const {
    Walks walks;
    Begin<kNan>(first, n, row, walks);
    while (walks.n_under_way > kFew) Continue<kNan>(row, walks);
    EndAll<kNan>(row, walks);
    double sum = score;
    for (std::size_t k = 0; k < n; ++k) {
      const float* leaves = blended.leaves() + blended.ExtentOf(first + k).first_leaf;
      sum += static_cast<double>(leaves[walks.leaves[k]]);
    }
    score = sum;
  }

  std::vector<PackedNode> nodes_;
  std::vector<std::uint32_t> roots_;            // of each tree, among all nodes
  std::vector<std::uint32_t> feature_numbers_;  // of each column
};

}  // namespace rankforest::detail
