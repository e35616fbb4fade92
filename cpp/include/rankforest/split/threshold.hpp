#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

// Threshold searches: Find(criterion, column, feature, parent, rules, rng, best) looks at one
// feature of one node and replaces `best` by a better split.

/// The float32 midpoint of a < b; a itself where the midpoint would reach b.
inline float Midpoint(float a, float b) {
  const auto middle = static_cast<float>((static_cast<double>(a) + static_cast<double>(b)) / 2.0);
  return middle < b ? middle : a;
}

/// The threshold of a split that only tells values from NaN: every finite value is left of it.
inline constexpr float kAllValues = std::numeric_limits<float>::max();

/// Tries every boundary between neighbouring values with running sums (Mohan 2010, section 1.6
/// and appendix A; the sums are those of its equation, not of its pseudo-code, which leaves out
/// the number of documents).
struct BestThreshold {
  template <class Criterion, class Column, class Stats>
  void Find(const Criterion& criterion, Column& column, FeatureId feature, const Stats& parent,
            const SplitRules& rules, const Rng& /*rng*/, Split<Stats>& best) const {
    column.Sort();
    const auto& codes = column.codes();
    if (codes.empty()) return;
    const Stats& missing = column.missing();
    const Stats values = parent - missing;
    Split<Stats> at;
    at.feature = feature;
    const auto scan = [&](const Stats& left, const Stats& right, const Stats& own) {
      const Boundary found = Scan(criterion, column.cells(), rules, {left, values + right, own});
      if (found.gain < best.gain || !(found.gain > rules.min_gain)) return;
      at.cut = codes[found.cell];
      at.threshold = Midpoint(column.value(at.cut), column.value(codes[found.cell + 1]));
      const Stats below = Sum(column.cells(), found.cell);
      ConsiderPlacements(criterion, rules, at, below, values - below, missing, best);
    };
    scan(missing, {}, {});
    if (missing.count == 0) return;
    scan({}, missing, {});
    if (rules.missing == MissingRule::kThird) scan({}, {}, missing);
    at.cut = codes.back();
    at.threshold = kAllValues;
    ConsiderPlacements(criterion, rules, at, values, Stats{}, missing, best);
  }

 private:
  struct Boundary {
    double gain = 0.0;
    std::size_t cell = 0;  ///< the last cell that is left of it
  };

  /// Children before any value has moved from right to left.
  template <class Stats>
  struct Children {
    Stats left;
    Stats right;
    Stats own;  ///< of the third child; empty if there is none
  };

  /// The first boundary of the largest gain. The one loop that runs per value.
  template <class Criterion, class Stats>
  static Boundary Scan(const Criterion& criterion, const std::vector<Stats>& cells,
                       const SplitRules& rules, Children<Stats> children) {
    Boundary best;
    if (children.own.count > 0 && children.own.count < rules.min_samples_leaf) return best;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      children.left += cells[i];
      children.right = children.right - cells[i];
      if (children.left.count < rules.min_samples_leaf) continue;
      if (children.right.count < rules.min_samples_leaf) break;
      double gain = criterion.Gain(children.left, children.right);
      if (children.own.count > 0) {
        gain += criterion.Gain(children.left + children.right, children.own);
      }
      if (gain > best.gain && criterion.Allows(children.left) && criterion.Allows(children.right)) {
        best = {gain, i};
      }
    }
    return best;
  }

  template <class Stats>
  static Stats Sum(const std::vector<Stats>& cells, std::size_t last) {
    Stats sum;
    for (std::size_t i = 0; i <= last; ++i) sum += cells[i];
    return sum;
  }
};

/// Draws one threshold uniformly between the node's smallest and largest value (Geurts, Ernst
/// and Wehenkel, "Extremely randomized trees", Machine Learning 2006).
struct RandomThreshold {
  template <class Criterion, class Column, class Stats>
  void Find(const Criterion& criterion, Column& column, FeatureId feature, const Stats& parent,
            const SplitRules& rules, const Rng& rng, Split<Stats>& best) const {
    const auto range = column.Measure();
    if (range.first >= range.last) return;
    Split<Stats> at;
    at.feature = feature;
    at.threshold = Draw(column.value(range.first), column.value(range.last),
                        rng.Child(Purpose::kThreshold, feature));
    const auto& values = column.values();
    at.cut = static_cast<Code>(
        std::upper_bound(values.begin() + range.first, values.begin() + range.last, at.threshold) -
        values.begin() - 1);
    const Stats left = column.SumUpTo(at.cut);
    const Stats& missing = column.missing();
    ConsiderPlacements(criterion, rules, at, left, parent - missing - left, missing, best);
  }

 private:
  /// A threshold in [low, high).
  static float Draw(float low, float high, Rng rng) {
    const auto width = static_cast<double>(high) - static_cast<double>(low);
    const auto threshold = static_cast<float>(static_cast<double>(low) + rng.Uniform() * width);
    return threshold < high ? threshold : low;
  }
};

}  // namespace rankforest
