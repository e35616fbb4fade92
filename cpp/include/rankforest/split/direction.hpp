#pragma once

#include <algorithm>
#include <limits>
#include <utility>

namespace rankforest {

// Monotone trees: where a feature has a direction, no split by it may step against it, and the
// values of all leaves on either side keep to their side of a bound between the two. That is the
// mid-point of what the sides would predict as leaves, so that no leaf further down can cross it
// (the "basic" method of LightGBM and XGBoost).

/// What the leaves below a node may predict.
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] double Clip(double value) const { return std::min(std::max(value, low), high); }
};

/// The bounds of the two sides of a split.
///
/// @param node         those of the node that is split
/// @param direction    of its feature: 1 or -1; 0: the sides may predict anything that the node may
/// @param left, right  what the sides would predict as leaves, by themselves
inline std::pair<ValueBounds, ValueBounds> BoundSides(const ValueBounds& node, int direction,
                                                      double left, double right) {
  if (direction == 0) return {node, node};
  const double middle = 0.5 * node.Clip(left) + 0.5 * node.Clip(right);
  const ValueBounds below = {node.low, middle};
  const ValueBounds above = {middle, node.high};
  return direction > 0 ? std::make_pair(below, above) : std::make_pair(above, below);
}

/// Whether a split steps in the direction of its feature.
///
/// @param criterion  StepOf(stats): what a leaf would predict
template <class Criterion, class Stats>
[[nodiscard]] bool KeepsDirection(const Criterion& criterion, int direction, const Stats& left,
                                  const Stats& right) {
  if (direction == 0) return true;
  const double step = criterion.StepOf(right) - criterion.StepOf(left);
  return direction > 0 ? step > 0.0 : step < 0.0;
}

}  // namespace rankforest
