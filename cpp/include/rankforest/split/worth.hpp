#pragma once

#include <algorithm>
#include <cmath>

#include "rankforest/core/types.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// What a split is worth beside splits by other features: its gain less what its feature is
/// charged. It must be worth more than min_gain. Every search of splits asks this part, once for
/// each feature of a node; whatever else is to favour features or rule them out belongs here.
///
/// Within a feature the gain decides, since all its splits are charged the same. So a search finds
/// the best split of a feature as ever, and only then compares it with those of others. Where
/// nothing is charged, worth is gain, and no search does anything else than without this.
class SplitWorth {
 public:
  SplitWorth() = default;

  /// @param charges  must outlive this
  /// @param unit     what a charge of 1 takes off a gain
  SplitWorth(const FeatureCharges& charges, double unit) : charges_(&charges), unit_(unit) {}

  [[nodiscard]] bool is_gain() const { return charges_ == nullptr; }

  /// The same, where gains are in another unit.
  [[nodiscard]] SplitWorth InUnit(double unit) const {
    SplitWorth worth = *this;
    worth.unit_ = unit;
    return worth;
  }
  /// Whether the unit is to be the impurity of a tree's root.
  [[nodiscard]] bool is_relative() const { return !is_gain() && charges_->are_relative(); }

  /// What is taken off the gain of every split by a feature.
  [[nodiscard]] double ChargeOf(FeatureId feature) const {
    return is_gain() ? 0.0 : (*charges_)[feature] * unit_;
  }

  /// Replaces `best` by the best split of a feature, if it is worth more.
  ///
  /// @param find  (split): replaces it by a better split of the feature, by gain
  template <class Stats, class Find>
  void FindIn(FeatureId feature, double min_gain, Split<Stats>& best, const Find& find) const {
    const double charge = ChargeOf(feature);
    if (charge == 0.0 && best.charge == 0.0) return find(best);  // both are worth their gain
    Split<Stats> found;
    find(found);
    found.charge = charge;
    if (found.worth() > min_gain && IsBetter(found, best)) best = found;
  }

  /// Replaces `best` by a split that was found to gain the most of those by its feature, and more
  /// than min_gain, if it is worth more.
  template <class Stats>
  void Offer(const Split<Stats>& found, double min_gain, Split<Stats>& best) const {
    FindIn(found.feature, min_gain, best, [&](Split<Stats>& split) {
      if (IsBetter(found, split)) split = found;
    });
  }

  /// A gain that splits by a feature do not reach unless they are worth as much as `worth`, and no
  /// less than min_gain: what bounds of gains may be asked for.
  [[nodiscard]] double LeastGain(FeatureId feature, double worth, double min_gain) const {
    if (is_gain()) return worth;
    const double charge = ChargeOf(feature);
    const double least = std::max(worth, min_gain);
    // Both this sum and Split::worth() are rounded.
    return least + charge - 0x1p-50 * (std::abs(least) + charge);
  }

 private:
  const FeatureCharges* charges_ = nullptr;
  double unit_ = 1.0;
};

}  // namespace rankforest
