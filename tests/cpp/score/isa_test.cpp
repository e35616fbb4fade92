#include "rankforest/score/isa.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace rankforest {

TEST_CASE("every processor has the baseline, and the best is one that it has") {
  CHECK(HasIsa(Isa::kBaseline));
  CHECK(HasIsa(BestIsa()));
  CHECK((BestIsa() == Isa::kAvx2) == HasIsa(Isa::kAvx2));
}

TEST_CASE("a function is called once, whatever it is compiled for") {
  for (const Isa isa : {Isa::kBaseline, BestIsa()}) {
    int calls = 0;
    detail::CallFor(isa, [&] { ++calls; });
    CHECK(calls == 1);
  }
}

}  // namespace rankforest
