#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// The nodes and leaves of a tree with what lies above them. Both are *places*: inner node i is
/// place i, leaf l is place n_nodes + l. Every place but the root, 0, is the end of one *edge*,
/// which has its number; the edge asks the question of the node that it starts from. Edges above
/// come from places with smaller numbers than those of the inner nodes below.
class TreePaths {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  /// The most different features that the nodes above a leaf may ask for.
  static constexpr std::uint32_t kMostFeatures = 1000;

  /// Throws std::invalid_argument for a tree with a path of more features than kMostFeatures.
  ///
  /// @param tree  valid; must outlive the paths
  explicit TreePaths(const Tree& tree)
      : tree_(&tree),
        parents_(tree.nodes.size() + tree.leaves.size(), kNone),
        above_(tree.nodes.size(), kNone),
        n_features_(parents_.size(), 0) {
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
      above_[node] = EdgeAbove(node);
      const std::uint32_t n_features = n_features_[node] + (above_[node] == kNone ? 1U : 0U);
      if (n_features > kMostFeatures) {
        throw std::invalid_argument("a tree asks for more than " + std::to_string(kMostFeatures) +
                                    " features on one path, too many to explain");
      }
      most_features_ = std::max(most_features_, n_features);
      ForEachChild(node, [&](std::uint32_t place, std::int32_t /*child*/) {
        parents_[place] = node;
        n_features_[place] = n_features;
      });
    }
  }

  [[nodiscard]] const Tree& tree() const { return *tree_; }
  [[nodiscard]] std::size_t n_places() const { return parents_.size(); }
  [[nodiscard]] std::size_t n_nodes() const { return tree_->nodes.size(); }
  /// The node that the edge to a place starts from; kNone at the root.
  [[nodiscard]] std::uint32_t parent(std::uint32_t place) const { return parents_[place]; }
  /// The last edge above a node that asks for the node's own feature, or kNone.
  [[nodiscard]] std::uint32_t above(std::uint32_t node) const { return above_[node]; }
  /// The most different features on any path.
  [[nodiscard]] std::uint32_t most_features() const { return most_features_; }

  [[nodiscard]] std::uint32_t PlaceOf(std::int32_t child) const {
    return child >= 0 ? static_cast<std::uint32_t>(child)
                      : static_cast<std::uint32_t>(n_nodes() + static_cast<std::size_t>(~child));
  }

  /// Calls visit(place, child) for the two or three children of a node.
  template <class Visit>
  void ForEachChild(std::uint32_t node, const Visit& visit) const {
    const Tree::Node& at = tree_->nodes[node];
    visit(PlaceOf(at.left), at.left);
    visit(PlaceOf(at.right), at.right);
    if (at.missing != at.left && at.missing != at.right) visit(PlaceOf(at.missing), at.missing);
  }

 private:
  [[nodiscard]] std::uint32_t EdgeAbove(std::uint32_t node) const {
    const FeatureId feature = tree_->nodes[node].feature;
    for (std::uint32_t edge = node; parents_[edge] != kNone; edge = parents_[edge]) {
      if (tree_->nodes[parents_[edge]].feature == feature) return edge;
    }
    return kNone;
  }

  const Tree* tree_;
  std::vector<std::uint32_t> parents_;     // of each place
  std::vector<std::uint32_t> above_;       // of each inner node
  std::vector<std::uint32_t> n_features_;  // above each place
  std::uint32_t most_features_ = 0;
};

/// The share of its node's documents that each edge has, by place: how much the child counts where
/// the feature is not known. Children of a node without documents count alike.
///
/// @param paths  of a tree with counts
inline std::vector<double> SharesOfEdges(const TreePaths& paths) {
  const Tree& tree = paths.tree();
  std::vector<std::uint64_t> counts(paths.n_places(), 0);
  std::copy(tree.counts.begin(), tree.counts.end(),
            counts.begin() + static_cast<std::ptrdiff_t>(paths.n_nodes()));
  std::vector<double> shares(paths.n_places(), 1.0);
  for (auto node = static_cast<std::uint32_t>(paths.n_nodes()); node-- > 0;) {
    double n_children = 0.0;
    paths.ForEachChild(node, [&](std::uint32_t place, std::int32_t /*child*/) {
      counts[node] += counts[place];
      n_children += 1.0;
    });
    paths.ForEachChild(node, [&](std::uint32_t place, std::int32_t /*child*/) {
      shares[place] = counts[node] == 0
                          ? 1.0 / n_children
                          : static_cast<double>(counts[place]) / static_cast<double>(counts[node]);
    });
  }
  return shares;
}

/// What a tree is expected to give where no feature is known.
///
/// @param paths    of a tree with counts
/// @param of_leaf  what each leaf gives
inline double ExpectationOf(const TreePaths& paths, const std::vector<double>& of_leaf) {
  if (paths.n_nodes() == 0) return of_leaf[0];
  const std::vector<double> shares = SharesOfEdges(paths);
  std::vector<double> reach(paths.n_places(), 1.0);
  double sum = 0.0;
  for (std::uint32_t node = 0; node < paths.n_nodes(); ++node) {
    paths.ForEachChild(node, [&](std::uint32_t edge, std::int32_t child) {
      reach[edge] = reach[node] * shares[edge];
      if (child < 0) sum += reach[edge] * of_leaf[static_cast<std::size_t>(~child)];
    });
  }
  return sum;
}

}  // namespace rankforest
