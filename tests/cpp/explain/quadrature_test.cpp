#include "rankforest/explain/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

namespace rankforest {
namespace {

double IntegralOfPower(const Quadrature& rule, std::size_t power) {
  double sum = 0.0;
  for (std::size_t k = 0; k < rule.points.size(); ++k) {
    sum += rule.weights[k] * std::pow(rule.points[k], static_cast<double>(power));
  }
  return sum;
}

TEST_CASE("the rules of one and two points are those of the books") {
  const Quadrature one = GaussLegendre(1);
  CHECK(one.points[0] == 0.5);
  CHECK(one.weights[0] == 1.0);
  const Quadrature two = GaussLegendre(2);
  CHECK(two.points[0] == doctest::Approx(0.5 - 0.5 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(two.points[1] == doctest::Approx(0.5 + 0.5 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(two.weights[0] == doctest::Approx(0.5).epsilon(1e-15));
}

TEST_CASE("a rule of n points integrates powers up to 2 n - 1, and not 2 n") {
  for (std::size_t n = 1; n <= 40; ++n) {
    const Quadrature rule = GaussLegendre(n);
    for (std::size_t power = 0; power < 2 * n; ++power) {
      const double exact = 1.0 / static_cast<double>(power + 1);
      CHECK(IntegralOfPower(rule, power) == doctest::Approx(exact).epsilon(1e-13));
    }
  }
  CHECK(std::abs(IntegralOfPower(GaussLegendre(3), 6) - 1.0 / 7.0) > 1e-5);
}

TEST_CASE("points ascend within (0, 1) and weights are positive, also for 500 points") {
  const Quadrature rule = GaussLegendre(500);
  double before = 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k < 500; ++k) {
    CHECK(rule.points[k] > before);
    CHECK(rule.points[k] < 1.0);
    CHECK(rule.weights[k] > 0.0);
    before = rule.points[k];
    sum += rule.weights[k];
  }
  CHECK(sum == doctest::Approx(1.0).epsilon(1e-13));
}

}  // namespace
}  // namespace rankforest
