#include "rankforest/objective/any_objective.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/objective/lambda_rank.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "support/small_data.hpp"

namespace rankforest {
namespace {

using testing::Prepared;

Prepared SomeData(std::uint64_t seed) {
  Rng rng(seed);
  return Prepared(testing::SmallData({}, rng));
}

LambdaRank<DcgSwap> SomeLambdas() {
  const Metric metric = Metric::Parse("ndcg@5");
  return {DcgSwap(metric), metric};
}

/// The base score, and the gradients and hessians of two rounds, of a run on its own.
template <class Objective>
std::vector<double> Said(const Objective& objective, const Prepared& prepared) {
  const std::size_t n = prepared.data.n_documents();
  auto run = objective.Start(prepared.training());
  std::vector<double> said = {run.BaseScore(WholeSample(n))};
  std::vector<double> scores(n);
  for (int round = 0; round < 2; ++round) {
    std::vector<GradientPair> out(n);
    run.Gradients(WholeSample(n), scores, out, Rng(0));
    for (std::size_t d = 0; d < n; ++d) {
      said.insert(said.end(), {out[d].grad, out[d].hess});
      scores[d] -= out[d].grad;
    }
  }
  return said;
}

}  // namespace

TEST_CASE("an erased objective says what the objective itself says") {
  const Prepared prepared = SomeData(7);
  CHECK(Said(AnyObjective(SquaredError()), prepared) == Said(SquaredError(), prepared));
  CHECK(Said(AnyObjective(SomeLambdas()), prepared) == Said(SomeLambdas(), prepared));
  CHECK(Said(SomeLambdas(), prepared) != Said(SquaredError(), prepared));
}

TEST_CASE("copies of an erased objective serve several runs") {
  const Prepared first = SomeData(1);
  const Prepared second = SomeData(2);
  const AnyObjective objective(SomeLambdas());
  const AnyObjective copy = objective;  // NOLINT(performance-unnecessary-copy-initialization)
  const std::vector<double> of_first = Said(objective, first);
  CHECK(Said(copy, second) == Said(objective, second));
  CHECK(Said(copy, first) == of_first);
  CHECK(Said(copy, first) != Said(copy, second));
}

}  // namespace rankforest
