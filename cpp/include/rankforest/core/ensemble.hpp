#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest {

/// How a group reduces its trees.
enum class Reduction : std::uint8_t { kSum = 0, kMean = 1 };

/// weight x (sum or mean) of trees that were trained `trees_per_round` at a time.
struct Group {
  double weight = 1.0;  ///< finite
  Reduction reduction = Reduction::kSum;
  std::uint32_t trees_per_round = 1;  ///< >= 1; divides the number of trees
  std::vector<Tree> trees;

  /// What each tree's leaf values are multiplied by when the group has `n_trees` trees.
  [[nodiscard]] double TreeWeight(std::size_t n_trees) const {
    return reduction == Reduction::kMean ? weight / static_cast<double>(n_trees) : weight;
  }
  [[nodiscard]] double TreeWeight() const { return TreeWeight(trees.size()); }
  [[nodiscard]] std::size_t n_rounds() const { return trees.size() / trees_per_round; }

  /// What a tree adds to a score: rounded to float32 before it is added in float64, so that
  /// every conforming scorer gives the same bits.
  [[nodiscard]] static double Contribution(double tree_weight, float leaf) {
    return static_cast<double>(static_cast<float>(tree_weight * static_cast<double>(leaf)));
  }
};

/// base + the linear part, if there is one, + the sum of groups, in order.
struct Member {
  double base = 0.0;  ///< finite
  std::vector<Group> groups;
  Linear linear{};  ///< no terms: none

  [[nodiscard]] std::size_t n_rounds() const {
    std::size_t rounds = 0;
    for (const Group& group : groups) rounds += group.n_rounds();
    return rounds;
  }
};

/// The trees of all groups of a member, in order.
inline std::vector<Tree> TreesOf(Member member) {
  std::vector<Tree> trees;
  for (Group& group : member.groups) {
    trees.insert(trees.end(), std::make_move_iterator(group.trees.begin()),
                 std::make_move_iterator(group.trees.end()));
  }
  return trees;
}

/// A trained model: combine(members). Every trainer returns one.
///
/// Closed under weighted sum, so a bag of boosts and a boost of bags are both ensembles.
struct Ensemble {
  /// How the scores of the members become one where there are no blends; kSum where there are.
  Combine combine = Combine::kSum;
  std::uint32_t n_features = 0;  ///< columns of the training data; every split's is below it
  std::vector<Member> members;
  /// What is made of the members' scores, for weights and for combinations of combinations. The
  /// last one makes the score; every other column is a term of one blend.
  std::vector<Blend> blends{};
  /// When documents stop being scored, where the score is a sum: by query, at rounds before the
  /// last one.
  ExitSchedule exits{};

  /// Whether the score is the sum of the members' scores, or of their first rounds.
  [[nodiscard]] bool is_sum() const { return combine == Combine::kSum && blends.empty(); }

  /// Whether any member has a linear part.
  [[nodiscard]] bool has_linear() const {
    const auto has = [](const Member& member) { return !member.linear.empty(); };
    return std::any_of(members.begin(), members.end(), has);
  }

  /// Whether documents can be scored in part: with no more than the first rounds, by themselves.
  /// So they can in a sum none of whose linear parts looks at whole queries.
  [[nodiscard]] bool scores_in_part() const {
    const auto looks = [](const Member& member) { return member.linear.needs_queries(); };
    return is_sum() && std::none_of(members.begin(), members.end(), looks);
  }

  /// Whether a document's score depends on the others of its query: through how members are
  /// combined, the normalisation of a linear part, or exits.
  [[nodiscard]] bool needs_queries() const { return !scores_in_part() || !exits.empty(); }

  /// The largest number of rounds of any member.
  [[nodiscard]] std::size_t n_rounds() const {
    std::size_t rounds = 0;
    for (const Member& member : members) rounds = std::max(rounds, member.n_rounds());
    return rounds;
  }

  /// Of each member.
  [[nodiscard]] std::vector<std::size_t> rounds_of_members() const {
    std::vector<std::size_t> rounds;
    for (const Member& member : members) rounds.push_back(member.n_rounds());
    return rounds;
  }

