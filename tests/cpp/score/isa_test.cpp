#include "rankforest/score/isa.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>

namespace rankforest {

TEST_CASE("every processor has the baseline, and the best is one that it has") {
  CHECK(HasIsa(Isa::kBaseline));
  CHECK(HasIsa(BestIsa()));
  CHECK((BestIsa() == Isa::kAvx2) == HasIsa(Isa::kAvx2));
}

TEST_CASE("instructions are found by the names that they have") {
  for (const Isa isa : {Isa::kBaseline, BestIsa()}) CHECK(ParseIsa(IsaName(isa)) == isa);
  CHECK(ParseIsa("scalar") == Isa::kBaseline);
  for (const char* name : {"", "AVX2", "scalar ", "avx512"}) {
    CHECK_THROWS_AS(ParseIsa(name), std::invalid_argument);
  }
}

TEST_CASE("a function is called once, whatever it is compiled for") {
  for (const Isa isa : {Isa::kBaseline, BestIsa()}) {
    int calls = 0;
    detail::CallFor(isa, [&] { ++calls; });
    CHECK(calls == 1);
  }
}

}  // namespace rankforest
