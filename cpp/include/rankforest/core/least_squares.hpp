#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

/// Weighted least squares with an intercept: the weights w and the base b for which the sum of
/// weight x (b + w . x - y)^2 over rows is least.
///
/// Rows are added one by one, in an order that the caller fixes, into the running means and
/// co-moments of all variables (Welford, "Note on a method for calculating corrected sums of
/// squares and products", Technometrics 4, 1962), so that the result is the same bits everywhere. A
/// variable that others determine gets weight 0.
class LeastSquares {
 public:
  explicit LeastSquares(std::size_t n_variables)
      : n_(n_variables + 1), means_(n_, 0.0), moments_(n_ * n_, 0.0), before_(n_), after_(n_) {}

  /// @param x       of each variable
  /// @param weight  >= 0
  void Add(Span<const double> x, double y, double weight) {
    assert(x.size() + 1 == n_);
    if (weight == 0.0) return;
    total_ += weight;
    const double share = weight / total_;
    for (std::size_t i = 0; i < n_; ++i) {
      const double value = i + 1 < n_ ? x[i] : y;
      before_[i] = value - means_[i];
      means_[i] += share * before_[i];
      after_[i] = value - means_[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) At(i, j) += weight * before_[i] * after_[j];
    }
  }

  struct Solution {
    double base = 0.0;
    std::vector<double> weights;
  };

  /// By a Cholesky factorisation that takes the variable with the largest remainder next.
  [[nodiscard]] Solution Solve() const {
    const std::size_t n = n_ - 1;
    std::vector<std::size_t> order(n);
    std::vector<double> left(n);  // of each variable: what those before do not explain
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = 0; i < n; ++i) left[i] = At(i, i);
    std::vector<std::vector<double>> rows(n_);  // of the factor, by variable; the last is of y
    std::size_t rank = 0;
    for (; rank < n; ++rank) {
      std::size_t best = rank;
      for (std::size_t i = rank + 1; i < n; ++i) {
        if (left[order[i]] > left[order[best]]) best = i;
      }
      std::swap(order[rank], order[best]);
      const std::size_t pivot = order[rank];
      if (!(left[pivot] > kDetermined * At(pivot, pivot))) break;
      const double root = std::sqrt(left[pivot]);
      for (std::size_t i = rank + 1; i <= n; ++i) {
        const std::size_t variable = i < n ? order[i] : n;
        double rest = At(variable, pivot);
        for (std::size_t k = 0; k < rank; ++k) rest -= rows[variable][k] * rows[pivot][k];
        rows[variable].push_back(rest / root);
        if (i < n) left[variable] -= rows[variable].back() * rows[variable].back();
      }
      rows[pivot].push_back(root);
    }
    return Substituted(order, rows, rank);
  }

 private:
  /// Share of a variable's sum of squares that rounding may leave of one that others determine.
  static constexpr double kDetermined = 1e-10;

  [[nodiscard]] double& At(std::size_t i, std::size_t j) {
    return i >= j ? moments_[i * n_ + j] : moments_[j * n_ + i];
  }
  [[nodiscard]] double At(std::size_t i, std::size_t j) const {
    return i >= j ? moments_[i * n_ + j] : moments_[j * n_ + i];
  }

  [[nodiscard]] Solution Substituted(const std::vector<std::size_t>& order,
                                     const std::vector<std::vector<double>>& rows,
                                     std::size_t rank) const {
    const std::size_t n = n_ - 1;
    Solution solution{n_ > 0 ? means_[n] : 0.0, std::vector<double>(n, 0.0)};
    for (std::size_t i = rank; i-- > 0;) {
      double rest = rows[n][i];
      for (std::size_t k = i + 1; k < rank; ++k) {
        rest -= rows[order[k]][i] * solution.weights[order[k]];
      }
      solution.weights[order[i]] = rest / rows[order[i]][i];
    }
    for (std::size_t i = 0; i < n; ++i) solution.base -= solution.weights[i] * means_[i];
    return solution;
  }

  std::size_t n_;  // variables, y as the last one
  double total_ = 0.0;
  std::vector<double> means_;
  std::vector<double> moments_;  // lower half
  std::vector<double> before_;   // of the row that is added: distance to the means before it
  std::vector<double> after_;    // to those after
};

}  // namespace rankforest
