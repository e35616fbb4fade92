#include "rankforest/detail/shown.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace rankforest::detail {

TEST_CASE("messages show numbers short where they are short, and tell close ones apart") {
  CHECK(Shown(-0.5) == "-0.5");
  CHECK(Shown(3.0) == "3");
  CHECK(Shown(1.5e39) == "1.5e+39");
  CHECK(Shown(0.1) == "0.10000000000000001");
  CHECK(Shown(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(Shown(-std::numeric_limits<double>::infinity()) == "-inf");
}

}  // namespace rankforest::detail
