#include "rankforest/metric/gain.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest {

using detail::Discounts;
using detail::GainFunction;

TEST_CASE("gains follow their rule") {
  const GainFunction exp2(Gain{});
  CHECK(exp2(0) == 0.0);
  CHECK(exp2(4) == 15.0);
  CHECK(exp2(0.5) == doctest::Approx(std::sqrt(2.0) - 1.0));
  CHECK(exp2(31) == 2147483647.0);
  CHECK(exp2(32) == 4294967295.0);
  CHECK(exp2(1023) == Exp2(1023.0));
  CHECK(exp2(1.5) == Exp2(1.5) - 1.0);
  const GainFunction linear(Gain{GainRule::kLinear, {}});
  CHECK(linear(2.5) == 2.5);
  const GainFunction table(Gain{GainRule::kTable, {0.0, 1.5, 7.0}});
  CHECK(table(2) == 7.0);
}

TEST_CASE("grades without a gain are refused") {
  CHECK_NOTHROW(GainFunction(Gain{}).Check(1023));
  CHECK_THROWS_AS(GainFunction(Gain{}).Check(1023.5), std::invalid_argument);
  CHECK_NOTHROW(GainFunction(Gain{GainRule::kLinear, {}}).Check(1e300));
  const GainFunction table(Gain{GainRule::kTable, {0.0, 1.0}});
  CHECK_NOTHROW(table.Check(1));
  CHECK_THROWS_AS(table.Check(2), std::invalid_argument);
  CHECK_THROWS_AS(table.Check(0.5), std::invalid_argument);
  CHECK_THROWS_AS(table.Check(1e300), std::invalid_argument);
}

TEST_CASE("grades that are cut to whole numbers have the gains of these") {
  const GainFunction exp2(Gain{}, GradeRule::kTrunc);
  CHECK(exp2(2.9) == 3.0);
  CHECK(exp2(0.9) == 0.0);
  CHECK_NOTHROW(exp2.Check(1023.5));
  const GainFunction table(Gain{GainRule::kTable, {0.0, 1.0}}, GradeRule::kTrunc);
  CHECK(table(1.5) == 1.0);
  CHECK_NOTHROW(table.Check(1.5));
  CHECK_THROWS_AS(table.Check(2.0), std::invalid_argument);
}

TEST_CASE("discounts start at 1 and fall; LETOR's spare rank 2") {
  const std::vector<double> log2 = Discounts(Discount::kLog2, 4);
  const std::vector<double> letor = Discounts(Discount::kLetor, 4);
  CHECK(log2 == std::vector<double>{1.0, 1.0 / Log2(3.0), 0.5, 1.0 / Log2(5.0)});
  CHECK(letor == std::vector<double>{1.0, 1.0, 1.0 / Log2(3.0), 0.5});
  CHECK(Discounts(Discount::kReciprocal, 3) == std::vector<double>{1.0, 0.5, 1.0 / 3.0});
  CHECK(Discounts(Discount::kLetor, 1) == std::vector<double>{1.0});
  CHECK(Discounts(Discount::kLetor, 0).empty());
}

}  // namespace rankforest
