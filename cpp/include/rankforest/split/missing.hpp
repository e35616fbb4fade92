#pragma once

#include <cmath>
#include <cstdint>

#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/direction.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/worth.hpp"

namespace rankforest {

/// Where a node that saw NaN may send it.
enum class MissingRule : std::uint8_t {
  kLearn = 0,  ///< left or right, whichever gains more
  kThird = 1,  ///< also to a third child of its own
};

/// What every split and its children must meet.
struct SplitRules {
  std::uint64_t min_samples_leaf = 1;  ///< documents, repeats included
  double min_gain = 0.0;               ///< a split must be worth more
  MissingRule missing = MissingRule::kLearn;
  SplitWorth worth = {};
  const FeatureConstraints* constraints = nullptr;  ///< none: null
  const std::uint8_t* usable = nullptr;   ///< of each feature whether the tree may ask; null: all
  const std::uint8_t* allowed = nullptr;  ///< of each feature whether the node may; null: all

  /// The rules of a node.
  ///
  /// @param features  see `allowed`
  [[nodiscard]] SplitRules At(const std::uint8_t* features) const {
    SplitRules rules = *this;
    rules.allowed = features;
    return rules;
  }
  [[nodiscard]] bool admits_all() const { return usable == nullptr && allowed == nullptr; }
  /// Whether a split may be by a feature.
  [[nodiscard]] bool Admits(FeatureId feature) const {
    return (usable == nullptr || usable[feature] != 0) &&
           (allowed == nullptr || allowed[feature] != 0);
  }
  /// The direction of a feature: see FeatureConstraints.
  [[nodiscard]] int DirectionOf(FeatureId feature) const {
    if (constraints == nullptr || constraints->directions.empty()) return 0;
    return constraints->directions[feature];
  }
  /// By which features are drawn; empty: all alike.
  [[nodiscard]] Span<const double> weights() const {
    return constraints == nullptr ? Span<const double>() : Span<const double>(constraints->weights);
  }
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
  // NaN alone on one side is neither above nor below.
  const int direction = std::isinf(at.threshold) ? 0 : rules.DirectionOf(at.feature);
  const auto consider = [&](MissingTo to, const Stats& l, const Stats& r, const Stats& own) {
    if (!allows(l) || !allows(r)) return;
    if (!KeepsDirection(criterion, direction, l, r)) return;
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
