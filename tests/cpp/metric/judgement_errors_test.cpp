#include "rankforest/metric/judgement_errors.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/types.hpp"
#include "rankforest/metric/gain.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/settings.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

RowId TenMore(std::size_t i) { return static_cast<RowId>(i + 10); }

TEST_CASE("the first value that is not finite or negative is named with its row") {
  CHECK_NOTHROW(detail::RequireFiniteNotNegative("grade", std::vector<double>{0, 1e308}, TenMore));
  for (const double bad : {double{kNaN}, double{kInf}, -1.0}) {
    CHECK_THROWS_AS(
        detail::RequireFiniteNotNegative("grade", std::vector<double>{0, bad, -2}, TenMore),
        std::invalid_argument);
  }
  CHECK_THROWS_WITH(
      detail::RequireFiniteNotNegative("grade", std::vector<double>{0, -1, -2}, TenMore),
      "grade -1 of row 11 (counted from 0) must be a finite number >= 0");
}

TEST_CASE("the first weight that is out of range is named with its row") {
  CHECK_NOTHROW(detail::RequireWeights(std::vector<double>{0, 1e-300, 1e30}, TenMore));
  for (const double bad : {double{kNaN}, double{kInf}, -1.0, 1.0001e30}) {
    CHECK_THROWS_AS(detail::RequireWeights(std::vector<double>{0, bad, -2}, TenMore),
                    std::invalid_argument);
  }
  CHECK_THROWS_WITH(detail::RequireWeights(std::vector<double>{0, 1e308, -2}, TenMore),
                    "weight 1e+308 of row 11 (counted from 0) must be from 0 to 1e30");
}

TEST_CASE("the first grade that a metric cannot value is named, not the highest") {
  const detail::GainFunction gain(Gain{GainRule::kTable, {0.0, 1.0, 3.0}});
  const std::vector<double> good{0, 2};
  const std::vector<double> distinct_of_good{2, 0};
  CHECK_NOTHROW(detail::RequireGradesOf(gain, "grade", distinct_of_good, good, TenMore));
  const std::vector<double> grades{1, 3, 9, 0.5};
  const std::vector<double> distinct{9, 3, 1, 0.5};
  CHECK_THROWS_WITH(detail::RequireGradesOf(gain, "grade", distinct, grades, TenMore),
                    "grade 3 of row 11 (counted from 0) must be a whole number from 0 to 2, the "
                    "grades that the table of gains holds");
}

TEST_CASE("a score that is no number is named with the caller's row") {
  const std::vector<RowId> offsets{0, 1, 3};
  const std::vector<double> grades{0, 1, 2};
  const std::vector<RowId> rows{4, 5, 6};
  const JudgedQueries queries{offsets, grades, {}, rows, {}, {}, {}};
  CHECK_NOTHROW(detail::RequireNoNaN(std::vector<double>{kInf, -kInf}, queries, 1));
  CHECK_THROWS_WITH(detail::RequireNoNaN(std::vector<double>{0, kNaN}, queries, 1),
                    "the score of row 6 (counted from 0) is NaN, expected a number");
}

TEST_CASE("ranked documents must be among the judged ones") {
  const std::vector<double> judged{3, 1, 1, 0};
  CHECK_NOTHROW(detail::RequireRankedAmongJudged(judged, std::vector<double>{3, 1, 0, 0, 0}, 2));
  CHECK_NOTHROW(detail::RequireRankedAmongJudged({}, std::vector<double>{0, 0}, 2));
  CHECK_THROWS_WITH(detail::RequireRankedAmongJudged(judged, std::vector<double>{3, 2}, 2),
                    "the judgements of the query of row 2 (counted from 0) have fewer documents of "
                    "grade 2 or more than the ranked documents, which must be among them");
  CHECK_THROWS_AS(detail::RequireRankedAmongJudged({}, std::vector<double>{1}, 2),
                  std::invalid_argument);
}

TEST_CASE("gains beyond float64 are refused") {
  CHECK_NOTHROW(detail::RequireFiniteGains(1e308, 1));
  CHECK_THROWS_AS(detail::RequireFiniteGains(kInf, 1), std::invalid_argument);
}

}  // namespace rankforest