  [[nodiscard]] std::size_t n_trees() const {
    std::size_t trees = 0;
    for (const Member& member : members) {
      for (const Group& group : member.groups) trees += group.trees.size();
    }
    return trees;
  }
};

inline bool operator==(const Group& a, const Group& b) {
  return a.weight == b.weight && a.reduction == b.reduction &&
         a.trees_per_round == b.trees_per_round && a.trees == b.trees;
}
inline bool operator==(const Member& a, const Member& b) {
  return a.base == b.base && a.linear == b.linear && a.groups == b.groups;
}
inline bool operator==(const Ensemble& a, const Ensemble& b) {
  return a.combine == b.combine && a.n_features == b.n_features && a.members == b.members &&
         a.blends == b.blends && a.exits == b.exits;
}

/// The first `rounds` rounds of every member, counted through its groups in order. A mean group
/// becomes the mean of what is left of it; groups with nothing left are dropped. Bases and linear
/// parts stay, and exits where rounds follow them.
inline Ensemble Prefix(Ensemble ensemble, std::size_t rounds) {
  for (Member& member : ensemble.members) {
    std::size_t left = rounds;
    for (Group& group : member.groups) {
      const std::size_t kept = std::min(left, group.n_rounds());
      group.trees.resize(kept * group.trees_per_round);
      left -= kept;
    }
    const auto is_empty = [](const Group& group) { return group.trees.empty(); };
    member.groups.erase(std::remove_if(member.groups.begin(), member.groups.end(), is_empty),
                        member.groups.end());
  }
  std::vector<ExitPoint>& points = ensemble.exits.points;
  const std::size_t n_rounds = ensemble.n_rounds();
  const auto is_behind = [&](const ExitPoint& point) { return point.round >= n_rounds; };
  points.erase(std::remove_if(points.begin(), points.end(), is_behind), points.end());
  if (points.empty()) ensemble.exits = {};
  return ensemble;
}

/// The same model that scores all documents by all trees.
inline Ensemble WithoutExits(Ensemble ensemble) {
  ensemble.exits = {};
  return ensemble;
}

/// `factor` times a linear part, but for the rounding of its weights.
inline Linear Scaled(Linear linear, double factor) {
  for (Linear::Term& term : linear.terms) {
    term.weight = static_cast<float>(factor * static_cast<double>(term.weight));
  }
  return linear;
}

/// `factor` times the scores of an ensemble that sums.
inline Ensemble Scaled(Ensemble ensemble, double factor) {
  assert(ensemble.is_sum());
  for (Member& member : ensemble.members) {
    member.base *= factor;
    member.linear = Scaled(std::move(member.linear), factor);
    for (Group& group : member.groups) group.weight *= factor;
  }
  return ensemble;
}

/// Moves the groups of `step` behind those of `start`, so that the scores are the sum of both.
/// A step that continues the last group (same weight, both sums, same trees per round) joins it. A
/// step has no linear part.
inline void Extend(Member& start, Member step) {
  assert(step.linear.empty());
  start.base += step.base;
  for (Group& next : step.groups) {
    Group* last = start.groups.empty() ? nullptr : &start.groups.back();
    if (last != nullptr && last->reduction == Reduction::kSum &&
        next.reduction == Reduction::kSum && last->weight == next.weight &&
        last->trees_per_round == next.trees_per_round) {
      last->trees.insert(last->trees.end(), std::make_move_iterator(next.trees.begin()),
                         std::make_move_iterator(next.trees.end()));
    } else {
      start.groups.push_back(std::move(next));
    }
  }
}

/// The members of both, combined as those of each: the scores of `a` plus those of `b` where both
/// sum. Neither has blends; exits of `b` are dropped.
inline Ensemble Concatenated(Ensemble a, Ensemble b) {
  assert(a.combine == b.combine && a.n_features == b.n_features);
  assert(a.blends.empty() && b.blends.empty() && a.exits.empty());
  a.members.insert(a.members.end(), std::make_move_iterator(b.members.begin()),
                   std::make_move_iterator(b.members.end()));
  return a;
}

}  // namespace rankforest
