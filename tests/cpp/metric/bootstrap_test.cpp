#include "rankforest/metric/bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

std::vector<double> Means(const std::vector<double>& values, std::size_t n_resamples,
                          std::uint64_t seed = 1, int threads = 1) {
  return BootstrapMeans(values, n_resamples, seed, Threads{threads});
}

}  // namespace

TEST_CASE("resamples of two values have the three means that there are, as often as expected") {
  std::map<double, int> counts;
  for (const double mean : Means({1, 3}, 8000)) ++counts[mean];
  REQUIRE(counts.size() == 3);
  // 1/4, 1/2, 1/4 of 8,000; the standard deviations are 39 and 45.
  CHECK(std::abs(counts[1.0] - 2000) < 200);
  CHECK(std::abs(counts[2.0] - 4000) < 225);
  CHECK(std::abs(counts[3.0] - 2000) < 200);
}

TEST_CASE("a mean is that of the values that the stream of its resample draws") {
  const std::vector<double> values{0.5, -1.25, 8, 0.1, 3};
  const std::vector<double> means = Means(values, 50, 7);
  for (std::size_t i = 0; i < means.size(); ++i) {
    Rng draws = Rng(7).Child(Purpose::kResample, i);
    double sum = 0.0;
    for (std::size_t drawn = 0; drawn < values.size(); ++drawn) sum += values[draws.Below(5)];
    CHECK(means[i] == sum / 5);
  }
}

TEST_CASE("means scatter as the standard error says") {
  std::vector<double> values(400);
  std::iota(values.begin(), values.end(), 0.0);
  constexpr std::size_t kResamples = 4000;
  double sum = 0.0;
  double squares = 0.0;
  for (const double mean : Means(values, kResamples)) {
    sum += mean - 199.5;
    squares += (mean - 199.5) * (mean - 199.5);
  }
  const double error = std::sqrt((400.0 * 400.0 - 1.0) / 12.0 / 400.0);
  CHECK(std::abs(sum / kResamples) < 4 * error / std::sqrt(kResamples));
  CHECK(std::sqrt(squares / kResamples) == doctest::Approx(error).epsilon(0.05));
}

TEST_CASE("threads change no bit, and fewer resamples are the first of more") {
  const std::vector<double> values{0.1, 0.7, -0.3, 0.2, 0.9, -0.4};
  const std::vector<double> means = Means(values, 300);
  for (const int threads : {2, 5}) CHECK(Means(values, 300, 1, threads) == means);
  CHECK(Means(values, 100) == std::vector<double>(means.begin(), means.begin() + 100));
  CHECK(Means(values, 300, 2) != means);
}

TEST_CASE("one value has itself as its mean, and nothing has none") {
  CHECK(Means({0.3}, 3) == std::vector<double>{0.3, 0.3, 0.3});
  CHECK(Means({0.3, 0.4}, 0).empty());
  CHECK_THROWS_WITH_AS(Means({}, 3), "values must hold between 1 and 2^32 - 1 numbers, got 0",
                       std::invalid_argument);
}

}  // namespace rankforest
