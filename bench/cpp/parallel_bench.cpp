// What a parallel loop costs beyond the work in it.

#include <benchmark/benchmark.h>

#include <cstddef>

#include "rankforest/core/parallel.hpp"

namespace rankforest {
namespace {

/// One piece of work of about `range` steps, without a loop over pieces: the least that the others
/// can take.
void OnePiece(benchmark::State& state) {
  const auto steps = static_cast<std::size_t>(state.range());
  for (auto _ : state) {
    for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
  }
}

/// Two pieces of work of about `range` steps each, on two threads.
void TwoPieces(benchmark::State& state) {
  const auto steps = static_cast<std::size_t>(state.range());
  for (auto _ : state) {
    ParallelFor(Threads{2}, 2, [&](std::size_t) {
      for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
    });
  }
}

/// The same after as much serial code, in which the second thread waits or falls asleep.
void SerialBetween(benchmark::State& state) {
  const auto steps = static_cast<std::size_t>(state.range());
  for (auto _ : state) {
    for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
    ParallelFor(Threads{2}, 2, [&](std::size_t) {
      for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
    });
  }
}

BENCHMARK(OnePiece)->Arg(1 << 12)->Arg(1 << 16)->UseRealTime();
BENCHMARK(TwoPieces)->Arg(0)->Arg(1 << 12)->Arg(1 << 16)->UseRealTime();
BENCHMARK(SerialBetween)->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 20)->UseRealTime();

}  // namespace
}  // namespace rankforest
