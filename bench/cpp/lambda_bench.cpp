// A round of LambdaRank's gradients, on one thread, over queries like those of web search.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/metric/swap_delta.hpp"
#include "rankforest/objective/lambda_query.hpp"
#include "rankforest/objective/pair_row.hpp"

namespace rankforest {
namespace {

/// Queries of 1 to 908 documents, 117 in the mean, with five grades, most of them 0.
struct Judged {
  std::vector<std::size_t> offsets{0};
  std::vector<double> grades;
  std::vector<double> scores;

  Judged() {
    Rng rng(7);
    while (grades.size() < 100000) {
      const double length = -80.0 * Log2(1.0 - rng.Uniform());  // exponential
      const std::size_t n = std::min<std::size_t>(908, 1 + static_cast<std::size_t>(length));
      for (std::size_t d = 0; d < n; ++d) {
        const double share = rng.Uniform();
        const std::vector<double> below = {0.52, 0.84, 0.97, 0.99};
        const auto grade = std::upper_bound(below.begin(), below.end(), share) - below.begin();
        grades.push_back(static_cast<double>(grade));
        scores.push_back(0.3 * grades.back() + 2.0 * rng.Uniform());
      }
      offsets.push_back(grades.size());
    }
  }
};

const Judged& Data() {
  static const Judged data;
  return data;
}

/// Reports the time of each document and of each pair that a swap changes the metric of.
void Round(benchmark::State& state, const char* metric, std::optional<std::uint32_t> truncation) {
  const Judged& data = Data();
  std::vector<RowId> rows(data.grades.size());
  std::iota(rows.begin(), rows.end(), RowId{0});
  std::vector<GradientPair> out(rows.size());
  LambdaSettings settings;
  settings.truncation = truncation;
  VisitSwapDelta(Metric::Parse(metric), [&](auto swap) {
    detail::LambdaQuery<decltype(swap)> query(swap, settings);
    double pairs = 0.0;
    for (std::size_t q = 0; q + 1 < data.offsets.size(); ++q) {
      const auto n = static_cast<double>(data.offsets[q + 1] - data.offsets[q]);
      const auto n_rows = static_cast<double>(query.RowCount(static_cast<std::size_t>(n)));
      pairs += n_rows * n - n_rows * (n_rows + 1.0) / 2.0;
    }
    for (auto _ : state) {
      for (std::size_t q = 0; q + 1 < data.offsets.size(); ++q) {
        const std::size_t first = data.offsets[q];
        query.Compute(Span<const RowId>(rows.data() + first, data.offsets[q + 1] - first),
                      data.grades, data.scores, detail::QueryPairWeights(1.0), out);
      }
      benchmark::DoNotOptimize(out.data());
    }
    using benchmark::Counter;
    const auto kTimeOfEach = Counter::kIsIterationInvariantRate | Counter::kInvert;
    state.counters["document"] = Counter(static_cast<double>(rows.size()), kTimeOfEach);
    state.counters["pair"] = Counter(pairs, kTimeOfEach);
  });
}

/// Rows of 110 pairs, without anything else: with vectors of 128 bits or, if `wide`, 256.
void PairRows(benchmark::State& state, bool wide) {
  constexpr std::size_t kSize = 110;
  const Judged& data = Data();
  std::vector<double> lambdas(kSize);
  std::vector<double> hessians(kSize);
  std::vector<double> odds(kSize);
  std::vector<double> lambda_terms(kSize);
  std::vector<double> hessian_terms(kSize);
  std::vector<double> deltas(kSize, 0.25);
  detail::OddsBelow{3.0, 1.0, data.scores.data(), kSize, odds.data()}();
  const detail::PairRow row{1.0,
                            2.0,
                            kSize,
                            odds.data(),
                            data.grades.data(),
                            deltas.data(),
                            lambdas.data(),
                            hessians.data(),
                            lambda_terms.data(),
                            hessian_terms.data()};
  if (wide && !detail::HasAvx2()) state.SkipWithError("the processor has no AVX2");
  const detail::PullRow pull{row};
  for (auto _ : state) {
    benchmark::DoNotOptimize(wide ? detail::CallForAvx2(pull) : pull());
  }
  state.counters["pair"] =
      benchmark::Counter(static_cast<double>(kSize), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

/// The same pairs one by one, with the C library's exp: what the rows are to be compared with.
void PairsOneByOne(benchmark::State& state) {
  constexpr std::size_t kSize = 110;
  const Judged& data = Data();
  std::vector<GradientPair> out(kSize + 1);
  for (auto _ : state) {
    for (std::size_t k = 0; k < kSize; ++k) {
      if (data.grades[k] == 2.0) continue;
      const bool in_order = 2.0 > data.grades[k];
      GradientPair& better = in_order ? out[kSize] : out[k];
      GradientPair& worse = in_order ? out[k] : out[kSize];
      const double gap = 3.0 - data.scores[k];
      const double rho = 1.0 / (1.0 + std::exp(in_order ? gap : -gap));
      better.grad -= 0.25 * rho;
      worse.grad += 0.25 * rho;
      better.hess += 0.25 * rho * (1.0 - rho);
      worse.hess += 0.25 * rho * (1.0 - rho);
    }
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["pair"] =
      benchmark::Counter(static_cast<double>(kSize), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

BENCHMARK(PairsOneByOne);
BENCHMARK_CAPTURE(PairRows, narrow, false);
BENCHMARK_CAPTURE(PairRows, wide, true);
BENCHMARK_CAPTURE(Round, ndcg_at_10, "ndcg@10", 30)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Round, ndcg_truncated_at_30, "ndcg", 30)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Round, ndcg_all_pairs, "ndcg", std::nullopt)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Round, map_truncated_at_30, "map", 30)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Round, err_at_10, "err@10", 30)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rankforest
