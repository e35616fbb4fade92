#include "rankforest/criterion/relevance.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("relevance is the grade, or the gain that NDCG gives it") {
  CHECK(RelevanceOf(3.0, Relevance::kGrade) == 3.0);
  CHECK(RelevanceOf(0.5, Relevance::kGrade) == 0.5);
  // Ibrahim 2020, section 5.2.1: {0, 1, 2, 3, 4} become {0, 1, 3, 7, 15}.
  const double mapped[] = {0.0, 1.0, 3.0, 7.0, 15.0};
  for (int grade = 0; grade < 5; ++grade) {
    CHECK(RelevanceOf(grade, Relevance::kExp2) == mapped[grade]);
  }
}

}  // namespace rankforest
