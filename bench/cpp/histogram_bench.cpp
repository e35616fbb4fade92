// The histogram engine's loops: summing the documents of a node, on one thread, and searching the
// best split of a histogram. A cell is a value outside the common bin of its feature where
// documents are summed, and a bin of a feature where splits are searched.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "generated.hpp"
#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/histogram.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "time_of_each.hpp"

namespace rankforest::bench {
namespace {

constexpr std::uint32_t kDocuments = 100000;
constexpr std::size_t kFeatures = 136;

struct Binned {
  Dataset data = GenerateMixed(kDocuments, kFeatures);
  BinnedColumns columns{data, Threads{}};
  BinnedRows rows{columns, Threads{}};
};

const Binned& Data() {
  static const Binned binned;
  return binned;
}

/// Documents with their gradients in fixed point of some width, and what they sum to.
struct Node {
  std::vector<RowId> rows;
  std::vector<Newton::Target> targets;
  Newton::Scaled criterion;
  Newton::Stats stats;

  Node(std::vector<RowId> documents, int bits) : rows(std::move(documents)) {
    const std::vector<GradientPair> pairs = GenerateGradients(kDocuments);
    criterion = {Newton{}, ScalesFor(LargestOf(pairs, rows), bits)};
    for (const RowId row : rows) {
      targets.push_back(criterion.ToTarget(pairs[row]));
      stats.Add(targets.back(), 1);
    }
  }

  [[nodiscard]] NodeRows<Newton::Target> Rows() const { return {rows, targets, {}}; }

  [[nodiscard]] std::size_t n_cells() const {
    std::size_t n = 0;
    for (std::size_t g = 0; g < Data().rows.groups().size(); ++g) {
      for (const RowId row : rows) n += Data().rows.Cells(row, g).size();
    }
    return n;
  }
};

/// @param n     of documents: all, or drawn at random
/// @param bits  of gradients: more than kLargeSearchBits are summed one by one
void Build(benchmark::State& state, std::uint32_t n, int bits) {
  const Node node(Rng(3).Sample(kDocuments, n), bits);
  HistogramBuilder builder(Data().rows, Threads{});
  builder.Begin(bits <= kLargeSearchBits, 0);
  Histogram histogram;
  std::vector<Histogram> others;
  for (auto _ : state) {
    builder.Build(node.Rows(), histogram, others);
    benchmark::DoNotOptimize(histogram.data());
  }
  state.counters["cell"] = TimeOfEach(node.n_cells());
}

/// The histogram of `n` documents drawn at random.
void Search(benchmark::State& state, std::uint32_t n) {
  const BinnedRows& rows = Data().rows;
  const Node node(Rng(3).Sample(kDocuments, n), kLargeSearchBits);
  HistogramBuilder builder(rows, Threads{});
  builder.Begin(true, 0);
  Histogram histogram;
  std::vector<Histogram> others;
  builder.Build(node.Rows(), histogram, others);
  for (FeatureId f = 0; f < kFeatures; ++f) {
    builder.FinishFeature(f, node.stats, histogram, others);
  }
  const SplitRules rules{50, 0.0, MissingRule::kLearn};
  for (auto _ : state) {
    Split<Newton::Stats> best;
    for (FeatureId f = 0; f < kFeatures; ++f) {
      HistogramColumn column(rows.bins(f), histogram.data() + rows.FirstBin(f));
      BestThreshold().Find(node.criterion, column, f, node.stats, rules, Rng(0), best);
    }
    benchmark::DoNotOptimize(best);
  }
  state.counters["cell"] = TimeOfEach(rows.n_bins());
}

BENCHMARK_CAPTURE(Build, root, kDocuments, kLargeSearchBits)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Build, root_wide, kDocuments, kSearchBits)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Build, small_node, 1000, kLargeSearchBits)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Build, smallest_node, 100, kLargeSearchBits)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Search, root, kDocuments)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Search, small_node, 1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rankforest::bench
