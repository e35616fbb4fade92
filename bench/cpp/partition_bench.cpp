// Dividing the documents of a node by a binned feature: time per document of the node.

#include <benchmark/benchmark.h>

#include <cstddef>

#include "generated.hpp"
#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/partition.hpp"
#include "time_of_each.hpp"

namespace rankforest::bench {
namespace {

constexpr std::size_t kDocuments = 500000;

const BinnedColumns& Columns() {
  static const Dataset data = Generate(kDocuments, 3, {Values::kContinuous});
  static const BinnedColumns columns(data, Threads{});
  return columns;
}

/// A split in the middle: no branch of it can be foreseen.
auto Halves(FeatureId feature) {
  Split<Newton::Stats> split;
  split.feature = feature;
  split.cut = 127;
  return CodeSideOf(Columns(), split);
}

/// All documents, in order.
///
/// @param range  number of threads
void DivideRoot(benchmark::State& state) {
  const Threads threads{static_cast<int>(state.range())};
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(kDocuments), [](RowId) { return Newton::Target{}; }, threads);
  const auto halves = Halves(0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(partition.Divide(0, kDocuments, 0, halves, threads));
  }
  state.counters["document"] = TimeOfEach(kDocuments);
}

/// One half of one half, every fourth document or so.
///
/// @param range  number of threads
void DivideQuarter(benchmark::State& state) {
  const Threads threads{static_cast<int>(state.range())};
  Partition<Newton::Target> partition;
  partition.Reset(WholeSample(kDocuments), [](RowId) { return Newton::Target{}; }, threads);
  const std::size_t half = partition.Divide(0, kDocuments, 0, Halves(0), threads)[0];
  const std::size_t quarter = partition.Divide(0, half, 1, Halves(1), threads)[0];
  const auto halves = Halves(2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(partition.Divide(0, quarter, 2, halves, threads));
  }
  state.counters["document"] = TimeOfEach(quarter);
}

void OneAndTwoThreads(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);
}

BENCHMARK(DivideRoot)->Apply(OneAndTwoThreads);
BENCHMARK(DivideQuarter)->Apply(OneAndTwoThreads);

}  // namespace
}  // namespace rankforest::bench
