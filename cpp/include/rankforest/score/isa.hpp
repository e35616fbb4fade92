#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// The instructions that a scorer is compiled for. Never changes a score.
enum class Isa : std::uint8_t {
  kBaseline,  ///< "scalar": what every processor of the architecture has: SSE2, NEON on AArch64
  kAvx2,      ///< "avx2"
  kAvx512,    ///< "avx512": F, BW, DQ and VL, which all processors with AVX-512 have but Xeon Phi
};

/// All of them; of those that a processor has, the last is taken.
inline constexpr std::array kIsas{Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};

/// Its name where users choose it.
inline const char* IsaName(Isa isa) {
  if (isa == Isa::kAvx512) return "avx512";
  return isa == Isa::kAvx2 ? "avx2" : "scalar";
}

/// Whether this processor has them.
inline bool HasIsa(Isa isa) {
  if (isa == Isa::kAvx512) return detail::HasAvx512();
  return isa == Isa::kBaseline || detail::HasAvx2();
}

/// The best that this processor has.
inline Isa BestIsa() { return *std::find_if(kIsas.rbegin(), kIsas.rend(), HasIsa); }

/// The instructions of this name. Throws std::invalid_argument unless it is one that this
/// processor has.
inline Isa ParseIsa(std::string_view name) {
  std::string known;
  for (const Isa isa : kIsas) {
    if (!HasIsa(isa)) continue;
    if (name == IsaName(isa)) return isa;
    known += known.empty() ? "" : ", ";
    known += IsaName(isa);
  }
  throw std::invalid_argument("found '" + std::string(name) +
                              "', expected what this processor has: " + known);
}

namespace detail {

/// Calls `function`, compiled for `isa` where it is inlined here; HasIsa(isa) must hold.
template <class Function>
void CallFor(Isa isa, const Function& function) {
  switch (isa) {
    case Isa::kAvx512:
      return CallForAvx512(function);
    case Isa::kAvx2:
      return CallForAvx2(function);
    case Isa::kBaseline:
      return function();
  }
}

}  // namespace detail

}  // namespace rankforest
