#include "rankforest/objective/yeti_query.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/objective/decayed_difference.hpp"

namespace rankforest {

TEST_CASE("neighbours count as far as the list, the truncation and the metric go") {
  LambdaSettings lambda;
  lambda.truncation = 5;
  const detail::YetiQuery<DecayedDifference> truncated(DecayedDifference(1.0), {}, lambda);
  CHECK(truncated.PairCount(0) == 0);
  CHECK(truncated.PairCount(1) == 0);
  CHECK(truncated.PairCount(4) == 3);
  CHECK(truncated.PairCount(100) == 5);
  lambda.truncation.reset();
  const detail::YetiQuery<DecayedDifference> all(DecayedDifference(1.0), {}, lambda);
  CHECK(all.PairCount(100) == 99);
  const detail::YetiQuery<DcgSwap> cut(DcgSwap(Metric::Parse("ndcg@3")), {}, lambda);
  CHECK(cut.PairCount(100) == 3);
}

TEST_CASE("a pair of neighbours weighs what a function says, times its documents' weights") {
  // Scores 1 0: the ranking without noise. Grades 0 1 differ by 1 and are in the wrong order, with
  // rho = 0.7310586; documents of weight 1 and 3 make a pair of 2, and the function doubles it.
  const std::vector<double> documents = {1.0, 3.0};
  const std::vector<double> factors = {2.0};
  const detail::QueryPairWeights weights(0, 2, documents, PairWeighting::kMean, factors);
  detail::YetiQuery<DecayedDifference> query(DecayedDifference(0.5), {1, 0.0, 0.5}, {});
  std::vector<GradientPair> out(2);
  query.Compute(std::vector<RowId>{0, 1}, std::vector<double>{0, 1}, std::vector<double>{1, 0},
                weights, Rng(1), out);
  CHECK(out[0].grad == doctest::Approx(4.0 * 0.7310586));
  CHECK(out[1].grad == doctest::Approx(-4.0 * 0.7310586));
  CHECK(out[0].hess == doctest::Approx(4.0 * 0.1966119));
}

TEST_CASE("a query of one grade has no gradients, and the next one is not disturbed by it") {
  detail::YetiQuery<DecayedDifference> query(DecayedDifference(0.5), {}, {});
  const std::vector<RowId> rows = {0, 1, 2};
  const detail::QueryPairWeights one(1.0);
  std::vector<GradientPair> fresh(3);
  query.Compute(rows, std::vector<double>{0, 1, 2}, std::vector<double>(3), one, Rng(1), fresh);
  std::vector<GradientPair> flat(3, {5.0, 5.0});
  query.Compute(rows, std::vector<double>{2, 2, 2}, std::vector<double>(3), one, Rng(1), flat);
  std::vector<GradientPair> again(3);
  query.Compute(rows, std::vector<double>{0, 1, 2}, std::vector<double>(3), one, Rng(1), again);
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(flat[d].grad == 0.0);
    CHECK(flat[d].hess == 0.0);
    CHECK(again[d].grad == fresh[d].grad);
  }
  CHECK(fresh[0].grad > 0.0);
  CHECK(fresh[2].grad < 0.0);
}

}  // namespace rankforest
