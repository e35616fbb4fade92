#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

// The pairs of one document with all those behind it in a ranking: a *row*. The loops over a row
// have no branch and are short, with their results in memory in between: compilers make vector
// code of them, and processors overlap many steps of a loop. Every sum has one order of additions,
// so vectors of any width give the same bits.

/// A document and the `size` documents behind it.
struct PairRow {
  double score;
  double grade;
  std::size_t size;
  const double* scores;  ///< none above `score`
  const double* grades;
  const double* deltas;  ///< change of the metric by a swap with each, >= 0; 0 for equal grades
  double* lambdas;       ///< the lambda of each pair, for sigma 1, is added: > 0 pushes down
  double* hessians;      ///< likewise
  double* odds;          ///< scratch
  double* signs;         ///< scratch
};

/// What the pairs of a row add up to.
struct PairSums {
  double lambda = 0.0;     ///< with their signs
  double magnitude = 0.0;  ///< without
  double hess = 0.0;
};

/// The sum of f(value) in an order of additions that suits vectors of up to eight numbers.
template <class Function>
[[gnu::always_inline]] inline double LaneSum(const double* values, std::size_t size, Function f) {
  std::array<double, 8> lanes{};
  std::size_t begin = 0;
  for (; begin + lanes.size() <= size; begin += lanes.size()) {
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] += f(values[begin + k]);
  }
  for (std::size_t k = 0; begin + k < size; ++k) lanes[k] += f(values[begin + k]);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// Computes a row for pairs that are `steepness` x (difference of scores) = log2 of the odds apart.
struct PullRow {
  const PairRow& row;
  double steepness;

  [[gnu::always_inline]] PairSums operator()() const {
    const std::size_t size = row.size;
    double* __restrict const odds = row.odds;
    double* __restrict const signs = row.signs;
    SetExponents(row.scores, odds);
    for (std::size_t k = 0; k < size; ++k) odds[k] = Exp2WithoutBranch(odds[k]);
    SetOutOfOrder(row.grades, signs);
    SetTerms(row.deltas, odds, signs, row.lambdas, row.hessians);
    const auto same = [](double value) { return value; };
    const auto magnitude = [](double value) { return std::abs(value); };
    return {LaneSum(signs, size, same), LaneSum(signs, size, magnitude), LaneSum(odds, size, same)};
  }

 private:
  /// Binary logarithms of odds, none so small that its power of two would not be normal.
  [[gnu::always_inline]] void SetExponents(const double* __restrict scores,
                                           double* __restrict exponents) const {
    constexpr double kSmallest = -1000.0;
    for (std::size_t k = 0; k < row.size; ++k) {
      const double exponent = steepness * (scores[k] - row.score);
      exponents[k] = exponent > kSmallest ? exponent : kSmallest;
    }
  }

  /// 1 for each pair that is not in the order of its grades, else 0.
  [[gnu::always_inline]] void SetOutOfOrder(const double* __restrict grades,
                                            double* __restrict out_of_order) const {
    const double grade = row.grade;
    for (std::size_t k = 0; k < row.size; ++k) out_of_order[k] = grade > grades[k] ? 0.0 : 1.0;
  }

  /// Adds the terms of each pair and leaves its lambda in `signs` and its hessian in `odds`.
  ///
  /// With the odds e <= 1 that the one behind belongs in front and q = 1 / (1 + e), rho is e q for
  /// a pair in order and q for another, whose lambda, with its sign, is -q = e q - 1.
  [[gnu::always_inline]] void SetTerms(const double* __restrict deltas, double* __restrict odds,
                                       double* __restrict signs, double* __restrict lambdas,
                                       double* __restrict hessians) const {
    for (std::size_t k = 0; k < row.size; ++k) {
      const double q = 1.0 / (1.0 + odds[k]);
      const double in_order = deltas[k] * (odds[k] * q);
      const double lambda = in_order - deltas[k] * signs[k];
      const double hess = in_order * q;
      lambdas[k] += lambda;
      hessians[k] += hess;
      signs[k] = lambda;
      odds[k] = hess;
    }
  }
};

/// Adds the pairs of a row to the documents behind and returns what the one in front gets less.
inline PairSums AddPairs(const PairRow& row, double sigma) {
  constexpr double kLog2E = 1.4426950408889634;
  const PullRow pull{row, sigma * kLog2E};
  return HasAvx2() ? CallForAvx2(pull) : pull();
}

}  // namespace rankforest::detail
