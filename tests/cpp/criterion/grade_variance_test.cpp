#include "rankforest/criterion/grade_variance.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/settings.hpp"
#include "support/graded_node.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("the gain is the drop of squared error") {
  // Relevance {0, 1, 3} and {0, 1}: squared error 14/3 and 1/2 about the means 4/3 and 1/2.
  const Dataset data = testing::OneFeature({1, 2, 3}, {0, 1, 2}).Make();
  const auto gain = [&](Relevance relevance, double left_grade) {
    const GradedDocuments documents(data, relevance);
    const testing::GradedRows rows(documents, WholeSample(3));
    GradeVariance variance(documents);
    variance.BeginTree(rows.node());
    REQUIRE(variance.Begin(rows.node()));
    for (std::size_t d = 0; d < 3; ++d) {
      if (data.grades()[d] == left_grade) variance.MoveLeft(d);
    }
    return variance.Gain();
  };
  CHECK(gain(Relevance::kExp2, 2.0) == doctest::Approx(14.0 / 3.0 - 0.5));
  CHECK(gain(Relevance::kGrade, 1.0) == 0.0);
  CHECK(gain(Relevance::kGrade, 2.0) == doctest::Approx(2.0 - 0.5));
  CHECK(gain(Relevance::kGrade, 9.0) == 0.0);
}

TEST_CASE("squared error is what trees split by unless told otherwise") {
  CHECK(SplitCriterion{} == SplitCriterion::kSquaredError);
}

}  // namespace rankforest
