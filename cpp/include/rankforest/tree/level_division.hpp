#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/level_gains.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

namespace detail {

/// Whether an engine searches one question for a level, not a split for each node.
template <class Engine, class = void>
struct SearchesLevels : std::false_type {};
template <class Engine>
struct SearchesLevels<Engine, std::enable_if_t<Engine::kSearchesLevels>> : std::true_type {};

}  // namespace detail

/// Which nodes of a level its question divides, and into what (see level_gains.hpp).
class LevelDivision {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  LevelDivision(const Newton::Scaled& criterion, const SplitRules& rules, Threads threads)
      : criterion_(criterion), rules_(rules), threads_(threads) {}

  /// Sums the documents on the left of a question, node by node.
  ///
  /// @param nodes    of the level, from left to right
  /// @param side_of  row -> MissingTo
  template <class SideOf>
  void Look(const Partition<Target>& partition, const GrowingTree<Stats>& tree,
            Span<const std::uint32_t> nodes, const SideOf& side_of) {
    lefts_.assign(nodes.size(), {});
    ParallelFor(threads_, nodes.size(), [&](std::size_t i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      Stats left;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (side_of(rows.rows[r]) == MissingTo::kLeft) left.Add(rows.targets[r], rows.Count(r));
      }
      lefts_[i] = left;
    });
  }

  /// The side of all the tree's documents that has more training weight, left if they weigh the
  /// same: where NaN goes if the tree saw none. After Look(), with the same nodes.
  ///
  /// @param weights  by document, or none
  template <class SideOf>
  [[nodiscard]] MissingTo HeavierSide(const Partition<Target>& partition,
                                      const GrowingTree<Stats>& tree,
                                      Span<const std::uint32_t> nodes, const SideOf& side_of,
                                      Span<const double> weights,
                                      const FixedPointScale& scale) const {
    std::int64_t more_left = 0;  // as of gradients: the order of documents is the engine's
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GrowingNode<Stats>& node = tree[nodes[i]];
      if (weights.empty()) {
        more_left += 2 * static_cast<std::int64_t>(lefts_[i].count) -
                     static_cast<std::int64_t>(node.stats.count);
        continue;
      }
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::int64_t weight = scale.ToInteger(weights[rows.rows[r]]) * rows.Count(r);
        more_left += side_of(rows.rows[r]) == MissingTo::kLeft ? weight : -weight;
      }
    }
    return more_left >= 0 ? MissingTo::kLeft : MissingTo::kRight;
  }

  /// Whether the question divides a node; if so, it becomes the node's split. After Look().
  ///
  /// @param i  of the node among those looked at
  [[nodiscard]] bool Divides(std::size_t i, const Split<Stats>& question,
                             GrowingNode<Stats>& node) const {
    const Stats& left = lefts_[i];
    const Stats right = node.stats - left;
    const int direction = rules_.DirectionOf(question.feature);
    if (!MayDivide(criterion_, rules_, left, right, direction)) return false;
    node.split = question;
    node.split.gain = criterion_.Gain(left, right);
    node.split.saw_missing = true;  // where NaN goes is decided
    node.split.left = left;
    node.split.right = right;
    return true;
  }

 private:
  Newton::Scaled criterion_;
  SplitRules rules_;
  Threads threads_;
  std::vector<Stats> lefts_;  // of each node
};

}  // namespace rankforest
