#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/detail/platform.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"

namespace rankforest::detail {

// Large trees, walked from split to split. A walk waits for memory at every step, so several
// walks advance in turns and their waits overlap: of several documents through one tree, or of one
// document through several trees. A step has no branch that depends on data.
//
// The entries of a tree are its nodes and leaves. Children lie side by side, the left one first,
// behind their parent. A walk that has reached a leaf stays there: leaves look at a value that is
// below all others.

/// 8 bytes: for up to 1,023 features and trees of up to 2^21 entries.
struct NarrowEntry {
  float value;           ///< threshold of a node; what a leaf adds to a score
  std::uint32_t packed;  ///< 21 bits of offset, 1 of nan_right, 10 of feature; 0 for a leaf

  static constexpr unsigned kOffsetBits = 21;
  static constexpr unsigned kFeatureShift = kOffsetBits + 1;
  static constexpr std::uint32_t kOffsetMask = (1U << kOffsetBits) - 1;

  static bool CanHold(std::size_t n_features, std::size_t n_entries) {
    return n_features < (1U << (32 - kFeatureShift)) && n_entries <= kOffsetMask;
  }

  /// @param feature  as WalkedRows numbers it
  /// @param offset   how far behind the node its left child is
  static NarrowEntry Node(const TwoWayTree::Node& node, std::uint32_t feature,
                          std::uint32_t offset) {
    const std::uint32_t nan_right = node.nan_right ? 1U << kOffsetBits : 0U;
    return {node.threshold, (feature << kFeatureShift) | nan_right | offset};
  }

  [[nodiscard]] std::size_t feature() const { return packed >> kFeatureShift; }
  [[nodiscard]] std::uint32_t offset() const { return packed & kOffsetMask; }
  [[nodiscard]] std::uint32_t nan_right() const { return packed >> kOffsetBits & 1U; }
};

/// 12 bytes, for everything else.
struct WideEntry {
  float value;
  std::uint32_t feature_number;
  std::uint32_t packed;  ///< 31 bits of offset, 1 of nan_right

  static constexpr std::uint32_t kOffsetMask = (1U << 31) - 1;

  static WideEntry Node(const TwoWayTree::Node& node, std::uint32_t feature, std::uint32_t offset) {
    return {node.threshold, feature, offset | (node.nan_right ? ~kOffsetMask : 0U)};
  }

  [[nodiscard]] std::size_t feature() const { return feature_number; }
  [[nodiscard]] std::uint32_t offset() const { return packed & kOffsetMask; }
  [[nodiscard]] std::uint32_t nan_right() const { return packed >> 31; }
};

/// The trees, one after the other, as entries.
template <class Entry>
class WalkedTrees {
 public:
  void Add(const TwoWayTree& tree, const WalkedFeatures& features) {
    roots_.push_back(entries_.size());
    std::vector<Pending> pending{{tree.nodes.empty() ? ~0 : 0, entries_.size()}};
    entries_.emplace_back();
    while (!pending.empty()) {
      const Pending next = pending.back();
      pending.pop_back();
      if (next.child < 0) {
        entries_[next.place] = {};
        entries_[next.place].value = tree.leaves[static_cast<std::size_t>(~next.child)];
        continue;
      }
      const TwoWayTree::Node& node = tree.nodes[static_cast<std::size_t>(next.child)];
      const std::size_t left = entries_.size();
      entries_[next.place] = Entry::Node(node, features.NumberOf(node.feature),
                                         static_cast<std::uint32_t>(left - next.place));
      entries_.resize(left + 2);
      pending.push_back({node.right, left + 1});
      pending.push_back({node.left, left});
    }
  }

  [[nodiscard]] std::size_t size() const { return roots_.size(); }
  void ShrinkToFit() {
    entries_.shrink_to_fit();
    roots_.shrink_to_fit();
  }
  [[nodiscard]] std::size_t n_bytes() const {
    return entries_.capacity() * sizeof(Entry) + roots_.capacity() * sizeof(std::size_t);
  }

  /// A tree to be walked step by step, from place 0 on.
  class View {
   public:
    explicit View(const Entry* root) : root_(root) {}
    [[nodiscard]] bool IsLeaf(std::size_t place) const { return root_[place].offset() == 0; }
    [[nodiscard]] float ValueOf(std::size_t place) const { return root_[place].value; }
    [[nodiscard]] std::size_t FeatureOf(std::size_t place) const { return root_[place].feature(); }
    /// Where the value x of the feature leads.
    [[nodiscard]] std::size_t Next(std::size_t place, float x) const {
      const Entry& entry = root_[place];
      return place + entry.offset() + (x != x ? entry.nan_right() : (x > entry.value ? 1U : 0U));
    }

