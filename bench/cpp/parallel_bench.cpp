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

constexpr Threads kCoarse{2, nullptr, Grain::kCoarse};

/// Sixteen pieces of about `range` steps each on two threads, of the pool or OpenMP's.
void SixteenPieces(benchmark::State& state, Threads threads) {
  const auto steps = static_cast<std::size_t>(state.range());
  for (auto _ : state) {
    ParallelFor(threads, 16, [&](std::size_t) {
      for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
    });
  }
}

/// The same, then twenty short loops on the pool: threads of OpenMP that still look out for work
/// take a core from it.
void ShortOnesAfter(benchmark::State& state, Threads threads) {
  const auto steps = static_cast<std::size_t>(state.range());
  for (auto _ : state) {
    ParallelFor(threads, 16, [&](std::size_t) {
      for (std::size_t step = 0; step < steps; ++step) benchmark::DoNotOptimize(step);
    });
    for (int loop = 0; loop < 20; ++loop) {
      ParallelFor(Threads{2}, 8, [&](std::size_t) {
        for (std::size_t step = 0; step < (1U << 15U); ++step) benchmark::DoNotOptimize(step);
      });
    }
  }
}

BENCHMARK(OnePiece)->Arg(1 << 12)->Arg(1 << 16)->UseRealTime();
BENCHMARK(TwoPieces)->Arg(0)->Arg(1 << 12)->Arg(1 << 16)->UseRealTime();
BENCHMARK(SerialBetween)->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 20)->UseRealTime();
BENCHMARK_CAPTURE(SixteenPieces, pool, Threads{2})->Arg(1 << 18)->Arg(1 << 22)->UseRealTime();
BENCHMARK_CAPTURE(SixteenPieces, openmp, kCoarse)->Arg(1 << 18)->Arg(1 << 22)->UseRealTime();
BENCHMARK_CAPTURE(ShortOnesAfter, pool, Threads{2})->Arg(1 << 18)->Arg(1 << 22)->UseRealTime();
BENCHMARK_CAPTURE(ShortOnesAfter, openmp, kCoarse)->Arg(1 << 18)->Arg(1 << 22)->UseRealTime();

}  // namespace
}  // namespace rankforest
