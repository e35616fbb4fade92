#pragma once

#include <cstdint>

#include "rankforest/core/presorted.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// The child that a split sends NaN to. The order is the one in which equal gains are preferred.
enum class MissingTo : std::uint8_t { kLeft = 0, kRight = 1, kOwn = 2 };

/// A way to split one node, and the statistics of its children.
template <class Stats>
struct Split {
  double gain = 0.0;    ///< 0: no split
  double charge = 0.0;  ///< what is taken off the gain where splits are compared: see SplitWorth
  FeatureId feature = 0;
  float threshold = 0.0F;
  Code cut = 0;  ///< codes up to it are the node's values <= threshold
  MissingTo missing = MissingTo::kLeft;
  bool saw_missing = false;  ///< whether the node had NaN, so that `missing` was learned
  Stats left;
  Stats right;
  Stats own;  ///< of the third child, for MissingTo::kOwn

  [[nodiscard]] bool exists() const { return gain > 0.0; }
  [[nodiscard]] double worth() const { return gain - charge; }
};

/// Whether `a` is preferred to `b`: worth more; of those worth the same the lower feature, then
/// the lower threshold, then missing left.
template <class Stats>
[[nodiscard]] bool IsBetter(const Split<Stats>& a, const Split<Stats>& b) {
  if (a.worth() != b.worth()) return a.worth() > b.worth();
  if (!a.exists()) return false;
  if (a.feature != b.feature) return a.feature < b.feature;
  if (a.threshold != b.threshold) return a.threshold < b.threshold;
  return a.missing < b.missing;
}

}  // namespace rankforest
