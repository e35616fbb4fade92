#pragma once

#include <cstdint>

#include "rankforest/split/split.hpp"
#include "rankforest/split/worth.hpp"

namespace rankforest {

/// Where a node that saw NaN may send it.
enum class MissingRule : std::uint8_t {
  kLearn = 0,  ///< left or right, whichever gains more
  kThird = 1,  ///< also to a third child of its own
};

/// What every child of a split must meet.
struct SplitRules {
  std::uint64_t min_samples_leaf = 1;  ///< documents, repeats included
  double min_gain = 0.0;               ///< a split must be worth more
  MissingRule missing = MissingRule::kLearn;
  SplitWorth worth = {};
};

/// Tries the placements of a node's missing documents for one threshold and keeps the best
/// split in `best`.
///
/// @param at       feature, threshold and cut of the split
/// @param left     statistics of the node's values <= threshold
/// @param right    statistics of its values > threshold
/// @param missing  statistics of its NaN
template <class Criterion, class Stats>
void ConsiderPlacements(const Criterion& criterion, const SplitRules& rules, const Split<Stats>& at,
                        const Stats& left, const Stats& right, const Stats& missing,
                        Split<Stats>& best) {
  const auto allows = [&](const Stats& child) {
    return child.count >= rules.min_samples_leaf && criterion.Allows(child);
  };
  const auto consider = [&](MissingTo to, const Stats& l, const Stats& r, const Stats& own) {
    if (!allows(l) || !allows(r)) return;
    double gain = criterion.Gain(l, r);
    if (to == MissingTo::kOwn) gain += criterion.Gain(l + r, own);
    if (!(gain > rules.min_gain) || gain < best.gain) return;
    Split<Stats> split = at;
    split.gain = gain;
    split.missing = to;
    split.saw_missing = missing.count > 0;
    split.left = l;
    split.right = r;
    split.own = own;
    if (IsBetter(split, best)) best = split;
  };
  consider(MissingTo::kLeft, left + missing, right, Stats{});
  if (missing.count == 0) return;
  consider(MissingTo::kRight, left, right + missing, Stats{});
  if (rules.missing == MissingRule::kThird && allows(missing)) {
    consider(MissingTo::kOwn, left, right, missing);
  }
}

}  // namespace rankforest
