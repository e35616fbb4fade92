#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "rankforest/score/isa.hpp"

namespace rankforest {

/// The instructions that the environment variable RANKFOREST_ISA names; BestIsa() where it is not
/// set or empty. Throws std::invalid_argument for a name that ParseIsa refuses.
///
/// For tests, and for the edges where another language calls in: nothing else here looks at the
/// environment, and a C++ program that wants to obey it says so.
inline Isa IsaOfEnvironment() {
  const char* const name = std::getenv("RANKFOREST_ISA");
  if (name == nullptr || *name == '\0') return BestIsa();
  try {
    return ParseIsa(name);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("RANKFOREST_ISA: " + std::string(error.what()));
  }
}

}  // namespace rankforest
