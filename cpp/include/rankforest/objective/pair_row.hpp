#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

// The pairs of one document with all those behind it in a ranking: a *row*. The loops over a row
// have no branch and are short, with their results in memory in between: compilers make vector
// code of them, and processors overlap many steps of a loop. Every sum has one order of additions,
// so vectors of any width give the same bits.

/// A document and the `size` documents behind it.
struct PairRow {
  double odds;  ///< > 0
  double grade;
  std::size_t size;
  const double* odds_behind;  ///< divided by `odds`: that each belongs in front, at most 1
  const double* grades;
  const double* deltas;   ///< change of the metric by a swap with each, >= 0; 0 for equal grades
  double* lambdas;        ///< the lambda of each pair, for sigma 1, is added: > 0 pushes down
  double* hessians;       ///< likewise
  double* lambda_terms;   ///< scratch
  double* hessian_terms;  ///< scratch
  const double* weights = nullptr;  ///< of each pair; for PullWeightedRow
};

/// What the pairs of a row add up to.
struct PairSums {
  double lambda = 0.0;     ///< with their signs
  double magnitude = 0.0;  ///< without, and without weights
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

/// Sets odds[k] to 2^(steepness x (scores[k] - above)), no score being above `above`; far below it
/// to a number that is next to nothing, but not 0.
struct OddsBelow {
  double above;
  double steepness;
  const double* scores;
  std::size_t size;
  double* odds;

  [[gnu::always_inline]] void operator()() const {
    constexpr double kSmallest = -1000.0;  // powers of two there are normal numbers
    double* __restrict const out = odds;
    for (std::size_t k = 0; k < size; ++k) {
      const double exponent = steepness * (scores[k] - above);
      out[k] = exponent > kSmallest ? exponent : kSmallest;
    }
    for (std::size_t k = 0; k < size; ++k) out[k] = Exp2WithoutBranch(out[k]);
  }
};

/// Sets odds[i] to e^(slope x (scores[i] - the best score)), unless the least of them would be next
/// to nothing. Returns whether it did; else `odds` is empty.
///
/// @param scores  at least one
inline bool SetOddsBelowBest(Span<const double> scores, double slope, std::vector<double>& odds) {
  constexpr double kLongest = 600.0;
  const auto [least, best] = std::minmax_element(scores.begin(), scores.end());
  odds.clear();
  if (!(slope * (*best - *least) < kLongest)) return false;
  odds.resize(scores.size());
  CallWide(OddsBelow{*best, slope * kLog2E, scores.data(), scores.size(), odds.data()});
  return true;
}

/// Adds the pairs of a row to the documents behind and returns what the one in front gets less.
template <bool kIsWeighted>
struct PullPairs {
  const PairRow& row;

  [[gnu::always_inline]] PairSums operator()() const {
    SetOutOfOrder(row.grades, row.lambda_terms);
    SetTerms(row.odds_behind, row.deltas, row.lambda_terms, row.hessian_terms, row.lambdas,
             row.hessians);
    const auto same = [](double value) { return value; };
    const auto magnitude = [](double value) { return std::abs(value); };
    PairSums sums;
    sums.magnitude = LaneSum(row.lambda_terms, row.size, magnitude);
    if constexpr (kIsWeighted) {
      Weigh(row.weights, row.lambda_terms, row.lambdas);
      Weigh(row.weights, row.hessian_terms, row.hessians);
    }
    sums.lambda = LaneSum(row.lambda_terms, row.size, same);
    sums.hess = LaneSum(row.hessian_terms, row.size, same);
    return sums;
  }

 private:
  /// 1 for each pair that is not in the order of its grades, else 0.
  [[gnu::always_inline]] void SetOutOfOrder(const double* __restrict grades,
                                            double* __restrict out_of_order) const {
    const double grade = row.grade;
    for (std::size_t k = 0; k < row.size; ++k) out_of_order[k] = grade > grades[k] ? 0.0 : 1.0;
  }

  /// Multiplies the terms of each pair by its weight and adds them.
  [[gnu::always_inline]] void Weigh(const double* __restrict weights, double* __restrict terms,
                                    double* __restrict sums) const {
    for (std::size_t k = 0; k < row.size; ++k) {
      terms[k] *= weights[k];
      sums[k] += terms[k];
    }
  }

  /// Sets the terms of each pair, and adds them where pairs have no weights; `lambda_terms` has 1
  /// for those out of order before.
  ///
  /// With the odds e <= 1 that the one behind belongs in front and q = 1 / (1 + e), rho is e q for
  /// a pair in order and q for another, whose lambda, with its sign, is -q = e q - 1.
  [[gnu::always_inline]] void SetTerms(const double* __restrict odds_behind,
                                       const double* __restrict deltas,
                                       double* __restrict lambda_terms,
                                       double* __restrict hessian_terms, double* __restrict lambdas,
                                       double* __restrict hessians) const {
    const double factor = 1.0 / row.odds;
    for (std::size_t k = 0; k < row.size; ++k) {
      const double odds = odds_behind[k] * factor;
      const double q = 1.0 / (1.0 + odds);
      const double in_order = deltas[k] * (odds * q);
      const double lambda = in_order - deltas[k] * lambda_terms[k];
      const double hess = in_order * q;
      if constexpr (!kIsWeighted) {
        lambdas[k] += lambda;
        hessians[k] += hess;
      }
      lambda_terms[k] = lambda;
      hessian_terms[k] = hess;
    }
  }
};

using PullRow = PullPairs<false>;
using PullWeightedRow = PullPairs<true>;

}  // namespace rankforest::detail
