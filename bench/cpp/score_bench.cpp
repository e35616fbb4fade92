// Scores of 1,000 trees of 64 leaves over 136 features, on one thread: the compiled scorer for
// each set of instructions and number of documents, its parts, and the reference scorer. What ends
// before the last tree is measured on trees whose values fade, each 0.5 % smaller than the one
// before, beside full scoring of the same documents; `evaluated` is the part of all pairs of a
// document and a tree that was evaluated.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/reference.hpp"

namespace rankforest {
namespace {

constexpr std::uint32_t kFeatures = 136;
constexpr std::size_t kDocuments = 2048;

/// Adds a random subtree, about as unbalanced as trees that were grown best first.
std::int32_t Grow(Tree& tree, std::uint32_t n_leaves, Rng& rng) {
  if (n_leaves == 1) {
    tree.leaves.push_back(static_cast<float>(rng.Uniform()));
    return ~static_cast<std::int32_t>(tree.leaves.size() - 1);
  }
  const std::size_t id = tree.nodes.size();
  tree.nodes.emplace_back();
  Tree::Node node;
  node.feature = rng.Below(kFeatures);
  node.threshold = static_cast<float>(rng.Below(400)) / 400.0F;
  const std::uint32_t left = 1 + rng.Below(n_leaves - 1);
  node.left = Grow(tree, left, rng);
  node.right = Grow(tree, n_leaves - left, rng);
  node.missing = rng.Below(2) == 0 ? node.left : node.right;
  tree.nodes[id] = node;
  return static_cast<std::int32_t>(id);
}

struct Model {
  Ensemble ensemble;
  std::vector<float> values;

  Model(std::size_t n_trees, std::uint32_t n_leaves) {
    Rng rng(1);
    ensemble.n_features = kFeatures;
    ensemble.members = {{0.0, {{0.1, Reduction::kSum, 1, {}}}}};
    for (std::size_t t = 0; t < n_trees; ++t) {
      Tree tree;
      Grow(tree, n_leaves, rng);
      ensemble.members[0].groups[0].trees.push_back(std::move(tree));
    }
    for (std::size_t i = 0; i < kDocuments * kFeatures; ++i) {
      values.push_back(static_cast<float>(rng.Uniform()));
    }
  }

