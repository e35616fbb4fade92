#include "rankforest/core/least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

struct FittedRows {
  std::vector<std::vector<double>> x;
  std::vector<double> y;
  std::vector<double> weights;

  [[nodiscard]] LeastSquares::Solution Solve() const {
    LeastSquares least(x.front().size());
    for (std::size_t i = 0; i < y.size(); ++i) least.Add(x[i], y[i], weights[i]);
    return least.Solve();
  }

  [[nodiscard]] double Loss(const LeastSquares::Solution& solution) const {
    double loss = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double residual = solution.base - y[i];
      for (std::size_t j = 0; j < x[i].size(); ++j) residual += solution.weights[j] * x[i][j];
      loss += weights[i] * residual * residual;
    }
    return loss;
  }
};

FittedRows RandomRows(std::size_t n, std::size_t n_variables, Rng& rng) {
  FittedRows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.x.emplace_back();
    for (std::size_t j = 0; j < n_variables; ++j) rows.x.back().push_back(rng.Uniform());
    rows.y.push_back(rng.Uniform() * 4.0);
    rows.weights.push_back(rng.Below(4) * 0.5);
  }
  return rows;
}

}  // namespace

TEST_CASE("a line through three points, one of which counts twice") {
  // y = b + w x on (0, 0), (1, 3), (1, 3), (2, 3): means 1 and 9/4; the sums of squares about them
  // are 2 of x and 3 of x and y, so w = 3/2 and b = 3/4.
  const FittedRows rows{{{0.0}, {1.0}, {2.0}}, {0.0, 3.0, 3.0}, {1.0, 2.0, 1.0}};
  const LeastSquares::Solution solution = rows.Solve();
  CHECK(solution.weights[0] == doctest::Approx(1.5));
  CHECK(solution.base == doctest::Approx(0.75));
}

TEST_CASE("what is a weighted sum of the variables is found exactly") {
  Rng rng(921);
  FittedRows rows = RandomRows(40, 4, rng);
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const std::vector<double>& x = rows.x[i];
    rows.y[i] = 4.0 - x[0] - 2.0 * x[1] + 0.5 * x[2] - 1.25 * x[3];
  }
  const LeastSquares::Solution solution = rows.Solve();
  const std::vector<double> expected{-1.0, -2.0, 0.5, -1.25};
  for (std::size_t j = 0; j < 4; ++j) CHECK(solution.weights[j] == doctest::Approx(expected[j]));
  CHECK(solution.base == doctest::Approx(4.0));
}

TEST_CASE("no small change of the solution makes the loss less") {
  Rng rng(922);
  for (int trial = 0; trial < 30; ++trial) {
    const FittedRows rows = RandomRows(30, 1 + rng.Below(5), rng);
    const LeastSquares::Solution solution = rows.Solve();
    const double least = rows.Loss(solution);
    for (std::size_t j = 0; j <= solution.weights.size(); ++j) {
      for (const double step : {-1e-3, 1e-3}) {
        LeastSquares::Solution changed = solution;
        (j < solution.weights.size() ? changed.weights[j] : changed.base) += step;
        CHECK(rows.Loss(changed) > least);
      }
    }
  }
}

TEST_CASE("variables that others determine, or that never change, weigh nothing") {
  Rng rng(923);
  FittedRows rows = RandomRows(50, 2, rng);
  const FittedRows plain = rows;
  for (std::vector<double>& x : rows.x) {
    const double sum = x[0] + x[1];
    x.push_back(0.5);
    x.push_back(sum);
  }
  const LeastSquares::Solution solution = rows.Solve();
  CHECK(solution.weights[2] == 0.0);
  int n_zero = 0;
  for (const double weight : solution.weights) n_zero += weight == 0.0 ? 1 : 0;
  CHECK(n_zero == 2);
  CHECK(rows.Loss(solution) == doctest::Approx(plain.Loss(plain.Solve())));
}

TEST_CASE("without rows that count there is nothing but 0, and one row gives its own value") {
  FittedRows rows{{{1.0, 2.0}}, {3.0}, {0.0}};
  CHECK(rows.Solve().base == 0.0);
  rows.weights[0] = 2.0;
  CHECK(rows.Solve().base == 3.0);
  CHECK(rows.Solve().weights == std::vector<double>{0.0, 0.0});
}

TEST_CASE("variables far from 0 lose no digits") {
  Rng rng(924);
  FittedRows rows = RandomRows(60, 2, rng);
  const LeastSquares::Solution near = rows.Solve();
  for (std::vector<double>& x : rows.x) x[0] += 1e6;
  const LeastSquares::Solution far = rows.Solve();
  CHECK(far.weights[0] == doctest::Approx(near.weights[0]).epsilon(1e-6));
  CHECK(far.weights[1] == doctest::Approx(near.weights[1]).epsilon(1e-6));
}

}  // namespace rankforest
