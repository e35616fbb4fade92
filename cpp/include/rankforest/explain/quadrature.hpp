#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace rankforest {

/// Points and weights by which sums over points give integrals over [0, 1].
struct Quadrature {
  std::vector<double> points;   ///< in (0, 1), ascending
  std::vector<double> weights;  ///< > 0, of sum 1
};

namespace detail {

/// cos(x) for x in [0, pi / 2], to the last digits: of no library, whose bits differ.
inline double CosineOf(double x) {
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k <= 13; ++k) {
    term *= -x * x / static_cast<double>((2 * k - 1) * (2 * k));
    sum += term;
  }
  return sum;
}

/// A Legendre polynomial and its derivative at a place in (-1, 1).
struct LegendreValue {
  double value;
  double slope;
};

inline LegendreValue LegendreAt(std::size_t degree, double x) {
  double before = 1.0;
  double value = x;
  for (std::size_t k = 2; k <= degree; ++k) {
    const auto d = static_cast<double>(k);
    const double next = ((2.0 * d - 1.0) * x * value - (d - 1.0) * before) / d;
    before = value;
    value = next;
  }
  const auto n = static_cast<double>(degree);
  return {value, n * (x * value - before) / (x * x - 1.0)};
}

}  // namespace detail

/// The Gauss-Legendre rule of `n` points, >= 1: exact, but for rounding, for polynomials of degree
/// up to 2 n - 1. The same bits everywhere.
inline Quadrature GaussLegendre(std::size_t n) {
  assert(n >= 1);
  constexpr double kPi = 3.14159265358979323846;
  constexpr int kNewtonSteps = 8;  // the first guess is good to 3 digits, each step doubles them
  Quadrature rule;
  rule.points.resize(n);
  rule.weights.resize(n);
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    const bool is_middle = 2 * i + 1 == n;
    double x = is_middle ? 0.0
                         : detail::CosineOf(kPi * (static_cast<double>(i) + 0.75) /
                                            (static_cast<double>(n) + 0.5));
    for (int step = 0; step < kNewtonSteps && !is_middle; ++step) {
      const detail::LegendreValue at = detail::LegendreAt(n, x);
      x -= at.value / at.slope;
    }
    const double slope = detail::LegendreAt(n, x).slope;
    const double weight = 1.0 / ((1.0 - x * x) * slope * slope);
    rule.points[i] = 0.5 - 0.5 * x;
    rule.points[n - 1 - i] = 0.5 + 0.5 * x;
    rule.weights[i] = weight;
    rule.weights[n - 1 - i] = weight;
  }
  return rule;
}

}  // namespace rankforest
