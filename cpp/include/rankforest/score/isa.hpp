#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// The instructions that a scorer is compiled for. Never changes a score.
enum class Isa : std::uint8_t {
  kBaseline,  ///< "scalar": what every processor of the architecture has: SSE2, NEON on AArch64
  kAvx2,      ///< "avx2"
};

/// Its name where users choose it.
inline const char* IsaName(Isa isa) { return isa == Isa::kAvx2 ? "avx2" : "scalar"; }

inline bool HasIsa(Isa isa) { return isa == Isa::kBaseline || detail::HasAvx2(); }

/// The best that this processor has.
inline Isa BestIsa() { return HasIsa(Isa::kAvx2) ? Isa::kAvx2 : Isa::kBaseline; }

/// The instructions of this name. Throws std::invalid_argument unless it is one that this
/// processor has.
inline Isa ParseIsa(std::string_view name) {
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2}) {
    if (name == IsaName(isa) && HasIsa(isa)) return isa;
  }
  throw std::invalid_argument("found '" + std::string(name) +
                              "', expected what this processor has: scalar" +
                              (HasIsa(Isa::kAvx2) ? " or avx2" : ""));
}

namespace detail {

/// Calls `function`, compiled for `isa` where it is inlined here; HasIsa(isa) must hold.
template <class Function>
void CallFor(Isa isa, const Function& function) {
  if (isa == Isa::kAvx2) {
    CallForAvx2(function);
  } else {
    function();
  }
}

}  // namespace detail

}  // namespace rankforest
