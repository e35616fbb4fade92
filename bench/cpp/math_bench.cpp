// The library's own functions against the C library's, which are not the same bits everywhere.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"

namespace rankforest {
namespace {

/// Numbers in [low, high) from a fixed seed.
std::vector<double> Arguments(double low, double high) {
  Rng rng(1);
  std::vector<double> arguments(4096);
  for (double& x : arguments) x = low + (high - low) * rng.Uniform();
  return arguments;
}

/// Times `function` and reports its largest error against `exact` (long double).
template <class Function, class Exact>
void Run(benchmark::State& state, double low, double high, const Function& function,
         const Exact& exact) {
  const std::vector<double> arguments = Arguments(low, high);
  for (auto _ : state) {
    double sum = 0.0;
    for (const double x : arguments) sum += function(x);
    benchmark::DoNotOptimize(sum);
  }
  double worst = 0.0;
  for (const double x : arguments) {
    const long double y = exact(static_cast<long double>(x));
    const double magnitude = std::fabs(static_cast<double>(y));
    const double ulp =
        std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude;
    const long double error = std::fabs(static_cast<long double>(function(x)) - y);
    worst = std::max(worst, static_cast<double>(error) / ulp);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(arguments.size()));
  state.counters["max_ulp"] = worst;
}

const auto kExactExp = [](long double x) { return std::exp(x); };
const auto kExactLog2 = [](long double x) { return std::log2(x); };

void OwnExp(benchmark::State& state) { Run(state, -30.0, 30.0, Exp, kExactExp); }
void LibraryExp(benchmark::State& state) {
  Run(state, -30.0, 30.0, [](double x) { return std::exp(x); }, kExactExp);
}
void OwnLog2(benchmark::State& state) { Run(state, 1.0, 1e6, Log2, kExactLog2); }
void LibraryLog2(benchmark::State& state) {
  Run(state, 1.0, 1e6, [](double x) { return std::log2(x); }, kExactLog2);
}

BENCHMARK(LibraryExp);
BENCHMARK(OwnExp);
BENCHMARK(LibraryLog2);
BENCHMARK(OwnLog2);

}  // namespace
}  // namespace rankforest
