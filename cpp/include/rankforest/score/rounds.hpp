#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/tree_runs.hpp"

namespace rankforest::detail {

/// What the rounds of an ensemble consist of. Round r of the ensemble is round r of each member
/// that has so many, counted through its groups in order; the first is round 1, and "up to round
/// 0" is the bases and linear parts alone. Trees are numbered through all members.
class Rounds {
 public:
  /// The trees of a member up to a round, and the mean group that the round is in the middle of.
  struct Position {
    std::size_t tree = 0;      ///< the first one that comes after
    bool starts_mean = false;  ///< whether the next round is the first of a mean group
    double of_mean = 0.0;      ///< trees of that group so far / all of them; 0 outside one
  };

  explicit Rounds(const Ensemble& ensemble)
      : n_rounds_(ensemble.n_rounds()), n_trees_(n_rounds_ + 1), spreads_(n_rounds_ + 1) {
    FirstUses first_uses;
    double size = 0.0;  // of the largest sum on the way to a score
    std::size_t tree = 0;
    for (const Member& member : ensemble.members) {
      size += std::abs(member.base);
      for (const Linear::Term& term : member.linear.terms) first_uses[term.feature] = 0;
      std::size_t round = 0;
      groups_.emplace_back();
      for (const Group& group : member.groups) {
        groups_.back().push_back({round, tree, group.n_rounds(), group.trees_per_round,
                                  group.reduction == Reduction::kMean});
        for (std::size_t t = 0; t < group.trees.size(); ++t) {
          size += Add(group.trees[t], group.TreeWeight(), round + 1 + t / group.trees_per_round,
                      first_uses);
        }
        round += group.n_rounds();
        tree += group.trees.size();
      }
      ends_.push_back(tree);
    }
    SumUp(size);
    for (const auto& [feature, round] : first_uses) features_.emplace_back(round, feature);
    std::sort(features_.begin(), features_.end());
  }

  [[nodiscard]] std::size_t size() const { return n_rounds_; }

  /// Trees of all members up to a round.
  [[nodiscard]] std::size_t n_trees(std::size_t round) const { return n_trees_[round]; }

  /// By how much the scores of two documents can still approach each other after a round: more
  /// than the sum over the trees that follow of their largest less their smallest contribution,
  /// by what rounding can add.
  [[nodiscard]] double spread(std::size_t round) const { return spreads_[round]; }

  /// What rounding can add to a spread where sums on the way to a score may be larger by `size`.
  [[nodiscard]] double rounding(double size) const { return rounding_of_one_ * size; }

  /// Features and the rounds that ask for them first, by round and feature; round 0 are those of
  /// linear parts.
  [[nodiscard]] Span<const std::pair<std::size_t, FeatureId>> first_uses() const {
    return features_;
  }

  [[nodiscard]] Position Of(std::size_t member, std::size_t round) const {
    for (const GroupRounds& group : groups_[member]) {
      if (round < group.first + group.n_rounds) {
        const std::size_t within = round - group.first;
        const double so_far = static_cast<double>(within) / static_cast<double>(group.n_rounds);
        return {group.first_tree + within * group.trees_per_round, group.is_mean && within == 0,
                group.is_mean ? so_far : 0.0};
      }
    }
    return {ends_[member], false, 0.0};
  }

  /// The first round after `round` that a mean group begins behind, or the last round.
  [[nodiscard]] std::size_t NextStartOfMean(std::size_t round) const {
    std::size_t next = n_rounds_;
    for (const std::vector<GroupRounds>& groups : groups_) {
      for (const GroupRounds& group : groups) {
        if (group.is_mean && group.first > round) next = std::min(next, group.first);
      }
    }
    return next;
  }

 private:
  struct GroupRounds {
    std::size_t first;  // rounds before it
    std::size_t first_tree;
    std::size_t n_rounds;
    std::size_t trees_per_round;
    bool is_mean;
  };

  /// The first round that asks for a feature. Of the features that trees ask for: a model may name
  /// billions.
  using FirstUses = std::unordered_map<FeatureId, std::size_t>;

  /// Takes in a tree. Returns the size of its largest contribution.
  double Add(const Tree& tree, double weight, std::size_t round, FirstUses& first_uses) {
    for (const Tree::Node& node : tree.nodes) {
      std::size_t& first = first_uses.try_emplace(node.feature, round).first->second;
      first = std::min(first, round);
    }
    const auto extremes = std::minmax_element(tree.leaves.begin(), tree.leaves.end());
    const double one = Group::Contribution(weight, *extremes.first);
    const double other = Group::Contribution(weight, *extremes.second);
    ++n_trees_[round];
    spreads_[round - 1] += std::abs(one - other);
    return std::max(std::abs(one), std::abs(other));
  }

  /// Makes sums of what there is of single rounds. A score of n additions, each of which is off
  /// by at most half of 2^-52 times `size`, is off by less than n 2^-52 times it; two scores are
  /// compared, and the sums of this function are such sums, too.
  void SumUp(double size) {
    for (std::size_t r = 1; r <= n_rounds_; ++r) n_trees_[r] += n_trees_[r - 1];
    for (std::size_t r = n_rounds_; r-- > 0;) spreads_[r] += spreads_[r + 1];
    const double additions = static_cast<double>(n_trees_[n_rounds_] + ends_.size() + 4);
    rounding_of_one_ = 8.0 * additions * std::numeric_limits<double>::epsilon();
    for (double& spread : spreads_) spread += rounding(size);
  }

  std::size_t n_rounds_;
  std::vector<std::size_t> n_trees_;                         // [round]
  std::vector<double> spreads_;                              // [round]
  std::vector<std::pair<std::size_t, FeatureId>> features_;  // first uses
  std::vector<std::vector<GroupRounds>> groups_;             // [member]
  std::vector<std::size_t> ends_;                            // [member] the tree behind its last
  double rounding_of_one_ = 0.0;
};

}  // namespace rankforest::detail
