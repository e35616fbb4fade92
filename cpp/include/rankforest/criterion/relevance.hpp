#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest {

/// What point-wise trees predict of a document (Ibrahim 2020, section 5.2).
enum class Relevance : std::uint8_t {
  kGrade = 0,  ///< its grade l
  kExp2 = 1,   ///< 2^l - 1, the gain of NDCG: "mapped relevance"
};

/// Of a grade >= 0; under kExp2 one that is beyond float64 is infinite.
[[nodiscard]] inline double RelevanceOf(double grade, Relevance relevance) {
  return relevance == Relevance::kGrade ? grade : Exp2(grade) - 1.0;
}

/// For trees that predict the relevance of documents: leaves are float32.
///
/// @param grades  at least one, finite and >= 0
/// @throws std::invalid_argument  if float32 cannot hold the relevance of one
inline void RequirePredictableGrades(Span<const double> grades, Relevance relevance) {
  const double largest = *std::max_element(grades.begin(), grades.end());
  if (relevance == Relevance::kExp2 && largest > 127.0) {
    throw std::invalid_argument(
        "grades must be at most 127 where trees predict 2^grade - 1; the largest is " +
        detail::NumberToString(largest));
  }
  if (relevance == Relevance::kGrade && largest > std::numeric_limits<float>::max()) {
    throw std::invalid_argument(
        "grades must be at most 3.4e38, which float32 holds, where trees predict grades; the "
        "largest is " +
        detail::NumberToString(largest));
  }
}

}  // namespace rankforest
