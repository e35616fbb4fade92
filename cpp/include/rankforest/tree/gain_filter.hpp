#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/paired_sums.hpp"

namespace rankforest {

/// Tells which features of a node cannot have a split that gains as much as is asked for, from
/// packed or paired cells and without a division: most of them, once one good split is known.
///
/// With the sums G and H of a node, g and h of what is left of a boundary, a = h + l2,
/// b = H - h + l2 and S = a + b, Newton's gain is (g S - G a)^2 / (a b S) less a penalty that is
/// the same for all boundaries. It reaches a goal where (g S - G a)^2 >= (goal + penalty) S a b.
class GainFilter {
 public:
  using Stats = Newton::Stats;

  /// @param fields  of the cells' words
  /// @param node    the sums of a node whose documents fit them
  GainFilter(const Newton::Scaled& criterion, const SplitRules& rules,
             const detail::PackedFields& fields, const Stats& node)
      : fields_(fields), missing_rule_(rules.missing) {
    const std::uint64_t fewest = std::max<std::uint64_t>(1, rules.min_samples_leaf);
    fewest_left_ = fewest;
    most_left_ = node.count - std::min(node.count, fewest);

    const double to_grad = criterion.scales().grad.ToReal(1);
    const double to_hess = criterion.scales().hess.ToReal(1) * fields_.hess_unit;
    l2_ = criterion.l2() / to_hess;
    grad_ = static_cast<double>(node.grad);
    hess_ = static_cast<double>(node.hess) / fields_.hess_unit + l2_;
    both_ = hess_ + l2_;
    slack_ = kRounding * fields_.grad_bias * both_;
    per_gain_ = to_hess / (to_grad * to_grad) * both_;
    if (l2_ != 0.0) penalty_ = l2_ * grad_ * grad_ / (both_ * (both_ - l2_));
    rules_out_ = IsOrdinary(to_grad) && IsOrdinary(to_hess) && (l2_ == 0.0 || IsOrdinary(l2_));
  }

  /// Whether a split between two of the cells may gain `goal` or more. Where not, none does, in
  /// the rounded numbers of Newton::Scaled::Gain().
  ///
  /// @param cells    of a feature's bins, ascending
  /// @param missing  the cell of NaN
  [[nodiscard]] bool MayGain(Span<const std::uint64_t> cells, std::uint64_t missing,
                             double goal) const {
    assert(cells.size() <= FeatureBins::kMost);
    if (!CanRuleOut(goal)) return true;
    std::array<std::uint64_t, FeatureBins::kMost> left;
    std::uint64_t sum = 0;
    std::size_t n = 0;
    for (const std::uint64_t cell : cells) {
      left[n] = sum += cell;
      n += Advance(cell);
    }
    const Left words = {left.data(), left.data(), n};
    return AnyGains(words, FloorOf(goal), missing, [&] {
      for (std::size_t i = 0; i < n; ++i) left[i] += missing;
    });
  }

  /// The same of paired cells.
  [[nodiscard]] bool MayGain(Span<const detail::PairedSums> cells,
                             const detail::PairedSums& missing, double goal) const {
    assert(cells.size() <= FeatureBins::kMost);
    if (!CanRuleOut(goal)) return true;
    std::array<std::uint64_t, FeatureBins::kMost> grad;
    std::array<std::uint64_t, FeatureBins::kMost> rest;
    detail::PairedSums sum;
    std::size_t n = 0;
    for (const detail::PairedSums& cell : cells) {
      sum += cell;
      grad[n] = sum.grad;
      rest[n] = sum.rest;
      n += Advance(cell.rest);
    }
    const Left words = {grad.data(), rest.data(), n};
    return AnyGains(words, FloorOf(goal), missing.rest, [&] {
      for (std::size_t i = 0; i < n; ++i) {
        grad[i] += missing.grad;
        rest[i] += missing.rest;
      }
    });
  }

