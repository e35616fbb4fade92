#include "rankforest/metric/pooled_mean.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "rankforest/metric/settings.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using detail::EmptyValue;
using detail::PooledMean;
using detail::QueryWeight;
using testing::kNaN;

TEST_CASE("the mean leaves out what is NaN, and what has no weight") {
  const std::vector<double> values{0.5, kNaN, 1.0};
  CHECK(PooledMean(MetricKind::kNdcg, values, std::vector<double>{1, 1, 1}) == 0.75);
  CHECK(PooledMean(MetricKind::kNdcg, values, std::vector<double>{0, 5, 2}) == 1.0);
  CHECK(std::isnan(PooledMean(MetricKind::kNdcg, values, std::vector<double>{0, 1, 0})));
  CHECK(std::isnan(PooledMean(MetricKind::kNdcg, {}, {})));
}

TEST_CASE("root mean squares pool as squares") {
  const std::vector<double> values{3.0, 4.0};
  CHECK(PooledMean(MetricKind::kRmse, values, std::vector<double>{1, 1}) ==
        doctest::Approx(std::sqrt(12.5)));
}

TEST_CASE("a query weighs its documents' mean, in RMSE their sum") {
  const std::vector<double> weights{1.0, 2.0, 6.0};
  CHECK(QueryWeight(MetricKind::kMap, weights, 3) == 3.0);
  CHECK(QueryWeight(MetricKind::kRmse, weights, 3) == 9.0);
  CHECK(QueryWeight(MetricKind::kMap, {}, 3) == 1.0);
  CHECK(QueryWeight(MetricKind::kRmse, {}, 3) == 3.0);
  CHECK(QueryWeight(MetricKind::kMap, std::vector<double>(7, 0.1), 7) == 0.1);
}

TEST_CASE("an empty query has the value that its rule says") {
  CHECK(std::isnan(EmptyValue(Empty::kSkip)));
  CHECK(EmptyValue(Empty::kZero) == 0.0);
  CHECK(EmptyValue(Empty::kHalf) == 0.5);
  CHECK(EmptyValue(Empty::kOne) == 1.0);
}

}  // namespace rankforest
