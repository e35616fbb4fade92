#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rankforest/core/math.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// Second-order split criterion: with G and H the sums of gradients and hessians of a node, the
/// gain of a split is G_l^2 / (H_l + l2) + G_r^2 / (H_r + l2) - G^2 / (H + l2).
///
/// With unit hessians and l2 = 0 it is exactly the drop in squared error (Mohan 2010, section
/// 1.6), so CART, forests and MART need no criterion of their own.
///
/// Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016, eq. 6 and 7 (without
/// their factor 1/2).
struct Newton {
  double l2 = 0.0;           ///< ridge penalty on leaf values, >= 0
  double min_hessian = 0.0;  ///< least sum of hessians of a child, >= 0

  /// What one document brings, in fixed point.
  struct Target {
    std::int32_t grad = 0;
    std::int32_t hess = 0;

    friend bool operator==(Target a, Target b) { return a.grad == b.grad && a.hess == b.hess; }
  };

  /// Sufficient statistics of a set of documents.
  struct Stats {
    std::int64_t grad = 0;
    std::int64_t hess = 0;
    std::uint64_t count = 0;  ///< documents, repeats included

    void Add(Target target, std::uint32_t times) {
      grad += std::int64_t{target.grad} * times;
      hess += std::int64_t{target.hess} * times;
      count += times;
    }
    Stats& operator+=(const Stats& other) {
      grad += other.grad;
      hess += other.hess;
      count += other.count;
      return *this;
    }
    friend Stats operator+(Stats a, const Stats& b) { return a += b; }
    friend Stats operator-(Stats a, const Stats& b) {
      a.grad -= b.grad;
      a.hess -= b.hess;
      a.count -= b.count;
      return a;
    }
  };

  /// The criterion in the fixed-point units of one fit.
  class Scaled {
   public:
    Scaled() = default;
    Scaled(const Newton& settings, const GradientScales& scales)
        : scales_(scales), l2_(settings.l2), min_hessian_(settings.min_hessian) {}

    [[nodiscard]] Target ToTarget(const GradientPair& pair) const {
      return {static_cast<std::int32_t>(scales_.grad.ToInteger(pair.grad)),
              static_cast<std::int32_t>(scales_.hess.ToInteger(pair.hess))};
    }

    /// As a tree's growth asks every criterion: a document and its gradients.
    [[nodiscard]] Target ToTarget(RowId /*row*/, const GradientPair& pair) const {
      return ToTarget(pair);
    }

    [[nodiscard]] const GradientScales& scales() const { return scales_; }
    [[nodiscard]] double l2() const { return l2_; }

    /// Whether a child with these statistics may exist.
    [[nodiscard]] bool Allows(const Stats& child) const {
      return scales_.hess.ToReal(child.hess) >= min_hessian_;
    }

    /// What a leaf of these documents would predict.
    [[nodiscard]] double StepOf(const Stats& sums) const {
      const double denominator = scales_.hess.ToReal(sums.hess) + l2_;
      return denominator > 0.0 ? -scales_.grad.ToReal(sums.grad) / denominator : 0.0;
    }

    /// The gain of splitting the union of `left` and `right` into the two.
    ///
    /// Written so that nothing cancels: with a = H_l + l2 and b = H_r + l2 it is
    /// (G_l b - G_r a)^2 / (a b (a + b)) - l2 G^2 / ((a + b) (a + b - l2)). Two sides with the
    /// same mean gain exactly 0, which a difference of three rounded terms would not give.
    [[nodiscard]] double Gain(const Stats& left, const Stats& right) const {
      const double a = scales_.hess.ToReal(left.hess) + l2_;
      const double b = scales_.hess.ToReal(right.hess) + l2_;
      const double product = a * b * (a + b);
      if (!(product > 0.0)) return 0.0;
      const double grad_left = scales_.grad.ToReal(left.grad);
      const double grad_right = scales_.grad.ToReal(right.grad);
      const double difference = grad_left * b - grad_right * a;
      const double gain = difference * difference / product;
      if (l2_ == 0.0) return gain;
      const double grad = grad_left + grad_right;
      return gain - l2_ * grad * grad / ((a + b) * (a + b - l2_));
    }

