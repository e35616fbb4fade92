#include "rankforest/objective/lambda_settings.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("lambdas count pairs of the first 30 ranks, and leaves are Newton steps") {
  const LambdaSettings settings;
  CHECK(settings.sigma == 1.0);
  CHECK(settings.truncation == 30U);
  CHECK(settings.norm == LambdaNorm::kLog);
  CHECK(settings.leaf == LambdaLeaf::kNewton);
  CHECK(settings.pair_weighting == PairWeighting::kMean);
}

}  // namespace rankforest
