#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/validate_blends.hpp"
#include "rankforest/core/validate_linear.hpp"
#include "rankforest/core/validate_tree.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

namespace detail {

[[noreturn]] inline void NotFinite(const char* name, double value) {
  throw std::invalid_argument(std::string(name) + " is " + Shown(value) +
                              ", expected a finite number");
}

/// Calls check(i) for each i in [0, size); what it throws names `part` i.
template <class Check>
void ValidateEach(const char* part, std::size_t size, Threads threads, const Check& check) {
  ParallelFor(threads, size, [&](std::size_t i) {
    try {
      check(i);
    } catch (const std::invalid_argument& error) {
      Invalid(part, i, error.what());
    }
  });
}

inline void ValidateGroup(const Group& group, std::uint32_t n_features, Threads threads) {
  if (!std::isfinite(group.weight)) NotFinite("the weight", group.weight);
  if (group.reduction != Reduction::kSum && group.reduction != Reduction::kMean) {
    throw std::invalid_argument("the reduction is neither sum nor mean");
  }
  if (group.trees.empty()) throw std::invalid_argument("has no tree");
  if (group.trees_per_round == 0 || group.trees.size() % group.trees_per_round != 0) {
    throw std::invalid_argument("has " + std::to_string(group.trees.size()) +
                                " trees in rounds of " + std::to_string(group.trees_per_round) +
                                ", expected whole rounds");
  }
  ValidateEach("tree", group.trees.size(), threads,
               [&](std::size_t t) { ValidateTree(group.trees[t], n_features, group.weight); });
}

/// Throws unless documents may exit from the model as it says, and it says so in one way only.
inline void ValidateExits(const Ensemble& ensemble) {
  const ExitSchedule& exits = ensemble.exits;
  if (exits.empty()) {
    if (!(exits == ExitSchedule{})) throw std::invalid_argument("exits without rounds");
    return;
  }
  Validate(exits);
  if (!ensemble.is_sum()) {
    throw std::invalid_argument(
        "a model that combines scores within queries has no score before its last tree at which "
        "documents could exit");
  }
  if (!ensemble.scores_in_part()) {
    throw std::invalid_argument(
        "a model that normalizes features within queries scores documents together: none of them "
        "can exit");
  }
  if (exits.scope != ExitScope::kQuery) {
    throw std::invalid_argument("the exits of a model must be by query");
  }
  if (exits.points.back().round >= ensemble.n_rounds()) {
    throw std::invalid_argument("the exit at round " + std::to_string(exits.points.back().round) +
                                " must come before the last of the model's " +
                                std::to_string(ensemble.n_rounds()) + " rounds");
  }
}

}  // namespace detail

/// Throws std::invalid_argument, naming the place, unless `ensemble` is one that can be scored,
/// saved and cut to a prefix: what every ensemble that leaves a trainer, a file or Python is.
///
/// There is a member, every group has trees in whole rounds, every tree passes ValidateTree, every
/// linear part ValidateLinear, and weights, bases and the sum of the bases are finite; blends pass
/// ValidateBlends. Uses no recursion: depth is no limit.
inline void Validate(const Ensemble& ensemble, Threads threads = {}) {
  if (ensemble.combine != Combine::kSum && ensemble.combine != Combine::kMinMax &&
      ensemble.combine != Combine::kBorda) {
    throw std::invalid_argument("the combination is none of sum, minmax, borda");
  }
  if (ensemble.members.empty()) throw std::invalid_argument("the model has no member");
  double bases = 0.0;
  for (const Member& member : ensemble.members) bases += std::abs(member.base);
  if (!std::isfinite(bases)) detail::NotFinite("the sum of the members' bases", bases);
  detail::ValidateEach("member", ensemble.members.size(), Threads{1}, [&](std::size_t m) {
    const Member& member = ensemble.members[m];
    ValidateLinear(member.linear, ensemble.n_features);
    detail::ValidateEach("group", member.groups.size(), Threads{1}, [&](std::size_t g) {
      detail::ValidateGroup(member.groups[g], ensemble.n_features, threads);
    });
  });
  ValidateBlends(ensemble);
  detail::ValidateExits(ensemble);
}

}  // namespace rankforest