   private:
    const Entry* root_;
  };
  [[nodiscard]] View ViewOf(std::size_t tree) const { return View(entries_.data() + roots_[tree]); }

  /// Adds to scores[i] what the trees from `first` to `last` - 1, in order, give document i.
  void AddScores(std::size_t first, std::size_t last, const WalkedRows& rows,
                 double* scores) const {
    rows.has_nan() ? Add<true>(first, last, rows, scores) : Add<false>(first, last, rows, scores);
  }

 private:
  using Entries = std::array<const Entry*, kWalks>;
  static constexpr std::ptrdiff_t kCacheLine = 64;  // bytes

  /// A child of the tree whose entry is not yet written.
  struct Pending {
    std::int32_t child;
    std::size_t place;
  };

  /// Takes walks from their entries to leaves. Walk k finds the value of feature f at
  /// values[f * kStride + (k where kStride > 1)].
  template <bool kNan, std::size_t kStride>
  [[gnu::always_inline]] static void Walk(const float* values, Entries& at) {
    std::uint32_t on_the_way = 1;
    while (on_the_way != 0) {
      for (int twice = 0; twice < 2; ++twice) {  // two steps to a look
        on_the_way = 0;
        for (std::size_t k = 0; k < kWalks; ++k) {
          const Entry* entry = at[k];
          const float x = values[entry->feature() * kStride + (kStride > 1 ? k : 0)];
          const std::uint32_t offset = entry->offset();
          auto right = static_cast<std::uint32_t>(x > entry->value);
          if constexpr (kNan) right |= static_cast<std::uint32_t>(x != x) & entry->nan_right();
          at[k] = entry + (offset + right);
          on_the_way |= offset;
        }
      }
    }
  }

  /// The entries of a tree, asked for a part at a time while the tree before it is walked. Many
  /// documents come to most entries, and walks wait for memory that nobody asked for before.
  struct Ahead {
    const char* place;
    const char* end;
    std::ptrdiff_t part;

    void Fetch() {
      const char* const until = end - place > part ? place + part : end;
      for (; place < until; place += kCacheLine) Prefetch(place);
    }
  };

  /// That of the tree behind t; nothing where so few documents will not come to most of it.
  [[nodiscard]] Ahead NextTree(std::size_t t, std::size_t last, std::size_t n_groups) const {
    constexpr std::ptrdiff_t kMostLines = 100;  // for a group, whose walks see about twice as many
    if (t + 1 >= last) return {nullptr, nullptr, 0};
    const auto place_of = [&](std::size_t entry) {
      return reinterpret_cast<const char*>(entries_.data() + entry);
    };
    const char* const begin = place_of(roots_[t + 1]);
    const char* const end = place_of(t + 2 < roots_.size() ? roots_[t + 2] : entries_.size());
    const std::ptrdiff_t n_lines = (end - begin + kCacheLine - 1) / kCacheLine;
    const auto groups = static_cast<std::ptrdiff_t>(n_groups);
    const std::ptrdiff_t lines = (n_lines + groups - 1) / groups;
    return {begin, lines <= kMostLines ? end : begin, lines * kCacheLine};
  }

  template <bool kNan>
  void Add(std::size_t first, std::size_t last, const WalkedRows& rows, double* scores) const {
    if (rows.n_groups() > 0) {
      for (std::size_t t = first; t < last; ++t) {
        Ahead ahead = NextTree(t, last, rows.n_groups());
        for (std::size_t g = 0; g < rows.n_groups(); ++g) {
          ahead.Fetch();
          Entries at;
          at.fill(entries_.data() + roots_[t]);
          Walk<kNan, kWalks>(rows.Group(g), at);
          for (std::size_t k = 0; k < kWalks; ++k) {
            scores[g * kWalks + k] += static_cast<double>(at[k]->value);
          }
        }
      }
    }
    for (std::size_t i = rows.n_groups() * kWalks; i < rows.n_rows(); ++i) {
      AddTrees<kNan>(first, last, rows.Single(i), scores[i]);
    }
  }

  /// One document, kWalks trees at a time.
  template <bool kNan>
  void AddTrees(std::size_t first, std::size_t last, const float* values, double& score) const {
    for (std::size_t t = first; t < last; t += kWalks) {
      Entries at;
      for (std::size_t k = 0; k < kWalks; ++k) {
        at[k] = entries_.data() + roots_[t + k < last ? t + k : last - 1];
      }
      Walk<kNan, 1>(values, at);
      for (std::size_t k = 0; k < kWalks && t + k < last; ++k) {
        score += static_cast<double>(at[k]->value);
      }
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> roots_;
};

}  // namespace rankforest::detail