 private:
  /// What roundings may change g S - G a by, here and in Gain() together, as a part of the largest
  /// gradient times S: each is off by less than ten roundings of 2^-53.
  static constexpr double kRounding = 0x1p-47;
  /// Leaves room for the roundings of the other steps, too.
  static constexpr double kBelow = 1.0 - 1e-9;

  /// Whether products of a few such numbers are far from the ends of what doubles hold.
  [[nodiscard]] static bool IsOrdinary(double x) { return x > 0x1p-100 && x < 0x1p100; }

  [[nodiscard]] bool CanRuleOut(double goal) const { return rules_out_ && goal > 0.0; }
  [[nodiscard]] double FloorOf(double goal) const {
    return kBelow * (goal * per_gain_ + penalty_ * both_);
  }

  /// Words with what is left of each boundary: the sums of gradients, and the others, which may be
  /// in the same words.
  struct Left {
    const std::uint64_t* grad;
    const std::uint64_t* rest;
    std::size_t size;
  };

  /// How many boundaries a cell makes: a boundary behind an empty cell is the one before it.
  [[nodiscard]] std::size_t Advance(std::uint64_t word) const { return Count(word) != 0 ? 1 : 0; }
  [[nodiscard]] std::uint64_t Count(std::uint64_t word) const { return word & fields_.count_mask; }

  /// The boundaries with enough documents on either side: they follow each other.
  [[nodiscard]] Left Allowed(const Left& left) const {
    const std::uint64_t* const end = left.rest + left.size;
    const std::uint64_t* const first = std::partition_point(
        left.rest, end, [this](std::uint64_t word) { return Count(word) < fewest_left_; });
    const std::uint64_t* const last = std::partition_point(
        first, end, [this](std::uint64_t word) { return Count(word) <= most_left_; });
    return {left.grad + (first - left.rest), first, static_cast<std::size_t>(last - first)};
  }

  /// Compilers make vector code of it.
  struct Loop {
    const GainFilter& filter;
    Left left;
    double floor;

    [[gnu::always_inline]] bool operator()() const {
      const detail::PackedFields fields = filter.fields_;
      const double l2 = filter.l2_;
      const double all_grad = filter.grad_;
      const double all_hess = filter.hess_;
      const double both = filter.both_;
      const double slack = filter.slack_;
      const std::uint64_t* const grad = left.grad;
      const std::uint64_t* const rest = left.rest;
      const std::size_t n = left.size;
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double hess = fields.Hess(rest[i]);
        const double a = hess + l2;
        const double b = all_hess - hess;
        const double difference = fields.Grad(grad[i]) * both - all_grad * a;
        const double largest = (difference < 0.0 ? -difference : difference) + slack;
        any |= largest * largest >= floor * a * b ? 1 : 0;
      }
      return any != 0;
    }
  };

  /// Whether a boundary reaches the floor, wherever NaN goes.
  ///
  /// @param left         without NaN
  /// @param missing      the word with the number of documents of NaN
  /// @param add_missing  puts NaN on the left
  template <class AddMissing>
  [[nodiscard]] bool AnyGains(const Left& left, double floor, std::uint64_t missing,
                              const AddMissing& add_missing) const {
    if (detail::CallWide(Loop{*this, Allowed(left), floor})) return true;
    if (Count(missing) == 0) return false;
    if (missing_rule_ == MissingRule::kThird) return true;
    add_missing();
    return detail::CallWide(Loop{*this, Allowed(left), floor});
  }

  detail::PackedFields fields_;
  MissingRule missing_rule_;
  std::uint64_t fewest_left_;
  std::uint64_t most_left_;
  // In the units of the fields; sums of hessians that both sides have with l2 added.
  double l2_;
  double grad_;
  double hess_;  // of the node, + l2
  double both_;  // of the node, + 2 l2: S above
  double slack_;
  double per_gain_;
  double penalty_ = 0.0;
  bool rules_out_;  // whether the arithmetic can be trusted
};

}  // namespace rankforest
