#include "rankforest/core/feature_matrix.hpp"

#include <doctest/doctest.h>

namespace rankforest {

TEST_CASE("rows lie a stride apart") {
  const float data[] = {1, 2, -1, 3, 4, -1};
  const FeatureMatrix matrix{data, 2, 2, 3};
  CHECK(matrix.Row(0)[1] == 2.0F);
  CHECK(matrix.Row(1)[0] == 3.0F);
}

}  // namespace rankforest
