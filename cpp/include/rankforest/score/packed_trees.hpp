#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"

namespace rankforest::detail {

/// A node of 8 bytes, for trees of up to 256 leaves and up to 8,191 features. A child is numbered
/// in the tree: below the number of its nodes a node, else, less that number, a leaf.
struct PackedNode {
  float threshold = 0.0F;
  std::uint32_t packed = 0;  ///< 9 bits of left, 9 of right, 1 of nan_right, 13 of feature

  static constexpr unsigned kChildBits = 9;
  static constexpr unsigned kNanShift = 2 * kChildBits;
  static constexpr unsigned kFeatureShift = kNanShift + 1;
  static constexpr std::uint32_t kChildMask = (1U << kChildBits) - 1;

  static bool CanHold(std::size_t n_features) { return n_features < (1U << (32 - kFeatureShift)); }

  [[nodiscard]] std::size_t feature() const { return packed >> kFeatureShift; }
  [[nodiscard]] std::uint32_t nan_right() const { return packed >> kNanShift & 1U; }
  [[nodiscard]] std::uint32_t Child(std::uint32_t right) const {
    return packed >> (right * kChildBits) & kChildMask;
  }
};

/// The trees of BlendedTrees in a form to walk, for few documents. Walks advance in turns, as
/// those of WalkedTrees do; leaves are shared with the blends, which have as many nodes.
class PackedTrees {
 public:
  /// Takes the next tree that the blends take.
  void Add(const TwoWayTree& tree, const WalkedFeatures& features) {
    assert(PackedNode::CanHold(features.ids().size()));
    const auto n_nodes = static_cast<std::uint32_t>(tree.nodes.size());
    const auto number_of = [&](std::int32_t child) {
      const auto number = static_cast<std::uint32_t>(child < 0 ? ~child : child);
      return child < 0 ? n_nodes + number : number;
    };
    if (!nodes_.empty()) nodes_.pop_back();
    for (const TwoWayTree::Node& node : tree.nodes) {
      nodes_.push_back(
          {node.threshold, features.NumberOf(node.feature) << PackedNode::kFeatureShift |
                               (node.nan_right ? 1U << PackedNode::kNanShift : 0U) |
                               number_of(node.right) << PackedNode::kChildBits |
                               number_of(node.left)});
    }
    nodes_.emplace_back();  // what a walk that has ended in the last tree looks at
  }

  void ShrinkToFit() { nodes_.shrink_to_fit(); }
  [[nodiscard]] std::size_t n_bytes() const { return nodes_.capacity() * sizeof(PackedNode); }

  /// A tree to be walked step by step: see WalkedTrees::View.
  class View {
   public:
    View(const PackedNode* nodes, std::uint32_t n_nodes, const float* leaves)
        : nodes_(nodes), n_nodes_(n_nodes), leaves_(leaves) {}
    [[nodiscard]] bool IsLeaf(std::size_t place) const { return place >= n_nodes_; }
    [[nodiscard]] float ValueOf(std::size_t place) const { return leaves_[place - n_nodes_]; }
    [[nodiscard]] std::size_t FeatureOf(std::size_t place) const { return nodes_[place].feature(); }
    [[nodiscard]] std::size_t Next(std::size_t place, float x) const {
      const PackedNode& node = nodes_[place];
      return node.Child(x != x ? node.nan_right() : (x > node.threshold ? 1U : 0U));
    }

   private:
    const PackedNode* nodes_;
    std::uint32_t n_nodes_;
    const float* leaves_;
  };
  [[nodiscard]] View ViewOf(std::size_t tree, const BlendedTrees& blended) const {
    const BlendedTrees::Extent extent = blended.ExtentOf(tree);
    return {nodes_.data() + extent.first_node, extent.n_nodes,
            blended.leaves() + extent.first_leaf};
  }

  /// Adds to scores[i] what the trees from `first` to `last` - 1, in order, give document i.
  void AddScores(std::size_t first, std::size_t last, const BlendedTrees& blended,
                 const WalkedRows& rows, double* scores) const {
    rows.has_nan() ? Add<true>(first, last, blended, rows, scores)
                   : Add<false>(first, last, blended, rows, scores);
  }

 private:
  /// Walks that advance in turns.
  struct Walks {
    std::array<const PackedNode*, kWalks> roots;
    std::array<std::uint32_t, kWalks> n_nodes;
    std::array<std::uint32_t, kWalks> at{};  // places in the trees
  };

  /// Takes walks to leaves. Walk k finds the value of feature f at
  /// values[f * kStride + (k where kStride > 1)].
  template <bool kNan, std::size_t kStride>
  [[gnu::always_inline]] static void Walk(const float* values, Walks& walks) {
    std::uint32_t on_the_way = 1;
    while (on_the_way != 0) {
      on_the_way = 0;
      for (std::size_t k = 0; k < kWalks; ++k) {
        const std::uint32_t at = walks.at[k];
        const std::uint32_t is_node = at < walks.n_nodes[k] ? 1U : 0U;
        const PackedNode node = walks.roots[k][std::min(at, walks.n_nodes[k])];
        const float x = values[node.feature() * kStride + (kStride > 1 ? k : 0)];
        auto right = static_cast<std::uint32_t>(x > node.threshold);
        if constexpr (kNan) right |= static_cast<std::uint32_t>(x != x) & node.nan_right();
        walks.at[k] = is_node != 0 ? node.Child(right) : at;
        on_the_way |= is_node;
      }
    }
  }

  template <bool kNan>
  void Add(std::size_t first, std::size_t last, const BlendedTrees& blended, const WalkedRows& rows,
           double* scores) const {
    for (std::size_t t = rows.n_groups() > 0 ? first : last; t < last; ++t) {
      const BlendedTrees::Extent extent = blended.ExtentOf(t);
      const float* leaves = blended.leaves() + extent.first_leaf;
      Walks walks;
      walks.roots.fill(nodes_.data() + extent.first_node);
      walks.n_nodes.fill(extent.n_nodes);
      for (std::size_t g = 0; g < rows.n_groups(); ++g) {
        walks.at.fill(0);
        Walk<kNan, kWalks>(rows.Group(g), walks);
        for (std::size_t k = 0; k < kWalks; ++k) {
          scores[g * kWalks + k] += static_cast<double>(leaves[walks.at[k] - extent.n_nodes]);
        }
      }
    }
    for (std::size_t i = rows.n_groups() * kWalks; i < rows.n_rows(); ++i) {
      AddTrees<kNan>(first, last, blended, rows.Single(i), scores[i]);
    }
  }

  /// One document, kWalks trees at a time.
  template <bool kNan>
  void AddTrees(std::size_t first, std::size_t last, const BlendedTrees& blended,
                const float* values, double& score) const {
    std::array<const float*, kWalks> leaves;
    for (std::size_t t = first; t < last; t += kWalks) {
      Walks walks;
      for (std::size_t k = 0; k < kWalks; ++k) {
        const BlendedTrees::Extent extent = blended.ExtentOf(std::min(t + k, last - 1));
        walks.roots[k] = nodes_.data() + extent.first_node;
        walks.n_nodes[k] = extent.n_nodes;
        leaves[k] = blended.leaves() + extent.first_leaf;
      }
      Walk<kNan, 1>(values, walks);
      for (std::size_t k = 0; k < kWalks && t + k < last; ++k) {
        score += static_cast<double>(leaves[k][walks.at[k] - walks.n_nodes[k]]);
      }
    }
  }

  std::vector<PackedNode> nodes_;  // of all trees, as many as blends, and one more
};

}  // namespace rankforest::detail
