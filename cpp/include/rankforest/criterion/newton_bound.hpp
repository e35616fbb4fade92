#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/gradient_side.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

/// Tells which bins of a feature may have a threshold inside that gains as much as is asked for,
/// from sums alone: of each bin's documents, and of those of them that are on one side of a ratio.
///
/// Let documents on one side have r <= g / h <= R, and sums G and H in a bin. Those of them that a
/// threshold inside the bin leaves on its left have sums x and y with r y <= x <= R y, and the
/// others r (H - y) <= G - x <= R (H - y): a parallelogram with sides along the two ratios. The
/// sums of all that it leaves on its left are in the sum of two such parallelograms, an octagon.
/// The gain is a sum of squares over linear functions of the sums, each divided by another that is
/// positive: it is convex, and so nowhere in the octagon larger than at a corner. Two corners are
/// the bin's ends; the other six are those that Mark() looks at.
class NewtonBound {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  NewtonBound() = default;
  NewtonBound(const Newton::Scaled& criterion, const GradientSide& side,
              const NodeRows<Target>& node)
      : criterion_(criterion), side_is_above_(side.is_above) {
    for (const Target target : node.targets) {
      if (target.grad == 0 && target.hess == 0) continue;
      const double ratio = static_cast<double>(target.grad) / static_cast<double>(target.hess);
      (side.Has(target) == side.is_above ? above_ : below_).Widen(ratio);
    }
    is_bounded_ = above_.Round() && below_.Round();
  }

  /// Marks every bin that may have a threshold inside that gains `goal` or more.
  ///
  /// @param bins        sums of each bin
  /// @param of_side     sums of each bin's documents on the side
  /// @param left        of the documents that are left of the first bin
  /// @param all         of those on both sides of the threshold
  /// @param may_divide  (bin) -> whether it has several values
  /// @returns whether it marked any
  template <class MayDivide>
  bool Mark(Span<const Stats> bins, const Stats* of_side, Stats left, const Stats& all, double goal,
            const MayDivide& may_divide, std::uint8_t* marks) const {
    const bool rules_out = is_bounded_ && goal > 0.0;
    const double floor = rules_out ? Floor(goal, all) : 0.0;
    bool any = false;
    Corners corners;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      if (bins[b].count > 1 && may_divide(b)) {
        if (rules_out) {
          if (corners.is_full()) any = MarkAbove(floor, all, corners, marks) || any;
          Push(left, bins[b], of_side[b], b, corners);
        } else {
          marks[b] = 1;
          any = true;
        }
      }
      left += bins[b];
    }
    return MarkAbove(floor, all, corners, marks) || any;
  }

 private:
  /// Sums of gradients and hessians.
  struct Sums {
    double grad = 0.0;
    double hess = 0.0;

    friend Sums operator+(Sums a, Sums b) { return {a.grad + b.grad, a.hess + b.hess}; }
  };

  /// Ratios of gradient to hessian, in the fit's units.
  struct Ratios {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();

    void Widen(double ratio) {
      lowest = std::min(lowest, ratio);
      highest = std::max(highest, ratio);
    }

    /// Makes room for rounding; whether both are finite.
    bool Round() {
      if (lowest > highest) lowest = highest = 0.0;  // no documents
      constexpr double kRounding = 1e-12;
      lowest -= kRounding * std::abs(lowest);
      highest += kRounding * std::abs(highest);
      return std::isfinite(lowest) && std::isfinite(highest);
    }

    /// The part that documents of the highest ratio would have of `all` if the others had the
    /// lowest; the rest is the part of those.
    [[nodiscard]] Sums PartOfHighest(const Sums& all) const {
      const double width = highest - lowest;
      if (!(width > 0.0)) return {};
      const double hess = std::clamp((all.grad - lowest * all.hess) / width, 0.0, all.hess);
      return {highest * hess, hess};
    }
    [[nodiscard]] Sums PartOfLowest(const Sums& all, const Sums& of_highest) const {
      const double hess = all.hess - of_highest.hess;
      return {lowest * hess, hess};
    }
  };

  static constexpr std::size_t kCorners = 6;  // of each bin

  /// Corners of some bins.
  struct Corners {
    Newton::Scaled::LeftSums left;
    std::array<std::size_t, Newton::Scaled::kMostGains / kCorners> bin = {};

    [[nodiscard]] bool is_full() const { return left.size / kCorners == bin.size(); }
  };

  /// What all corners of a bin must be below for it to be left out. Corners and their gains are
  /// rounded, by a few times 1e-16 R sqrt(goal H): their terms G_l H_r are at most R H_l H_r. This
  /// leaves a thousand times as much.
  [[nodiscard]] double Floor(double goal, const Stats& all) const {
    const GradientScales& scales = criterion_.scales();
    const double hess = scales.hess.ToReal(all.hess) + criterion_.l2();
    const double to_real = scales.grad.ToReal(1) / scales.hess.ToReal(1);
    const double largest = std::max({std::abs(above_.highest), std::abs(above_.lowest),
                                     std::abs(below_.highest), std::abs(below_.lowest)});
    return goal - 1e-9 * goal - 1e-12 * largest * to_real * std::sqrt(goal * hess);
  }

  /// The corners, from the bin's beginning along the highest ratios first and along the lowest
  /// first.
  void Push(const Stats& left, const Stats& bin, const Stats& of_side, std::size_t index,
            Corners& corners) const {
    const Sums side = {static_cast<double>(of_side.grad), static_cast<double>(of_side.hess)};
    const Stats others = bin - of_side;
    const Sums rest = {static_cast<double>(others.grad), static_cast<double>(others.hess)};
    const Sums& above = side_is_above_ ? side : rest;
    const Sums& below = side_is_above_ ? rest : side;
    const Sums above_highest = above_.PartOfHighest(above);
    const Sums below_highest = below_.PartOfHighest(below);
    const Sums above_lowest = above_.PartOfLowest(above, above_highest);
    const Sums below_lowest = below_.PartOfLowest(below, below_highest);
    const auto push = [&](const Sums& part) {
      corners.left.Push(static_cast<double>(left.grad) + part.grad,
                        static_cast<double>(left.hess) + part.hess);
    };
    corners.bin[corners.left.size / kCorners] = index;
    push(above_highest);
    push(above);
    push(above + below_highest);
    push(below_lowest);
    push(below);
    push(below + above_lowest);
  }

  bool MarkAbove(double floor, const Stats& all, Corners& corners, std::uint8_t* marks) const {
    bool any = false;
    std::array<double, Newton::Scaled::kMostGains> gains;
    const double largest = criterion_.Gains(all, corners.left, gains);
    for (std::size_t i = 0; largest >= floor && i < corners.left.size; ++i) {
      if (gains[i] < floor) continue;
      marks[corners.bin[i / kCorners]] = 1;
      any = true;
    }
    corners.left.size = 0;
    return any;
  }

  Newton::Scaled criterion_;
  bool side_is_above_ = true;
  Ratios above_;
  Ratios below_;
  bool is_bounded_ = false;
};

}  // namespace rankforest
