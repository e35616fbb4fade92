#include "rankforest/train/line_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace rankforest {

namespace {

/// A function of weights in place of a metric.
class Hill {
 public:
  explicit Hill(std::vector<double> top) : top_(std::move(top)), weights_(top_.size(), 1.0) {}

  [[nodiscard]] double At(const std::vector<double>& weights) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < top_.size(); ++j) sum -= std::abs(weights[j] - top_[j]);
    return sum;
  }
  [[nodiscard]] double value() const { return At(weights_); }
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  void SetWeights(std::vector<double> weights) { weights_ = std::move(weights); }
  const std::vector<double>& Try(std::size_t j, Span<const double> candidates) {
    column_ = j;
    candidates_.assign(candidates.begin(), candidates.end());
    means_.clear();
    for (const double candidate : candidates) {
      std::vector<double> weights = weights_;
      weights[j] = candidate;
      means_.push_back(At(weights));
    }
    tried.insert(tried.end(), candidates.begin(), candidates.end());
    return means_;
  }
  void Take(std::size_t p) { weights_[column_] = candidates_[p]; }

  std::vector<double> tried;

 private:
  std::vector<double> top_;
  std::vector<double> weights_;
  std::size_t column_ = 0;
  std::vector<double> candidates_;
  std::vector<double> means_;
};

std::vector<std::size_t> AllOf(std::size_t n) {
  std::vector<std::size_t> columns(n);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

TEST_CASE("a pass tries points at equal distances around each weight, the nearest first") {
  Hill hill({1.5});
  LineSearch search;
  search.max_iterations = 1;
  search.n_points = 5;
  search.window = 2.0;
  const std::vector<double> history = search.Run(hill, AllOf(1));
  CHECK(hill.tried == std::vector<double>{0.0, 2.0, 3.0});  // -1 is 0, the lowest
  CHECK(hill.weights() == std::vector<double>{1.0});        // 2 is as good, and not better
  CHECK(history == std::vector<double>{-0.5, -0.5});
}

TEST_CASE("steps that double try 0, and weights at 1, 3, 7, ... twentieths of the present one") {
  const auto tried = [](double weight, double lowest) {
    Hill hill({weight});  // no weight is better than the present one
    hill.SetWeights({weight});
    LineSearch search;
    search.max_iterations = 1;
    search.n_points = 5;
    search.lowest = lowest;
    search.steps_double = true;
    search.Run(hill, AllOf(1));
    return hill.tried;
  };
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  CHECK(tried(20.0, kNone) == std::vector<double>{19.0, 21.0, 17.0, 23.0, 0.0});
  CHECK(tried(-20.0, kNone) == std::vector<double>{-21.0, -19.0, -23.0, -17.0, 0.0});
  CHECK(tried(0.0, kNone) == std::vector<double>{-0.05, 0.05, -0.05 - 0.1, 0.05 + 0.1});
  CHECK(tried(20.0, 18.0) == std::vector<double>{19.0, 21.0, 18.0, 23.0});
}

TEST_CASE("with steps that double, small and large weights are found alike") {
  Hill hill({0.4, -300.0, 0.0});
  LineSearch search;
  search.max_iterations = 200;
  search.n_points = 21;
  search.tolerance = 0.0;
  search.lowest = -std::numeric_limits<double>::infinity();
  search.steps_double = true;
  const std::vector<double> history = search.Run(hill, AllOf(3));
  CHECK(hill.weights()[0] == doctest::Approx(0.4).epsilon(0.06));
  CHECK(hill.weights()[1] == doctest::Approx(-300.0).epsilon(0.06));
  CHECK(hill.weights()[2] == 0.0);
  CHECK(std::is_sorted(history.begin(), history.end()));
}

TEST_CASE("no weight is moved below the lowest one, and all are tried where there is none") {
  const auto found = [](double lowest) {
    Hill hill({-2.0, 0.25});
    LineSearch search;
    search.max_iterations = 1;
    search.n_points = 9;
    search.window = 4.0;
    search.lowest = lowest;
    search.Run(hill, AllOf(2));
    return hill.weights();
  };
  CHECK(found(-std::numeric_limits<double>::infinity()) == std::vector<double>{-2.0, 0.0});
  CHECK(found(-1.5) == std::vector<double>{-1.5, 0.0});
  CHECK(found(0.5) == std::vector<double>{0.5, 0.5});
}

TEST_CASE("one pass over a separable function finds the best point of each line") {
  const std::vector<double> top{0.4, 1.9, 1.0};
  Hill hill(top);
  LineSearch search;
  search.max_iterations = 1;
  search.n_points = 11;
  search.Run(hill, AllOf(3));
  for (std::size_t j = 0; j < 3; ++j) {  // brute force over 0, 0.2, ..., 2
    double best = 1.0;
    for (int p = 0; p <= 10; ++p) {
      if (std::abs(0.2 * p - top[j]) < std::abs(best - top[j]) - 1e-9) best = 0.2 * p;
    }
    CHECK(hill.weights()[j] == doctest::Approx(best));
  }
}

TEST_CASE("with a shrinking window the search comes as near as one likes") {
  Hill hill({0.123, 2.71, 0.0});
  LineSearch search;
  search.max_iterations = 60;
  search.tolerance = 0.0;
  const std::vector<double> history = search.Run(hill, AllOf(3));
  CHECK(hill.value() > -1e-5);
  CHECK(std::is_sorted(history.begin(), history.end()));
}

TEST_CASE("a pass that gains less than the tolerance is the last one") {
  Hill hill({5.0});
  LineSearch search;
  search.shrink = 0.5;
  search.tolerance = 0.3;
  // 1 + 1 + 0.5 + 0.25: the last gain is below 0.3.
  CHECK(search.Run(hill, AllOf(1)) == std::vector<double>{-4.0, -3.0, -2.5, -2.25});
}

TEST_CASE("a weight stays unless it gains more than the least gain") {
  Hill hill({1.5, 3.0});
  LineSearch search;
  search.max_iterations = 1;
  search.n_points = 5;
  search.min_gain = 0.6;
  search.Run(hill, AllOf(2));
  CHECK(hill.weights() == std::vector<double>{1.0, 2.0});
}

TEST_CASE("weights that are not to be searched stay") {
  Hill hill({2.0, 2.0});
  const std::vector<std::size_t> second{1};
  LineSearch{}.Run(hill, second);
  CHECK(hill.weights()[0] == 1.0);
  CHECK(hill.weights()[1] != 1.0);
}

TEST_CASE("settings of a search that make no sense are named") {
  const auto refuses = [](auto change, const char* message) {
    LineSearch search;
    change(search);
    CHECK_THROWS_WITH_AS(search.Check(), message, std::invalid_argument);
  };
  refuses([](LineSearch& s) { s.n_points = 1; }, "n_points must be >= 2, got 1");
  refuses([](LineSearch& s) { s.window = 0.0; }, "window must be finite and > 0, got 0");
  refuses([](LineSearch& s) { s.shrink = 1.5; }, "shrink must be in (0, 1], got 1.5");
  refuses([](LineSearch& s) { s.tolerance = -1.0; }, "tolerance must be >= 0, got -1");
  refuses([](LineSearch& s) { s.min_gain = -1.0; }, "min_gain must be >= 0, got -1");
  refuses([](LineSearch& s) { s.lowest = std::numeric_limits<double>::quiet_NaN(); },
          "lowest must be a number below infinity, got nan");
  refuses([](LineSearch& s) { s.lowest = std::numeric_limits<double>::infinity(); },
          "lowest must be a number below infinity, got inf");
}

}  // namespace rankforest
