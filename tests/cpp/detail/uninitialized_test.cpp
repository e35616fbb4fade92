#include "rankforest/detail/uninitialized.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>

namespace rankforest::detail {

TEST_CASE("resizing leaves new numbers unset and old ones as they are") {
  UninitializedVector<float> values(3, 7.0F);
  float* const memory = values.data();
  values.resize(1);
  values.resize(3);  // within the capacity: the memory is the same
  REQUIRE(values.data() == memory);
  CHECK(values == UninitializedVector<float>{7.0F, 7.0F, 7.0F});
}

TEST_CASE("values that are given are set, and moves keep the memory") {
  UninitializedVector<float> values;
  values.push_back(1.0F);
  values.resize(2, 5.0F);
  const float* const memory = values.data();
  const UninitializedVector<float> moved = std::move(values);
  CHECK(moved.data() == memory);
  CHECK(moved == UninitializedVector<float>{1.0F, 5.0F});
}

}  // namespace rankforest::detail
