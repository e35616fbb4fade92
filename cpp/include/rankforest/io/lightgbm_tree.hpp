#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/io/lightgbm_lines.hpp"
#include "rankforest/io/lightgbm_split.hpp"

namespace rankforest::detail {

/// Makes a Tree of a block of LightGBM's text; says on which line of it something is wrong.
///
/// A child c >= 0 is inner node c, c < 0 is leaf ~c, as in Tree, but nodes and leaves have numbers
/// in the order in which they grew. A decision type is a sum: 1 for a categorical split, 2 if the
/// default side is the left one, 4 times the missing type.
class LightGbmTree {
 public:
  /// @param n_features  columns that splits may look at
  LightGbmTree(const KeyedLines& lines, std::int64_t n_features) : lines_(lines) {
    const std::int64_t n_leaves =
        lines.Whole("num_leaves", 1, std::numeric_limits<std::int32_t>::max());
    RefuseOtherKinds();
    n_nodes_ = static_cast<std::size_t>(n_leaves - 1);
    if (n_nodes_ > 0) {
      features_ = lines.Wholes("split_feature", n_nodes_, 0, n_features - 1);
      thresholds_ = lines.Numbers("threshold", n_nodes_);
      types_ = lines.Wholes("decision_type", n_nodes_, 0, 11);
      left_ = lines.Wholes("left_child", n_nodes_, -n_leaves, n_leaves - 2);
      right_ = lines.Wholes("right_child", n_nodes_, -n_leaves, n_leaves - 2);
      if (lines.Has("split_gain")) gains_ = lines.Floats("split_gain", n_nodes_);
    }
    leaves_ = lines.Floats("leaf_value", n_nodes_ + 1);
    if (n_nodes_ > 0 && lines.Has("leaf_count")) {
      counts_ =
          lines.Wholes("leaf_count", n_nodes_ + 1, 0, std::numeric_limits<std::uint32_t>::max());
    }
  }

  /// The tree, with nodes and leaves in pre-order. Not recursive: depth is no limit.
  [[nodiscard]] Tree ToTree() const {
    Tree tree;
    std::vector<bool> nan_left;  // of each node
    std::vector<bool> met(n_nodes_ + leaves_.size());
    std::vector<Edge> waiting{{n_nodes_ == 0 ? -1 : 0, kNone, kNone, false}};
    while (!waiting.empty()) {
      const Edge edge = waiting.back();
      waiting.pop_back();
      Meet(edge, met);
      if (edge.child < 0) {
        Link(edge, ~tree.leaves.size(), tree);
        const auto leaf = static_cast<std::size_t>(~edge.child);
        tree.leaves.push_back(leaves_[leaf]);
        if (!counts_.empty()) tree.counts.push_back(static_cast<std::uint32_t>(counts_[leaf]));
        continue;
      }
      const std::size_t number = tree.nodes.size();
      const auto i = static_cast<std::size_t>(edge.child);
      Link(edge, number, tree);
      const FloatSplit split = SplitOf(i);
      tree.nodes.push_back({static_cast<FeatureId>(features_[i]), split.threshold, 0, 0, 0});
      nan_left.push_back(split.nan_left);
      if (!gains_.empty()) tree.gains.push_back(gains_[i]);
      waiting.push_back({right_[i], number, i, true});
      waiting.push_back({left_[i], number, i, false});
    }
    RequireAllMet(met);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      tree.nodes[n].missing = nan_left[n] ? tree.nodes[n].left : tree.nodes[n].right;
    }
    return tree;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// A child in LightGBM's numbers, and the node above it in both.
  struct Edge {
    std::int64_t child;
    std::size_t parent;         // in the new tree; kNone for the root
    std::size_t source_parent;  // in the text
    bool is_right;
  };

  void RefuseOtherKinds() const {
    if (lines_.Has("num_cat")) RequireZero("num_cat", "categorical splits");
    if (lines_.Has("is_linear")) RequireZero("is_linear", "linear models in its leaves");
  }

  void RequireZero(std::string_view key, const char* what) const {
    const TextLine& line = lines_.Get(key);
    if (line.value() == "0") return;
    WrongLine(line.number, lines_.name() + " has " + what + " (" + std::string(key) + ": " +
                               Quoted(line.value()) + "), which cannot be read");
  }

  [[nodiscard]] FloatSplit SplitOf(std::size_t i) const {
    const auto type = static_cast<std::uint32_t>(types_[i]);
    const std::size_t line = lines_.Get("decision_type").number;
    if ((type & 1U) != 0) {
      WrongLine(line, NameOf(i) + " is a categorical split (decision_type " + std::to_string(type) +
                          "), which cannot be read");
    }
    const LightGbmSplit split{thresholds_[i], static_cast<LightGbmMissing>(type >> 2U),
                              (type & 2U) != 0};
    const std::optional<FloatSplit> found = ToFloatSplit(split);
    if (found) return *found;
    if (FloatUpTo(split.threshold) < std::numeric_limits<float>::lowest()) {
      WrongLine(lines_.Get("threshold").number,
                NameOf(i) + " has the threshold " + Shown(split.threshold) +
                    ", expected one that is not below every finite float32");
    }
    WrongLine(line, NameOf(i) + " sends zeros " + (split.default_left ? "left" : "right") +
                        " and numbers below and above them " +
                        (split.default_left ? "right" : "left") + " (decision_type " +
                        std::to_string(type) + ", threshold " + Shown(split.threshold) +
                        "), which no split here does");
  }

  /// Notes that a child has been met: the first time that it is.
  void Meet(const Edge& edge, std::vector<bool>& met) const {
    const auto place = edge.child < 0 ? n_nodes_ + static_cast<std::size_t>(~edge.child)
                                      : static_cast<std::size_t>(edge.child);
    if (met[place]) {
      const char* key = edge.is_right ? "right_child" : "left_child";
      WrongLine(lines_.Get(key).number, std::string(key) + " of " + NameOf(edge.source_parent) +
                                            " is " + std::to_string(edge.child) +
                                            (edge.child == 0 ? ", the root" : "") +
                                            ", expected a child that no other node has");
    }
    met[place] = true;
  }

  void RequireAllMet(const std::vector<bool>& met) const {
    for (std::size_t i = 0; i < n_nodes_; ++i) {
      if (!met[i]) WrongLine(lines_.Get("left_child").number, NameOf(i) + " is no node's child");
    }
  }

  static void Link(const Edge& edge, std::size_t child, Tree& tree) {
    if (edge.parent == kNone) return;
    Tree::Node& parent = tree.nodes[edge.parent];
    (edge.is_right ? parent.right : parent.left) = static_cast<std::int32_t>(child);
  }

  [[nodiscard]] std::string NameOf(std::size_t node) const {
    return "node " + std::to_string(node) + " of " + lines_.name();
  }

  const KeyedLines& lines_;
  std::size_t n_nodes_ = 0;
  std::vector<std::int64_t> features_;
  std::vector<double> thresholds_;
  std::vector<std::int64_t> types_;
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> right_;
  std::vector<float> gains_;  // or empty
  std::vector<float> leaves_;
  std::vector<std::int64_t> counts_;  // of each leaf, or empty
};

}  // namespace rankforest::detail
