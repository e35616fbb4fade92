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
/// several trees advance in turns, so that their waits for memory overlap. Leaves are shared with
/// the blends.
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
    for (std::size_t t = first; t < last; t += kWalks) {
      const std::size_t n_trees = std::min(kWalks, last - t);
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
  using Places = std::array<const PackedNode*, kWalks>;

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

  template <bool kNan>
  [[gnu::always_inline]] void AddSome(std::size_t first, std::size_t n, const BlendedTrees& blended,
                                      CodedRow row, double& score) const {
    Places at;
    for (std::size_t k = 0; k < n; ++k) at[k] = nodes_.data() + roots_[first + k];
    Walk<kNan>(n, row, at);
    for (std::size_t k = 0; k < n; ++k) {
      const float* leaves = blended.leaves() + blended.ExtentOf(first + k).first_leaf;
      score += static_cast<double>(leaves[at[k]->leaves[SideOf<kNan>(*at[k], row)]]);
    }
  }

  /// Adds up to kWalks trees. Compiled apart from its loops, so that most places stay in registers.
  template <bool kNan>
  [[gnu::noinline]] void AddTrees(std::size_t first, std::size_t n, const BlendedTrees& blended,
                                  CodedRow row, double& score) const {
    double sum = score;
    if (n == kWalks) {
      AddSome<kNan>(first, kWalks, blended, row, sum);
    } else {
      AddSome<kNan>(first, n, blended, row, sum);
    }
    score = sum;
  }

  std::vector<PackedNode> nodes_;
  std::vector<std::uint32_t> roots_;            // of each tree, among all nodes
  std::vector<std::uint32_t> feature_numbers_;  // of each column
};

}  // namespace rankforest::detail
