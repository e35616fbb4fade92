#include "rankforest/score/isa_environment.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

namespace rankforest {

TEST_CASE("the environment names the instructions, or leaves them to the processor") {
  unsetenv("RANKFOREST_ISA");
  CHECK(IsaOfEnvironment() == BestIsa());
  setenv("RANKFOREST_ISA", "", 1);
  CHECK(IsaOfEnvironment() == BestIsa());
  setenv("RANKFOREST_ISA", "scalar", 1);
  CHECK(IsaOfEnvironment() == Isa::kBaseline);
  setenv("RANKFOREST_ISA", "mmx", 1);
  CHECK_THROWS_AS(IsaOfEnvironment(), std::invalid_argument);
  unsetenv("RANKFOREST_ISA");
}

}  // namespace rankforest
