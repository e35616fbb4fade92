#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/two_way_tree.hpp"

namespace rankforest::detail {

// Trees of any size, walked from split to split. A walk waits for memory at every step, so several
// walks advance in turns and their waits overlap: of several documents through one tree, or of one
// document through several trees. A step has no branch that depends on data.
//
// The entries of a tree are its nodes and leaves in pre-order: the left child of a node is the
// next entry. A walk that has reached a leaf stays there.

/// 8 bytes: for up to 1,024 features and trees of up to 2^21 entries.
struct NarrowEntry {
  float value;           ///< threshold of a node; what a leaf adds to a score
  std::uint32_t packed;  ///< 21 bits of offset, 1 of nan_right, 10 of feature; 0 for a leaf

  static constexpr unsigned kOffsetBits = 21;
  static constexpr unsigned kFeatureShift = kOffsetBits + 1;
  static constexpr std::uint32_t kOffsetMask = (1U << kOffsetBits) - 1;

  static bool CanHold(FeatureId feature, std::size_t n_entries) {
    return feature < (1U << (32 - kFeatureShift)) && n_entries <= kOffsetMask;
  }
  static NarrowEntry Node(const TwoWayTree::Node& node, std::size_t offset) {
    return {node.threshold, (node.feature << kFeatureShift) |
                                (static_cast<std::uint32_t>(node.nan_right) << kOffsetBits) |
                                static_cast<std::uint32_t>(offset)};
  }
  static NarrowEntry Leaf(float value) { return {value, 0}; }

  [[nodiscard]] std::size_t feature() const { return packed >> kFeatureShift; }
  /// How far away the right child is; 0 for a leaf.
  [[nodiscard]] std::size_t offset() const { return packed & kOffsetMask; }
  [[nodiscard]] bool nan_right() const { return (packed >> kOffsetBits & 1U) != 0; }
};

/// 16 bytes, for everything else.
struct WideEntry {
  float value;
  FeatureId feature_id;
  std::uint32_t right;
  std::uint32_t is_nan_right;

  static WideEntry Node(const TwoWayTree::Node& node, std::size_t offset) {
    return {node.threshold, node.feature, static_cast<std::uint32_t>(offset),
            node.nan_right ? 1U : 0U};
  }
  static WideEntry Leaf(float value) { return {value, 0, 0, 0}; }

  [[nodiscard]] std::size_t feature() const { return feature_id; }
  [[nodiscard]] std::size_t offset() const { return right; }
  [[nodiscard]] bool nan_right() const { return is_nan_right != 0; }
};

/// The trees, one after the other, as entries.
template <class Entry>
class WalkedTrees {
 public:
  /// Walks at a time: enough to fill the wait for the cache of the second level.
  static constexpr std::size_t kWalks = 8;

  void Add(const TwoWayTree& tree) {
    roots_.push_back(entries_.size());
    const std::vector<std::size_t> sizes = tree.Sizes();
    const auto size_of = [&](std::int32_t child) {
      return child < 0 ? 1 : sizes[static_cast<std::size_t>(child)];
    };
    std::vector<std::int32_t> pending{tree.nodes.empty() ? ~0 : 0};
    while (!pending.empty()) {
      const std::int32_t child = pending.back();
      pending.pop_back();
      if (child < 0) {
        entries_.push_back(Entry::Leaf(tree.leaves[static_cast<std::size_t>(~child)]));
        continue;
      }
      const TwoWayTree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
      entries_.push_back(Entry::Node(node, 1 + size_of(node.left)));
      pending.push_back(node.right);
      pending.push_back(node.left);
    }
  }

  [[nodiscard]] std::size_t size() const { return roots_.size(); }
  [[nodiscard]] std::size_t n_bytes() const { return entries_.size() * sizeof(Entry); }

  /// Adds to scores[i] what the trees from `first` to `last` - 1, in order, give document i.
  /// `rows` must have a column, even if no tree looks at any.
  ///
  /// @param has_nan  false where no value that the trees look at is NaN
  void AddScores(std::size_t first, std::size_t last, const FeatureMatrix& rows, bool has_nan,
                 double* scores) const {
    has_nan ? Add<true>(first, last, rows, scores) : Add<false>(first, last, rows, scores);
  }

 private:
  using Entries = std::array<const Entry*, kWalks>;
  using Rows = std::array<const float*, kWalks>;

  /// Takes walks from their entries to leaves.
  template <bool kNan>
  [[gnu::always_inline]] static void Walk(const Rows& rows, Entries& at) {
    std::size_t on_the_way = 1;
    while (on_the_way != 0) {
      on_the_way = 0;
      for (std::size_t k = 0; k < kWalks; ++k) {
        const Entry entry = *at[k];
        const float x = rows[k][entry.feature()];
        const std::size_t offset = entry.offset();
        auto right = static_cast<std::size_t>(x > entry.value);
        if constexpr (kNan) {
          right |= static_cast<std::size_t>(x != x) & static_cast<std::size_t>(entry.nan_right());
        }
        // A leaf's offset is 0, and both choices stay.
        const auto to_left = static_cast<std::size_t>(offset != 0);
        at[k] += to_left + ((offset - to_left) & (0 - right));
        on_the_way |= offset;
      }
    }
  }

  template <bool kNan>
  void Add(std::size_t first, std::size_t last, const FeatureMatrix& rows, double* scores) const {
    const std::size_t together = rows.n_rows - rows.n_rows % kWalks;
    if (together > 0) {
      for (std::size_t t = first; t < last; ++t) {
        const Entry* root = entries_.data() + roots_[t];
        for (std::size_t i = 0; i < together; i += kWalks)
          AddDocuments<kNan>(root, rows, i, scores);
      }
    }
    for (std::size_t i = together; i < rows.n_rows; ++i) {
      AddTrees<kNan>(first, last, rows.Row(i), scores[i]);
    }
  }

  /// One tree, kWalks documents.
  template <bool kNan>
  void AddDocuments(const Entry* root, const FeatureMatrix& rows, std::size_t i,
                    double* scores) const {
    Entries at;
    Rows documents;
    for (std::size_t k = 0; k < kWalks; ++k) {
      at[k] = root;
      documents[k] = rows.Row(i + k);
    }
    Walk<kNan>(documents, at);
    for (std::size_t k = 0; k < kWalks; ++k) scores[i + k] += static_cast<double>(at[k]->value);
  }

  /// One document, kWalks trees at a time.
  template <bool kNan>
  void AddTrees(std::size_t first, std::size_t last, const float* row, double& score) const {
    Rows documents;
    documents.fill(row);
    for (std::size_t t = first; t < last; t += kWalks) {
      Entries at;
      for (std::size_t k = 0; k < kWalks; ++k) {
        at[k] = entries_.data() + roots_[t + k < last ? t + k : last - 1];
      }
      Walk<kNan>(documents, at);
      for (std::size_t k = 0; k < kWalks && t + k < last; ++k) {
        score += static_cast<double>(at[k]->value);
      }
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> roots_;
};

}  // namespace rankforest::detail
