#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "rankforest/core/tree.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest::testing {

/// The value of a set of known features, as bits.
using Game = std::function<double(std::uint32_t)>;

/// Shapley values by their definition, over all subsets of `n` features.
inline std::vector<double> ShapleyByDefinition(const Game& game, std::uint32_t n) {
  std::vector<double> values(n, 0.0);
  for (std::uint32_t f = 0; f < n; ++f) {
    for (std::uint32_t set = 0; set < (1U << n); ++set) {
      if ((set >> f & 1U) != 0) continue;
      // |S|! (n - |S| - 1)! / n! = 1 / (n binomial(n - 1, |S|))
      std::uint32_t size = 0;
      for (std::uint32_t i = 0; i < n; ++i) size += set >> i & 1U;
      double binomial = 1.0;
      for (std::uint32_t i = 0; i < size; ++i) {
        binomial = binomial * static_cast<double>(n - 1 - i) / static_cast<double>(i + 1);
      }
      values[f] += (game(set | 1U << f) - game(set)) / (static_cast<double>(n) * binomial);
    }
  }
  return values;
}

/// The documents at a node or leaf.
inline double DocumentsBelow(const Tree& tree, std::int32_t child) {
  if (child < 0) return static_cast<double>(tree.counts[static_cast<std::size_t>(~child)]);
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
  double sum = DocumentsBelow(tree, node.left) + DocumentsBelow(tree, node.right);
  if (node.missing != node.left && node.missing != node.right) {
    sum += DocumentsBelow(tree, node.missing);
  }
  return sum;
}

/// What a tree is expected to give where the features of `known` have the document's values and
/// others lead to each child by its share of documents (alike where the node has none).
inline double ExpectedValue(const Tree& tree, const float* document, std::uint32_t known,
                            std::int32_t child) {
  if (child < 0) return static_cast<double>(tree.leaves[static_cast<std::size_t>(~child)]);
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
  if ((known >> node.feature & 1U) != 0) {
    return ExpectedValue(tree, document, known, node.Next(document[node.feature]));
  }
  std::vector<std::int32_t> children = {node.left, node.right};
  if (node.missing != node.left && node.missing != node.right) children.push_back(node.missing);
  const double all = DocumentsBelow(tree, child);
  double sum = 0.0;
  for (const std::int32_t below : children) {
    const double share =
        all == 0.0 ? 1.0 / static_cast<double>(children.size()) : DocumentsBelow(tree, below) / all;
    sum += share * ExpectedValue(tree, document, known, below);
  }
  return sum;
}

inline Game PathGame(const Tree& tree, const float* document) {
  return [&tree, document](std::uint32_t known) {
    return ExpectedValue(tree, document, known, tree.nodes.empty() ? ~0 : 0);
  };
}

/// Unknown features have the values of a background document.
inline Game BackgroundGame(const Tree& tree, const float* document, const float* background,
                           std::uint32_t n_features) {
  return [&tree, document, background, n_features](std::uint32_t known) {
    std::vector<float> mixed(n_features);
    for (std::uint32_t f = 0; f < n_features; ++f) {
      mixed[f] = (known >> f & 1U) != 0 ? document[f] : background[f];
    }
    return static_cast<double>(tree.Value(mixed.data()));
  };
}

/// A random tree with random counts, some of them 0.
inline Tree RandomCountedTree(std::uint32_t n_features, int depth, Rng& rng) {
  Tree tree = RandomTree(n_features, depth, rng);
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    tree.counts.push_back(rng.Below(3) == 0 ? 0 : rng.Below(20));
  }
  return tree;
}

/// What the leaves of a tree of weight 1 add to a score.
inline std::vector<double> LeafValuesOf(const Tree& tree) {
  return {tree.leaves.begin(), tree.leaves.end()};
}

}  // namespace rankforest::testing
