#include "rankforest/tree/method.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>

namespace rankforest {

TEST_CASE("auto is exact up to 50,000 documents and binned above") {
  CHECK(Resolve(TreeMethod::kAuto, 1) == TreeMethod::kExact);
  CHECK(Resolve(TreeMethod::kAuto, 50000) == TreeMethod::kExact);
  CHECK(Resolve(TreeMethod::kAuto, 50001) == TreeMethod::kHist);
}

TEST_CASE("a method that is asked for is taken, whatever the data") {
  for (const std::size_t n : {1U, 50000U, 50001U, 4000000U}) {
    CHECK(Resolve(TreeMethod::kExact, n) == TreeMethod::kExact);
    CHECK(Resolve(TreeMethod::kHist, n) == TreeMethod::kHist);
  }
}

}  // namespace rankforest
