#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/leaf_bytes.hpp"

namespace rankforest {

/// A tree that all documents of a data set pass, those that it was not grown on too. It compares
/// their codes, a column of which has many documents in a cache line, where their values lie a row
/// apart. A tree on bins with up to 255 leaves finds the leaves of a block of documents at once:
/// see LeafBytes. For others a block is divided node by node.
///
/// @tparam Column  PresortedColumn or BinnedColumn
template <class Column>
class TreeOnCodes {
 public:
  /// @param column_of  split -> const Column& of its feature; must outlive this
  template <class Stats, class ColumnOf>
  TreeOnCodes(const GrowingTree<Stats>& tree, const ColumnOf& column_of) {
    nodes_.reserve(tree.size());
    for (const GrowingNode<Stats>& node : tree) {
      nodes_.emplace_back();
      nodes_.back().value = node.value;
      if (!node.is_split) continue;
      SetSplit(node.split.feature, node.split.threshold, node.split.cut + 1, column_of(node.split),
               nodes_.back());
      nodes_.back().children = node.children;
    }
    n_leaves_ = CountLeaves();
    ChooseAsking();
  }

  /// A finished tree, on any data set with its features.
  ///
  /// @param columns  column(feature) -> const Column&; must outlive this
  template <class Columns>
  TreeOnCodes(const Tree& tree, const Columns& columns)
      : nodes_(tree.nodes.size() + tree.leaves.size()) {
    const auto place = [&](std::int32_t child) {  // leaves behind the inner nodes
      return static_cast<std::uint32_t>(child >= 0
                                            ? static_cast<std::size_t>(child)
                                            : tree.nodes.size() + static_cast<std::size_t>(~child));
    };
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Tree::Node& node = tree.nodes[n];
      SetSplit(node.feature, node.threshold, 0, columns.column(node.feature), nodes_[n]);
      nodes_[n].children = {place(node.left), place(node.right), place(node.missing)};
    }
    for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      nodes_[tree.nodes.size() + leaf].value = tree.leaves[leaf];
    }
    n_leaves_ = tree.leaves.size();
    ChooseAsking();
  }

  /// Adds each document's contribution to its score.
  ///
  /// @param data    that the columns are made of
  /// @param scores  by document
  void AddTo(double tree_weight, const Dataset& data, Threads threads, Span<double> scores) const {
    ParallelChunks(threads, scores.size(), kDocumentsPerTask,
                   [&](std::size_t begin, std::size_t end) {
                     AddToRange(tree_weight, data, begin, end, scores);
                   });
  }

  /// The same for the documents from `begin` up to `end`, a few thousand at most.
  void AddToRange(double tree_weight, const Dataset& data, std::size_t begin, std::size_t end,
                  Span<double> scores) const {
    if constexpr (std::is_same_v<typename decltype(Column::codes)::value_type, Bin>) {
      if (n_leaves_ <= detail::LeafBytes::kMostLeaves) {
        return AddByBytes(tree_weight, data, begin, end, scores);
      }
    }
    Block block(nodes_.size(), begin, end);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {  // parents come before their children
      if (nodes_[n].column != nullptr) {
        block.Divide(nodes_[n], n, data);
        continue;
      }
      const double contribution = Group::Contribution(tree_weight, nodes_[n].value);
      for (const RowId row : block.Documents(n)) scores[row] += contribution;
    }
  }

 private:
  static constexpr std::size_t kDocumentsPerTask = 4096;
  static constexpr Code kNone = std::numeric_limits<Code>::max();

  struct Node {
    const Column* column = nullptr;  // of a leaf: none
    FeatureId feature = 0;
    float threshold = 0.0F;
    Code first_right = 0;  // codes below it are values <= threshold
    Code mixed = kNone;    // a bin whose values are on both sides, if there is one
    std::array<std::uint32_t, 3> children = {};  // left, right, missing
    float value = 0.0F;
    bool asks = false;  // whether it is the last node of its column
  };

  /// @param first  a code up to which, itself left out, all are left of the threshold
  static void SetSplit(FeatureId feature, float threshold, Code first, const Column& column,
                       Node& node) {
    node.column = &column;
    node.feature = feature;
    node.threshold = threshold;
    // Codes above the cut of a grown tree may be left of the threshold as well: those of values
    // that no document of the node had.
    Code end = column.missing_code();
    while (first < end) {
      const Code middle = first + (end - first) / 2;
      if (column.Highest(middle) <= node.threshold) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    node.first_right = first;
    const bool is_mixed = first < column.missing_code() && column.Lowest(first) <= node.threshold;
    node.mixed = is_mixed ? first : kNone;
  }

  /// One node of each column asks for the next documents' codes.
  void ChooseAsking() {
    std::vector<const Column*> columns;
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      const Column* const column = nodes_[n].column;
      const bool is_known = std::find(columns.begin(), columns.end(), column) != columns.end();
      nodes_[n].asks = column != nullptr && !is_known;
      if (nodes_[n].asks) columns.push_back(column);
    }
  }

  [[nodiscard]] std::size_t CountLeaves() const {
    return static_cast<std::size_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [](const Node& node) { return node.column == nullptr; }));
  }

  /// The node below `n`, or `n` itself, up to which a document's codes tell its way: a leaf, or one
  /// whose threshold lies within the document's bin.
  [[nodiscard]] std::size_t FollowCodes(std::size_t n, RowId row) const {
    while (nodes_[n].column != nullptr) {
      const Node& node = nodes_[n];
      const Code code = node.column->codes[row];
      if (code == node.mixed) break;
      const auto [to_left, to_right, to_missing] = node.children;
      n = code < node.first_right ? to_left : to_right;
      if (code == node.column->missing_code()) n = to_missing;
    }
    return n;
  }

  void AddByBytes(double tree_weight, const Dataset& data, std::size_t begin, std::size_t end,
                  Span<double> scores) const {
    using detail::LeafBytes;
    std::array<double, LeafBytes::kMostLeaves + 1> contributions;
    // Those who are unsure keep their scores, -0.0 too.
    contributions[LeafBytes::kUnsure] = -0.0;
    std::size_t n_leaves = 0;
    for (const Node& node : nodes_) {
      if (node.column != nullptr) continue;
      contributions[n_leaves++] = Group::Contribution(tree_weight, node.value);
    }
    const Span<const Node> nodes(nodes_);
    LeafBytes bytes(nodes);
    for (std::size_t first = begin; first < end; first += LeafBytes::kBlock) {
      const std::size_t count = std::min(LeafBytes::kBlock, end - first);
      const Span<const std::uint8_t> leaves = bytes.Find(nodes, first, count);
      AddLeaves(leaves, contributions.data(), scores.data() + first, scores.data() + end);
      std::array<RowId, LeafBytes::kBlock> unsure;
      AddByValues({unsure.data(), LeafBytes::FindUnsure(leaves, first, unsure.data())}, tree_weight,
                  data, scores);
    }
  }

  /// Adds the contributions of leaves to the scores of a block.
  ///
  /// @param end  of the scores that blocks are added to; those of the next block are asked for
  static void AddLeaves(Span<const std::uint8_t> leaves, const double* contributions,
                        double* scores, const double* end) {
    constexpr std::size_t kCacheLine = 64 / sizeof(double);
    const auto n_left = static_cast<std::size_t>(end - scores);
    for (std::size_t line = 0; line < leaves.size(); line += kCacheLine) {
      detail::Prefetch(scores + std::min(line + detail::LeafBytes::kBlock, n_left - 1));
      const std::size_t last = std::min(line + kCacheLine, leaves.size());
      for (std::size_t i = line; i < last; ++i) scores[i] += contributions[leaves[i]];
    }
  }

  /// Documents of a block that are unsure: their codes are at hand, but values lie far apart. Of
  /// most documents one is needed, and asked for before.
  void AddByValues(Span<const RowId> rows, double tree_weight, const Dataset& data,
                   Span<double> scores) const {
    std::array<std::size_t, detail::LeafBytes::kBlock> nodes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      nodes[i] = FollowCodes(0, rows[i]);
      detail::Prefetch(data.Features(rows[i]) + nodes_[nodes[i]].feature);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t n = nodes[i];
      while (nodes_[n].column != nullptr) {  // its threshold lies within the bin: no NaN
        const bool is_left = data.Features(rows[i])[nodes_[n].feature] <= nodes_[n].threshold;
        n = FollowCodes(nodes_[n].children[is_left ? 0 : 1], rows[i]);
      }
      scores[rows[i]] += Group::Contribution(tree_weight, nodes_[n].value);
    }
  }

  /// Consecutive documents, grouped by node.
  class Block {
   public:
    Block(std::size_t n_nodes, std::size_t begin, std::size_t end)
        : rows_(end - begin), moved_(rows_.size()), ranges_(n_nodes) {
      std::iota(rows_.begin(), rows_.end(), static_cast<RowId>(begin));
      ranges_[0] = {0, rows_.size()};
    }

    [[nodiscard]] Span<const RowId> Documents(std::size_t node) const {
      const auto [begin, end] = ranges_[node];
      return Span<const RowId>(rows_).subspan(begin, end - begin);
    }

    /// Gives the documents of node `n` to its children.
    void Divide(const Node& node, std::size_t n, const Dataset& data) {
      const auto [begin, end] = ranges_[n];
      const Code missing_code = node.column->missing_code();
      const auto [to_left, to_right, to_missing] = node.children;
      const Code end_right = to_missing == to_left ? missing_code : missing_code + 1;
      const std::size_t middle =
          MoveBack(node, {node.first_right, end_right, node.mixed}, begin, end, data);
      ranges_[to_left] = {begin, middle};
      ranges_[to_right] = {middle, end};
      if (to_missing == to_left || to_missing == to_right) return;
      const std::size_t own =
          MoveBack(node, {missing_code, missing_code + 1, kNone}, middle, end, data);
      ranges_[to_right] = {middle, own};
      ranges_[to_missing] = {own, end};
    }

   private:
    struct Moved {
      Code first;
      Code last;   // one past the end
      Code mixed;  // where the value decides; may be none
    };

    /// Moves those of the documents [begin, end) whose codes are in a range behind the others, and
    /// returns where they begin. The one loop that runs per document and node.
    std::size_t MoveBack(const Node& node, Moved moved, std::size_t begin, std::size_t end,
                         const Dataset& data) {
      const auto* const codes = node.column->codes.data();
      std::size_t n_moved = 0;
      for (std::size_t i = begin; i < end; ++i) {  // without a branch that cannot be foreseen
        const RowId row = rows_[i];
        const Code code = codes[row];
        bool is_moved = code - moved.first < moved.last - moved.first;  // wraps around below
        if (code == moved.mixed) is_moved = data.Features(row)[node.feature] > node.threshold;
        rows_[i - n_moved] = row;
        moved_[n_moved] = row;
        n_moved += is_moved ? 1U : 0U;
      }
      const std::size_t middle = end - n_moved;
      std::copy_n(moved_.begin(), n_moved, rows_.begin() + static_cast<std::ptrdiff_t>(middle));
      return middle;
    }

    std::vector<RowId> rows_;
    std::vector<RowId> moved_;
    std::vector<std::pair<std::size_t, std::size_t>> ranges_;  // of rows_, by node
  };

  std::vector<Node> nodes_;  // parents before their children
  std::size_t n_leaves_ = 0;
};

}  // namespace rankforest
