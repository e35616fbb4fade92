#include "rankforest/core/class_probabilities.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

std::vector<double> Corrected(std::vector<double> values) {
  CumulativeCorrection()(values);
  return values;
}

double SquaredDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The nearest of all ascending values on a grid.
double NearestOnGrid(const std::vector<double>& values, std::size_t i, int least,
                     std::vector<double>& chosen) {
  if (i == values.size()) return SquaredDistance(values, chosen);
  double best = 1e9;
  for (int step = least; step <= 20; ++step) {
    chosen[i] = step / 20.0;
    best = std::min(best, NearestOnGrid(values, i + 1, step, chosen));
  }
  return best;
}

}  // namespace

TEST_CASE("what descends becomes its mean, and what is no probability the nearest one") {
  CHECK(Corrected({0.25, 0.5, 0.75}) == std::vector<double>{0.25, 0.5, 0.75});
  CHECK(Corrected({0.5, 0.25, 0.75}) == std::vector<double>{0.375, 0.375, 0.75});
  CHECK(Corrected({0.75, 0.5, 0.25}) == std::vector<double>{0.5, 0.5, 0.5});
  CHECK(Corrected({-0.5, 0.5, 1.5}) == std::vector<double>{0.0, 0.5, 1.0});
  CHECK(Corrected({1.5, 0.5}) == std::vector<double>{1.0, 1.0});
  CHECK(Corrected({0.25, 0.75, 0.5, 0.25}) == std::vector<double>{0.25, 0.5, 0.5, 0.5});
}

TEST_CASE("corrected values are as near as any ascending probabilities") {
  Rng rng(871);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<double> values(1 + rng.Below(4));
    for (double& value : values) value = rng.Uniform() * 1.6 - 0.3;
    const std::vector<double> corrected = Corrected(values);
    std::vector<double> memory(values.size());
    CHECK(SquaredDistance(values, corrected) <= NearestOnGrid(values, 0, 0, memory) + 1e-12);
    CHECK(std::is_sorted(corrected.begin(), corrected.end()));
    CHECK(corrected.front() >= 0.0);
    CHECK(corrected.back() <= 1.0);
    CHECK(Corrected(corrected) == corrected);
  }
}

TEST_CASE("a grade has what the probabilities rise by") {
  std::vector<double> out(6);
  ClassProbabilities({{0.25, 0.75}, {0.5, 0.25}}, out);
  CHECK(out == std::vector<double>{0.25, 0.25, 0.5, 0.5, 0.0, 0.5});
}

TEST_CASE("the probabilities of a document are in [0, 1] and add up to 1") {
  Rng rng(872);
  std::vector<std::vector<double>> cumulative(4, std::vector<double>(300));
  for (auto& column : cumulative) {
    for (double& value : column) value = rng.Uniform() * 3.0 - 1.0;
  }
  std::vector<double> out(300 * 5);
  ClassProbabilities(cumulative, out);
  for (std::size_t d = 0; d < 300; ++d) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(out[d * 5 + k] >= 0.0);
      CHECK(out[d * 5 + k] <= 1.0);
      sum += out[d * 5 + k];
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-15));
  }
}

}  // namespace rankforest
