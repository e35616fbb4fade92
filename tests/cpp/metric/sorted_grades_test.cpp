#include "rankforest/metric/sorted_grades.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

TEST_CASE("grades are sorted in descending order, counted or compared") {
  Rng rng(7);
  std::vector<double> best_first{9, 9, 9};  // of an earlier query
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> grades(rng.Below(50));
    for (double& grade : grades) {
      grade = trial % 4 == 0 ? 40.0 * rng.Uniform() : rng.Below(trial % 4 == 1 ? 60 : 5);
    }
    std::vector<double> expected = grades;
    std::sort(expected.begin(), expected.end(), std::greater<>());
    detail::SortBestFirst(grades, best_first);
    CHECK(best_first == expected);
  }
}

TEST_CASE("the different grades are kept once each") {
  std::vector<double> distinct{7};
  detail::KeepDistinct(std::vector<double>{3, 3, 1.5, 0, 0, 0}, distinct);
  CHECK(distinct == std::vector<double>{3, 1.5, 0});
  detail::KeepDistinct({}, distinct);
  CHECK(distinct.empty());
}

TEST_CASE("huge grades are no index") {
  std::vector<double> best_first;
  detail::SortBestFirst(std::vector<double>{1.0, 1e300, 31.0, 32.0}, best_first);
  CHECK(best_first == std::vector<double>{1e300, 32.0, 31.0, 1.0});
}

}  // namespace rankforest
