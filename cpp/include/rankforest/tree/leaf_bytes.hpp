#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/eight_bytes.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/detail/uninitialized.hpp"

namespace rankforest::detail {

/// Finds the leaves of a small tree that many documents reach, one byte for each document, without
/// a branch. From the leaves to the root, each node picks for every document of a block one of its
/// children's answers, whether the document passes the node or not: half a dozen vector
/// instructions for 32 documents, which is far less than following each of them down.
class LeafBytes {
 public:
  static constexpr std::size_t kBlock = 512;       ///< most documents at a time
  static constexpr std::size_t kMostLeaves = 255;  ///< of a tree
  /// The answer where a document passes a node whose threshold lies within the document's bin.
  static constexpr std::uint8_t kUnsure = 255;

  /// @tparam Node  with `column` (null at leaves), `asks`, `first_right`, `mixed` and `children`;
  ///               see TreeOnCodes
  template <class Node>
  explicit LeafBytes(Span<const Node> nodes)
      : answers_(nodes.size() * kBlock), answers_of_(nodes.size()) {
    const std::uint8_t* of_leaf = AnswersOfLeaves().data();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const bool is_leaf = nodes[n].column == nullptr;
      answers_of_[n] = is_leaf ? of_leaf : answers_.data() + n * kBlock;
      if (is_leaf) of_leaf += kBlock;
    }
  }

  /// The leaves of documents [begin, begin + count), numbered in the order of the nodes, or
  /// kUnsure. Valid until the next call.
  template <class Node>
  Span<const std::uint8_t> Find(Span<const Node> nodes, std::size_t begin, std::size_t count) {
    for (std::size_t n = nodes.size(); n-- > 0;) {  // children come after their parents
      const Node& node = nodes[n];
      if (node.column == nullptr) continue;
      const Bin* const codes = node.column->codes.data() + begin;
      if (node.asks) PrefetchNext(codes, count, node.column->codes.size() - begin);
      const Bin missing = node.column->missing_code();
      const auto [to_left, to_right, to_missing] = node.children;
      const std::size_t end_right = std::size_t{missing} + (to_missing == to_left ? 0 : 1);
      const std::size_t width = end_right - node.first_right;
      // A width of all 256 codes does not fit a byte: then none are inside, and the rest is right.
      const bool is_all = width > std::numeric_limits<Bin>::max();
      const std::uint8_t* const rest = Of(is_all ? to_right : to_left);
      const Bin first = static_cast<Bin>(node.first_right);
      const Pick<false> pick{codes, count,        first, static_cast<Bin>(width),
                             0,     Of(to_right), rest,  Out(n)};
      if (node.mixed <= missing) {
        CallWide(pick.WithUnsure(static_cast<Bin>(node.mixed)));
      } else {
        CallWide(pick);
      }
      if (to_missing != to_left && to_missing != to_right) {
        CallWide(Pick<false>{codes, count, missing, 1, 0, Of(to_missing), Of(n), Out(n)});
      }
    }
    return {Of(0), count};
  }

  /// Writes the documents whose answer is kUnsure; returns how many there are.
  ///
  /// @param answers  of documents from `first` on
  /// @param unsure   has room for all of them
  static std::size_t FindUnsure(Span<const std::uint8_t> answers, std::size_t first,
                                RowId* unsure) {
    constexpr std::size_t kAtOnce = 8;  // of which mostly none is unsure
    std::size_t n_unsure = 0;
    for (std::size_t i = 0; i < answers.size(); i += kAtOnce) {
      const std::size_t end = std::min(i + kAtOnce, answers.size());
      const auto* const bytes = reinterpret_cast<const char*>(answers.data() + i);
      if (end == i + kAtOnce && MarkByte(LoadEight(bytes), '\xFF') == 0) continue;
      for (std::size_t k = i; k < end; ++k) {
        unsure[n_unsure] = static_cast<RowId>(first + k);
        n_unsure += answers[k] == kUnsure ? 1U : 0U;  // without a branch
      }
    }
    return n_unsure;
  }

 private:
  /// Picks one answer for codes in [first, first + width) and another for the rest; kUnsure, where
  /// it may be the answer, for the code `unsure`.
  template <bool kMayBeUnsure>
  struct Pick {
    const Bin* codes;
    std::size_t count;
    Bin first;
    Bin width;
    Bin unsure;
    const std::uint8_t* inside;
    const std::uint8_t* outside;  // may be `out`
    std::uint8_t* out;

    [[nodiscard]] Pick<true> WithUnsure(Bin code) const {
      return {codes, count, first, width, code, inside, outside, out};
    }

    // Masks instead of branches: GCC 12 makes vectors of them.
    [[gnu::always_inline]] void operator()() const {
      const Bin* const from = codes;
      const std::uint8_t* const in = inside;
      const std::uint8_t* const other = outside;
      std::uint8_t* const to = out;
      const Bin start = first;
      const Bin length = width;
      const Bin in_doubt = unsure;
      const std::size_t n = count;
      for (std::size_t i = 0; i < n; ++i) {
        const auto offset = static_cast<std::uint8_t>(from[i] - start);  // wraps around below
        const auto mask = static_cast<std::uint8_t>(-static_cast<int>(offset < length));
        auto answer = static_cast<std::uint8_t>((in[i] & mask) | (other[i] & ~mask));
        if constexpr (kMayBeUnsure) {
          static_assert(kUnsure == 0xFF, "the mask is the answer");
          answer |= static_cast<std::uint8_t>(-static_cast<int>(from[i] == in_doubt));
        }
        to[i] = answer;
      }
    }
  };

  /// Asks for the codes of the next documents: a tree has more columns than the processor looks
  /// ahead in.
  static void PrefetchNext(const Bin* codes, std::size_t count, std::size_t n_left) {
    constexpr std::size_t kCacheLine = 64;
    const std::size_t end = std::min(2 * count, n_left);
    for (std::size_t i = count; i < end; i += kCacheLine) Prefetch(codes + i);
  }

  /// What each leaf answers for a block of documents: the same for all trees, and so made once.
  static const std::vector<std::uint8_t>& AnswersOfLeaves() {
    static const std::vector<std::uint8_t> answers = [] {
      std::vector<std::uint8_t> of_leaves(kMostLeaves * kBlock);
      for (std::size_t i = 0; i < of_leaves.size(); ++i) {
        of_leaves[i] = static_cast<std::uint8_t>(i / kBlock);
      }
      return of_leaves;
    }();
    return answers;
  }

  [[nodiscard]] const std::uint8_t* Of(std::size_t node) const { return answers_of_[node]; }
  [[nodiscard]] std::uint8_t* Out(std::size_t node) { return answers_.data() + node * kBlock; }

  UninitializedVector<std::uint8_t> answers_;    // [node][document]; those of leaves unused
  std::vector<const std::uint8_t*> answers_of_;  // of each node
};

}  // namespace rankforest::detail