    /// What splits of some documents could gain together without ridge penalty: the sum of squares
    /// of their steps -g / h around their mean, weighted by h, or sum g^2 / h - G^2 / H. Documents
    /// without a hessian do not count.
    ///
    /// @param sums  of the documents
    [[nodiscard]] double Impurity(const NodeRows<Target>& node, const Stats& sums) const {
      if (sums.hess <= 0) return 0.0;
      const double mean = static_cast<double>(sums.grad) / static_cast<double>(sums.hess);
      double impurity = 0.0;
      for (std::size_t i = 0; i < node.size(); ++i) {
        if (node.targets[i].hess <= 0) continue;
        const auto hess = static_cast<double>(node.targets[i].hess);
        const double off = static_cast<double>(node.targets[i].grad) - mean * hess;
        impurity += node.Count(i) * (off * off / hess);
      }
      const double to_grad = scales_.grad.ToReal(1);
      return impurity * (to_grad * to_grad / scales_.hess.ToReal(1));
    }

    /// How many splits Gains() looks at in one call at most; a multiple of four.
    static constexpr std::size_t kMostGains = 64;

    /// The sums of gradients and hessians on the left of several splits of the same documents, in
    /// the fit's units.
    struct LeftSums {
      std::array<double, kMostGains> grad;  // not set beyond size: that was a third of the time
      std::array<double, kMostGains> hess;  // that scanning small nodes took
      std::size_t size;

      LeftSums() : size(0) {}

      void Push(double more_grad, double more_hess) {
        grad[size] = more_grad;
        hess[size++] = more_hess;
      }
    };

    /// Gain() of each of several splits, to the bit. Sums must be below 2^53.
    ///
    /// @param total  of the documents on both sides
    /// @returns the largest gain, or 0 if none is larger
    double Gains(const Stats& total, const LeftSums& left,
                 std::array<double, kMostGains>& gains) const {
      return detail::CallWide(GainLoop{*this, total, left, gains});
    }

   private:
    /// Loops that compilers make vector code of: nothing in them depends on a comparison but
    /// which of two numbers is taken.
    struct GainLoop {
      const Scaled& criterion;
      const Stats& total;
      const LeftSums& left;
      std::array<double, kMostGains>& gains;

      [[gnu::always_inline]] double operator()() const {
        const std::size_t n = left.size;
        const double to_grad = criterion.scales_.grad.ToReal(1);
        const double to_hess = criterion.scales_.hess.ToReal(1);
        const double l2 = criterion.l2_;
        const auto all_grad = static_cast<double>(total.grad);
        const auto all_hess = static_cast<double>(total.hess);
        std::array<double, kMostGains> product;
        std::array<double, kMostGains> penalty;
        std::array<double, kMostGains> both;
        for (std::size_t i = 0; i < n; ++i) {
          const double a = left.hess[i] * to_hess + l2;
          const double b = (all_hess - left.hess[i]) * to_hess + l2;
          const double grad_left = left.grad[i] * to_grad;
          const double grad_right = (all_grad - left.grad[i]) * to_grad;
          const double difference = grad_left * b - grad_right * a;
          gains[i] = difference * difference;
          product[i] = a * b * (a + b);
          const double grad = grad_left + grad_right;
          penalty[i] = l2 * grad * grad;
          both[i] = (a + b) * (a + b - l2);
        }
        for (std::size_t i = 0; i < n; ++i) {
          const double divisor = product[i] > 0.0 ? product[i] : 1.0;
          const double has_gain = product[i] > 0.0 ? 1.0 : 0.0;
          gains[i] = gains[i] / divisor * has_gain;
        }
        if (l2 != 0.0) {
          for (std::size_t i = 0; i < n; ++i) {
            const double divisor = product[i] > 0.0 ? both[i] : 1.0;
            const double has_gain = product[i] > 0.0 ? 1.0 : 0.0;
            gains[i] -= penalty[i] / divisor * has_gain;
          }
        }
        return Largest();
      }

      /// Four at a time: one at a time each would wait for the one before.
      [[nodiscard, gnu::always_inline]] double Largest() const {
        for (std::size_t i = left.size; i % 4 != 0; ++i) gains[i] = 0.0;
        std::array<double, 4> largest = {};
        for (std::size_t i = 0; i < left.size; i += 4) {
          for (std::size_t k = 0; k < 4; ++k) {
            largest[k] = gains[i + k] > largest[k] ? gains[i + k] : largest[k];
          }
        }
        return std::max({largest[0], largest[1], largest[2], largest[3]});
      }
    };

    GradientScales scales_;
    double l2_ = 0.0;
    double min_hessian_ = 0.0;
  };

  /// The step that minimises the quadratic model of the loss: -G / (H + l2); 0 where the
  /// hessian is 0 and nothing regularises it.
  [[nodiscard]] double LeafValue(double grad, double hess) const {
    const double denominator = hess + l2;
    return denominator > 0.0 ? (0.0 - grad) / denominator : 0.0;  // not -0.0 where grad is 0
  }
};

}  // namespace rankforest
