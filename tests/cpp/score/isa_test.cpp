#include "rankforest/score/isa.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace rankforest {

TEST_CASE("every processor has the baseline, and the best is the last that it has") {
  CHECK(HasIsa(Isa::kBaseline));
  Isa last = Isa::kBaseline;
  for (const Isa isa : kIsas) {
    if (HasIsa(isa)) {
      last = isa;
    } else {
      MESSAGE("this processor has no ", std::string(IsaName(isa)), ": no test scores with it");
    }
  }
  CHECK(BestIsa() == last);
}

TEST_CASE("instructions are found by the names that they have") {
  CHECK(IsaName(Isa::kBaseline) == std::string("scalar"));
  CHECK(IsaName(Isa::kAvx2) == std::string("avx2"));
  CHECK(IsaName(Isa::kAvx512) == std::string("avx512"));
  for (const Isa isa : kIsas) {
    if (HasIsa(isa)) {
      CHECK(ParseIsa(IsaName(isa)) == isa);
    } else {
      CHECK_THROWS_AS(ParseIsa(IsaName(isa)), std::invalid_argument);
    }
  }
}

TEST_CASE("other names are refused, with those that the processor has") {
  std::string known;
  for (const Isa isa : kIsas) {
    if (!HasIsa(isa)) continue;
    known += known.empty() ? "" : ", ";
    known += IsaName(isa);
  }
  for (const std::string name : {"", "AVX2", "scalar ", "avx", "avx51", "avx5122"}) {
    std::string message = "found '";
    message.append(name).append("', expected what this processor has: ").append(known);
    CHECK_THROWS_WITH_AS(ParseIsa(name), message.c_str(), std::invalid_argument);
  }
}

TEST_CASE("a function is called once, whatever it is compiled for") {
  for (const Isa isa : kIsas) {
    if (!HasIsa(isa)) continue;
    int calls = 0;
    detail::CallFor(isa, [&] { ++calls; });
    CHECK(calls == 1);
  }
}

}  // namespace rankforest
