#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>

namespace rankforest::bench {

/// A counter that shows the time of each of the `n` things that one iteration works on.
inline benchmark::Counter TimeOfEach(std::size_t n) {
  using benchmark::Counter;
  return Counter(static_cast<double>(n), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

}  // namespace rankforest::bench
