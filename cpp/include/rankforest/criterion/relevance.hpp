#pragma once

#include <cstdint>

#include "rankforest/core/math.hpp"

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

}  // namespace rankforest
