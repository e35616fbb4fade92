#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/growing_tree.hpp"

namespace rankforest {

/// The oblivious tree of all questions: 2^levels leaves, numbered in pre-order (see tree.hpp). A
/// node that a question does not divide stands on both sides of it, so that the leaves below have
/// its value; its gain and its documents count once, at the leftmost place.
///
/// @param growing    the nodes that were divided, and their parts
/// @param questions  of each level
/// @param level_of   of each node of `growing` that is split: the level of its question
template <class Stats>
[[nodiscard]] Tree FullTree(const GrowingTree<Stats>& growing,
                            const std::vector<Split<Stats>>& questions,
                            const std::vector<std::uint32_t>& level_of) {
  Tree tree;
  const std::size_t n_leaves = std::size_t{1} << questions.size();
  tree.nodes.reserve(n_leaves - 1);
  tree.gains.reserve(n_leaves - 1);
  tree.leaves.reserve(n_leaves);
  tree.counts.reserve(n_leaves);
  struct Visit {
    std::uint32_t node;   // in `growing`
    std::uint32_t level;  // of the full tree
    std::int32_t parent;  // in `tree`; -1 for the root
    bool is_right;
    bool is_copy;  // of a node that stands further left, too
  };
  std::vector<Visit> stack = {{0, 0, -1, false, false}};
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const GrowingNode<Stats>& node = growing[visit.node];
    const bool is_leaf = visit.level == questions.size();
    const auto child = static_cast<std::int32_t>(is_leaf ? ~tree.leaves.size() : tree.nodes.size());
    if (visit.parent >= 0) {
      Tree::Node& above = tree.nodes[static_cast<std::size_t>(visit.parent)];
      (visit.is_right ? above.right : above.left) = child;
      const MissingTo missing = questions[visit.level - 1].missing;
      if ((missing == MissingTo::kRight) == visit.is_right) above.missing = child;
    }
    if (is_leaf) {
      tree.leaves.push_back(node.value);
      tree.counts.push_back(visit.is_copy ? 0 : node.n_documents);
      continue;
    }
    const Split<Stats>& question = questions[visit.level];
    const bool is_divided = node.is_split && level_of[visit.node] == visit.level;
    tree.nodes.push_back({question.feature, question.threshold, 0, 0, 0});
    tree.gains.push_back(is_divided && !visit.is_copy ? ToFiniteFloat(node.split.gain) : 0.0F);
    const std::uint32_t left = is_divided ? node.children[0] : visit.node;
    const std::uint32_t right = is_divided ? node.children[1] : visit.node;
    stack.push_back({right, visit.level + 1, child, true, visit.is_copy || !is_divided});
    stack.push_back({left, visit.level + 1, child, false, visit.is_copy});
  }
  return tree;
}

}  // namespace rankforest
