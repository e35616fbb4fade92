#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest::detail {

// Checks of judgements and scores: fast where all is well, exact about the place where not.

[[noreturn]] inline void RefuseAt(const std::string& what, double value, RowId row,
                                  const std::string& expectation) {
  throw std::invalid_argument(what + " " + NumberToString(value) + " of row " +
                              std::to_string(row) + " (counted from 0) " + expectation);
}

inline bool AreFiniteNotNegative(Span<const double> values) {
  bool good = true;
  for (const double value : values) {
    good = good && value >= 0.0 && value <= std::numeric_limits<double>::max();
  }
  return good;
}

/// Checks that values are finite and >= 0. `row_of(i)` is the caller's row of values[i].
template <class RowOf>
void RequireFiniteNotNegative(const char* what, Span<const double> values, const RowOf& row_of) {
  if (AreFiniteNotNegative(values)) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0.0 && std::isfinite(values[i])) continue;
    RefuseAt(what, values[i], row_of(i), "must be a finite number >= 0");
  }
}

/// Checks that weights of documents are from 0 to kLargestWeight.
template <class RowOf>
void RequireWeights(Span<const double> weights, const RowOf& row_of) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= 0.0 && weights[i] <= kLargestWeight) continue;
    RefuseAt("weight", weights[i], row_of(i), "must be from 0 to 1e30");
  }
}

/// Checks that a metric has a value for each of the grades, whose different ones are `distinct`.
template <class Calculator, class RowOf>
void RequireGradesOf(const Calculator& calculator, const char* what, Span<const double> distinct,
                     Span<const double> grades, const RowOf& row_of) {
  try {
    for (const double grade : distinct) calculator.Check(grade);
  } catch (const std::invalid_argument&) {
    for (std::size_t i = 0; i < grades.size(); ++i) {
      try {
        calculator.Check(grades[i]);
      } catch (const std::invalid_argument& error) {
        RefuseAt(what, grades[i], row_of(i), error.what());
      }
    }
  }
}

inline void RequireNoNaN(Span<const double> scores, const JudgedQueries& queries, std::size_t q) {
  bool good = true;
  for (const double score : scores) good = good && score == score;
  if (good) return;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isnan(scores[i])) continue;
    throw std::invalid_argument("the score of row " +
                                std::to_string(queries.Row(queries.offsets[q] + i)) +
                                " (counted from 0) is NaN, expected a number");
  }
}

/// Checks that the judged documents of a query can hold the ranked ones: both lists are sorted,
/// best first, and no rank of the first has a lower grade than that rank of the second.
inline void RequireRankedAmongJudged(Span<const double> judged, Span<const double> ranked,
                                     RowId row) {
  for (std::size_t r = 0; r < ranked.size() && ranked[r] > 0.0; ++r) {
    if (r < judged.size() && judged[r] >= ranked[r]) continue;
    throw std::invalid_argument("the judgements of the query of row " + std::to_string(row) +
                                " (counted from 0) have " + "fewer documents of grade " +
                                NumberToString(ranked[r]) +
                                " or more than the ranked documents, which must be among them");
  }
}

inline void RequireFiniteGains(double normaliser, RowId row) {
  if (std::isfinite(normaliser)) return;
  throw std::invalid_argument(
      "the gains of the query of row " + std::to_string(row) +
      " (counted from 0) add up to more than float64 holds; use gain=linear or a table of gains");
}

}  // namespace rankforest::detail