  [[nodiscard]] FeatureMatrix Rows(std::size_t begin, std::size_t n_rows) const {
    return {values.data() + begin * kFeatures, n_rows, kFeatures, kFeatures};
  }
};

const Model& Boosted() {
  static const Model model(1000, 64);
  return model;
}

const Model& Forest() {
  static const Model model(50, 20000);
  return model;
}

/// Boosted, with values that fade: trees at the end can change little.
const Model& Fading() {
  static const Model model = [] {
    Model fading(1000, 64);
    double size = 1.0;
    for (Tree& tree : fading.ensemble.members[0].groups[0].trees) {
      for (float& leaf : tree.leaves) leaf = static_cast<float>(size * (leaf - 0.5));
      size *= 0.995;
    }
    return fading;
  }();
  return model;
}

benchmark::Counter PerDocument(std::size_t n_rows) {
  using benchmark::Counter;
  return Counter(static_cast<double>(n_rows),
                 Counter::kIsIterationInvariantRate | Counter::kInvert);
}

/// Calls with the given number of documents, different ones each time.
void Compiled(benchmark::State& state, const Model& (*make)(), Isa isa) {
  if (!HasIsa(isa)) {
    state.SkipWithError("the processor has no such instructions");
    return;
  }
  const Model& model = make();
  const CompiledScorer scorer(model.ensemble, isa);
  const auto n_rows = static_cast<std::size_t>(state.range(0));
  std::vector<double> scores(n_rows);
  std::size_t begin = 0;
  for (auto _ : state) {
    scorer.Score(model.Rows(begin, n_rows), scores);
    benchmark::DoNotOptimize(scores.data());
    begin = begin + 2 * n_rows <= kDocuments ? begin + n_rows : 0;
  }
  state.counters["document"] = PerDocument(n_rows);
}

benchmark::Counter ShareOf(const Model& model, std::size_t n_rows, std::size_t n_evaluations) {
  const std::size_t all = n_rows * model.ensemble.n_trees();
  return benchmark::Counter(static_cast<double>(n_evaluations) / static_cast<double>(all));
}

/// The best 10 of a query, found without scoring all its documents to the end.
void Top(benchmark::State& state) {
  const Model& model = Fading();
  const CompiledScorer scorer(model.ensemble);
  const auto n_rows = static_cast<std::size_t>(state.range(0));
  std::vector<RankedDocument> best(10);
  ScoreScratch scratch;
  TopReport report;
  for (auto _ : state) {
    report = scorer.Top(model.Rows(0, n_rows), best, scratch);
    benchmark::DoNotOptimize(best.data());
  }
  state.counters["document"] = PerDocument(n_rows);
  state.counters["evaluated"] = ShareOf(model, n_rows, report.n_evaluations);
}

/// A query of which a part leaves after every 100 trees.
void EarlyExits(benchmark::State& state, double fraction) {
  const Model& model = Fading();
  const CompiledScorer scorer(model.ensemble);
  const auto n_rows = static_cast<std::size_t>(state.range(0));
  ScoreLimits limits;
  limits.early_exit = EarlyExit{100, fraction};
  std::vector<double> scores(n_rows);
  std::vector<std::uint32_t> rounds(n_rows);
  ScoreScratch scratch;
  ScoreReport report;
  for (auto _ : state) {
    report = scorer.ScoreWithin(limits, model.Rows(0, n_rows), scores, rounds, scratch);
    benchmark::DoNotOptimize(scores.data());
  }
  state.counters["document"] = PerDocument(n_rows);
  state.counters["evaluated"] = ShareOf(model, n_rows, report.n_evaluations);
}

void Reference(benchmark::State& state, const Model& (*make)()) {
  const Model& model = make();
  for (auto _ : state) {
    benchmark::DoNotOptimize(Score(model.ensemble, model.Rows(0, kDocuments)).data());
  }
  state.counters["document"] = PerDocument(kDocuments);
}

void Compile(benchmark::State& state, const Model& (*make)()) {
  const Model& model = make();
  for (auto _ : state) {
    const CompiledScorer scorer(model.ensemble);
    benchmark::DoNotOptimize(&scorer);
  }
}

BENCHMARK_CAPTURE(Reference, boosted, Boosted)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Compiled, boosted_baseline, Boosted, Isa::kBaseline)
    ->Unit(benchmark::kMicrosecond)
    ->Arg(120)
    ->Arg(2048);
BENCHMARK_CAPTURE(Compiled, boosted_avx2, Boosted, Isa::kAvx2)
    ->Unit(benchmark::kMicrosecond)
    ->Arg(1)
    ->Arg(10)
    ->Arg(64)
    ->Arg(120)
    ->Arg(1000)
    ->Arg(2048);
BENCHMARK_CAPTURE(Compiled, boosted_avx512, Boosted, Isa::kAvx512)
    ->Unit(benchmark::kMicrosecond)
    ->Arg(1)
    ->Arg(10)
    ->Arg(64)
    ->Arg(120)
    ->Arg(1000)
    ->Arg(2048);
BENCHMARK_CAPTURE(Compiled, fading, Fading, BestIsa())
    ->Unit(benchmark::kMicrosecond)
    ->Arg(120)
    ->Arg(1000);
BENCHMARK(Top)->Unit(benchmark::kMicrosecond)->Arg(120)->Arg(1000);
BENCHMARK_CAPTURE(EarlyExits, none, 0.0)->Unit(benchmark::kMicrosecond)->Arg(120)->Arg(1000);
BENCHMARK_CAPTURE(EarlyExits, fifth, 0.2)->Unit(benchmark::kMicrosecond)->Arg(120)->Arg(1000);
BENCHMARK_CAPTURE(Compile, boosted, Boosted)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Reference, forest, Forest)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Compiled, forest, Forest, Isa::kBaseline)
    ->Unit(benchmark::kMicrosecond)
    ->Arg(1)
    ->Arg(120)
    ->Arg(2048);

}  // namespace
}  // namespace rankforest
