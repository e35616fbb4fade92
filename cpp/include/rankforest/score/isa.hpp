#pragma once

#include <cstdint>

#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// The instructions that a scorer is compiled for. Never changes a score.
enum class Isa : std::uint8_t {
  kBaseline,  ///< what every processor of the architecture has: on x86-64, SSE2
  kAvx2,
};

inline bool HasIsa(Isa isa) { return isa == Isa::kBaseline || detail::HasAvx2(); }

/// The best that this processor has.
inline Isa BestIsa() { return HasIsa(Isa::kAvx2) ? Isa::kAvx2 : Isa::kBaseline; }

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
