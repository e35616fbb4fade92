// What the histogram engine does before the first tree: choosing bins and finding those of all
// values, on one thread and on two, and laying them out document by document.

#include <benchmark/benchmark.h>

#include <cstddef>

#include "generated.hpp"
#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/binning.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "time_of_each.hpp"

namespace rankforest::bench {
namespace {

constexpr std::size_t kDocuments = 200000;
constexpr std::size_t kFeatures = 32;

/// @param range  number of threads
void Bin(benchmark::State& state, Values values) {
  const Dataset data = Generate(kDocuments, kFeatures, {values});
  const Threads threads{static_cast<int>(state.range())};
  for (auto _ : state) benchmark::DoNotOptimize(BinFeatures(data, threads));
  state.counters["value"] = TimeOfEach(kDocuments * kFeatures);
}

/// @param range  number of threads
void LayOut(benchmark::State& state, Values values) {
  const Dataset data = Generate(kDocuments, kFeatures, {values});
  const Threads threads{static_cast<int>(state.range())};
  const BinnedColumns columns(data, threads);
  for (auto _ : state) benchmark::DoNotOptimize(BinnedRows(columns, threads));
  state.counters["value"] = TimeOfEach(kDocuments * kFeatures);
}

void OneAndTwoThreads(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(Bin, continuous, Values::kContinuous)->Apply(OneAndTwoThreads);
BENCHMARK_CAPTURE(Bin, few, Values::kFew)->Apply(OneAndTwoThreads);
BENCHMARK_CAPTURE(Bin, mostly_one, Values::kMostlyOne)->Apply(OneAndTwoThreads);
BENCHMARK_CAPTURE(LayOut, continuous, Values::kContinuous)->Apply(OneAndTwoThreads);
BENCHMARK_CAPTURE(LayOut, mostly_one, Values::kMostlyOne)->Apply(OneAndTwoThreads);

}  // namespace
}  // namespace rankforest::bench
