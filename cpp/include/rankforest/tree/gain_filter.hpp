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

namespace rankforest {

/// Tells which features of a node cannot have a split that gains as much as is asked for, from
/// packed cells and without a division: most of them, once one good split is known.
///
/// With the sums G and H of a node, g and h of what is left of a boundary, a = h + l2,
/// b = H - h + l2 and S = a + b, Newton's gain is (g S - G a)^2 / (a b S) less a penalty that is
/// the same for all boundaries. It reaches a goal where (g S - G a)^2 >= (goal + penalty) S a b.
class GainFilter {
 public:
  using Stats = Newton::Stats;

  /// @param node  the sums of a node whose documents are one run of `sums`
  GainFilter(const Newton::Scaled& criterion, const SplitRules& rules,
             const detail::PackedSums& sums, const Stats& node)
      : fields_(sums.fields()), missing_rule_(rules.missing) {
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
    if (!rules_out_ || !(goal > 0.0)) return true;
    const double floor = kBelow * (goal * per_gain_ + penalty_ * both_);
    std::array<std::uint64_t, FeatureBins::kMost> left;
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) left[c] = sum += cells[c];
    if (detail::CallWide(Loop{*this, {left.data(), cells.size()}, floor})) return true;
    if ((missing & fields_.count_mask) == 0) return false;
    if (missing_rule_ == MissingRule::kThird) return true;
    for (std::size_t c = 0; c < cells.size(); ++c) left[c] += missing;
    return detail::CallWide(Loop{*this, {left.data(), cells.size()}, floor});
  }

 private:
  /// What roundings may change g S - G a by, here and in Gain() together, as a part of the largest
  /// gradient times S: each is off by less than ten roundings of 2^-53.
  static constexpr double kRounding = 0x1p-47;
  /// Leaves room for the roundings of the other steps, too.
  static constexpr double kBelow = 1.0 - 1e-9;

  /// Whether products of a few such numbers are far from the ends of what doubles hold.
  [[nodiscard]] static bool IsOrdinary(double x) { return x > 0x1p-100 && x < 0x1p100; }

  /// Compilers make vector code of it.
  struct Loop {
    const GainFilter& filter;
    Span<const std::uint64_t> left;
    double floor;

    [[gnu::always_inline]] bool operator()() const {
      const detail::PackedFields fields = filter.fields_;
      const double l2 = filter.l2_;
      const double all_grad = filter.grad_;
      const double all_hess = filter.hess_;
      const double both = filter.both_;
      const double slack = filter.slack_;
      const auto fewest = static_cast<std::int64_t>(filter.fewest_left_);
      const auto most = static_cast<std::int64_t>(filter.most_left_);
      const std::uint64_t* const words = left.data();
      const std::size_t n = left.size();
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const auto count = static_cast<std::int64_t>(words[i] & fields.count_mask);
        const double hess = fields.Hess(words[i]);
        const double a = hess + l2;
        const double b = all_hess - hess;
        const double difference = fields.Grad(words[i]) * both - all_grad * a;
        const double largest = (difference < 0.0 ? -difference : difference) + slack;
        const std::uint64_t gains = largest * largest >= floor * a * b ? 1 : 0;
        const std::uint64_t has_enough = count >= fewest ? 1 : 0;
        const std::uint64_t leaves_enough = count <= most ? 1 : 0;
        any |= gains & has_enough & leaves_enough;
      }
      return any != 0;
    }
  };

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
