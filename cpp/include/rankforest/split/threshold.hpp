#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "rankforest/core/float_order.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/split/direction.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

// Threshold searches: Find(criterion, column, feature, parent, rules, rng, best) looks at one
// feature of one node and replaces `best` by a better split. `column` (see node_column.hpp) has the
// statistics of the node's values in cells, ascending; a cell may be empty.

/// The threshold of a split that only tells values from NaN: every finite value is left of it, and
/// infinity as well where training may have seen it as the largest number.
///
/// @param largest  value of the data set
inline constexpr float AboveAll(float largest) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  return largest < kLargest ? kLargest : std::numeric_limits<float>::infinity();
}

/// Tries every boundary between neighbouring values with running sums (Mohan 2010, section 1.6
/// and appendix A; the sums are those of its equation, not of its pseudo-code, which leaves out
/// the number of documents).
struct BestThreshold {
  template <class Criterion, class Column, class Stats>
  void Find(const Criterion& criterion, Column& column, FeatureId feature, const Stats& parent,
            const SplitRules& rules, const Rng& /*rng*/, Split<Stats>& best) const {
    column.Sort();
    const Span<const Stats> cells = UpToLastValue(column.cells());
    if (cells.empty()) return;
    const Stats& missing = column.missing();
    const Stats values = parent - missing;
    Split<Stats> at;
    at.feature = feature;
    const auto scan = [&](const Stats& left, const Stats& right, const Stats& own) {
      const Boundary found = Scan(criterion, cells, rules, feature, {left, values + right, own});
      if (found.gain < best.gain || !(found.gain > rules.min_gain)) return;
      std::size_t next = found.cell + 1;
      while (cells[next].count == 0) ++next;
      at.cut = column.CodeOf(found.cell);
      at.threshold = Midpoint(column.Highest(at.cut), column.Lowest(column.CodeOf(next)));
      const Stats below = Sum(cells, found.cell);
      ConsiderPlacements(criterion, rules, at, below, values - below, missing, best);
    };
    scan(missing, {}, {});
    if (missing.count == 0) return;
    scan({}, missing, {});
    if (rules.missing == MissingRule::kThird) scan({}, {}, missing);
    at.cut = column.CodeOf(cells.size() - 1);
    at.threshold = AboveAll(column.Largest());
    ConsiderPlacements(criterion, rules, at, values, Stats{}, missing, best);
  }

 private:
  /// Without the empty cells at the end.
  template <class Stats>
  static Span<const Stats> UpToLastValue(Span<const Stats> cells) {
    std::size_t size = cells.size();
    while (size > 0 && cells[size - 1].count == 0) --size;
    return cells.subspan(0, size);
  }

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

  /// The first boundary of the largest gain.
  template <class Criterion, class Stats>
  static Boundary Scan(const Criterion& criterion, Span<const Stats> cells, const SplitRules& rules,
                       FeatureId feature, const Children<Stats>& children) {
    Boundary best;
    const int direction = rules.DirectionOf(feature);
    const Stats all = children.left + children.right;
    double gain_of_own = 0.0;
    if (children.own.count > 0) {
      if (children.own.count < rules.min_samples_leaf) return best;
      gain_of_own = criterion.Gain(all, children.own);
    }
    // Boundaries with a value and enough documents on either side follow each other. One behind an
    // empty cell gains what the one before it does, and so is not the first.
    Stats left = children.left;
    std::size_t cell = 0;
    while (cell + 1 < cells.size() && cells[cell].count == 0) ++cell;
    for (; cell + 1 < cells.size() && left.count + cells[cell].count < rules.min_samples_leaf;
         ++cell) {
      left += cells[cell];
    }
    const std::uint64_t most_left = all.count - std::min(all.count, rules.min_samples_leaf);
    typename Criterion::LeftSums sums;
    std::array<double, Criterion::kMostGains> gains;
    for (sums.size = gains.size(); sums.size == gains.size();) {
      sums.size = 0;
      for (; cell + 1 < cells.size() && left.count + cells[cell].count <= most_left &&
             sums.size < gains.size();
           ++cell) {
        left += cells[cell];
        sums.Push(static_cast<double>(left.grad), static_cast<double>(left.hess));
      }
      const double largest = criterion.Gains(all, sums, gains);
      if (!(largest + gain_of_own > best.gain)) continue;
      for (std::size_t i = 0; i < sums.size; ++i) {
        if (!(gains[i] + gain_of_own > best.gain)) continue;
        const Stats side = {static_cast<std::int64_t>(sums.grad[i]),
                            static_cast<std::int64_t>(sums.hess[i]), 0};
        if (!criterion.Allows(side) || !criterion.Allows(all - side)) continue;
        if (!KeepsDirection(criterion, direction, side, all - side)) continue;
        best = {gains[i] + gain_of_own, cell - sums.size + i};
      }
    }
    return best;
  }

  template <class Stats>
  static Stats Sum(Span<const Stats> cells, std::size_t last) {
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
    Place(column, range.first, range.last, rng, at);
    const Stats left = column.SumUpTo(at.cut);
    const Stats& missing = column.missing();
    ConsiderPlacements(criterion, rules, at, left, parent - missing - left, missing, best);
  }

  /// Sets threshold and cut of a split on at.feature.
  ///
  /// @param first, last  codes of the node's smallest and largest value; first < last
  template <class Column, class Stats>
  static void Place(const Column& column, Code first, Code last, const Rng& node_rng,
                    Split<Stats>& at) {
    const float drawn = Draw(column.Lowest(first), column.Highest(last),
                             node_rng.Child(Purpose::kThreshold, at.feature));
    at.cut = LastBelow(column, first, last, drawn);
    const float highest = column.Highest(at.cut);
    const bool divides = drawn >= highest && drawn < column.Lowest(at.cut + 1);
    at.threshold = divides ? drawn : highest;  // a bin goes left or right as a whole
  }

 private:
  /// The last code in [first, last) whose lowest value is not above `value`.
  template <class Column>
  static Code LastBelow(const Column& column, Code first, Code last, float value) {
    while (last - first > 1) {
      const Code middle = first + (last - first) / 2;
      (column.Lowest(middle) <= value ? first : last) = middle;
    }
    return first;
  }

  /// A threshold in [low, high).
  static float Draw(float low, float high, Rng rng) {
    const auto width = static_cast<double>(high) - static_cast<double>(low);
    const auto threshold = static_cast<float>(static_cast<double>(low) + rng.Uniform() * width);
    return threshold < high ? threshold : low;
  }
};

}  // namespace rankforest
