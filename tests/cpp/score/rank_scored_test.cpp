#include "rankforest/score/rank_scored.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "support/matrix.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

TEST_CASE("the best of scores come first, and equal ones in the order of their rows") {
  LimitedScores scored;
  scored.scores = {1.0, 3.0, 2.0, 3.0, 0.0};
  scored.report.n_evaluations = 17;
  std::vector<RankedDocument> best(3);
  const TopReport report = detail::RankScored(scored, 5, best);
  CHECK(best == std::vector<RankedDocument>{{1, 3.0}, {3, 3.0}, {2, 2.0}});
  CHECK(report.n_documents == 3);
  CHECK(report.n_evaluations == 17);
  const std::vector<QueryId> codes{5, 2, 5, 2, 2};
  const RankedQueries found = detail::RankScored(scored, RowsByQuery(codes), 2);
  CHECK(found.offsets == std::vector<std::size_t>{0, 2, 4});
  CHECK(found.documents == std::vector<RankedDocument>{{1, 3.0}, {3, 3.0}, {2, 2.0}, {0, 1.0}});
  best.resize(9);
  CHECK(detail::RankScored(scored, 5, best).n_documents == 5);
}

TEST_CASE("the best documents of a model with exits are those of its scores") {
  Rng rng(95);
  for (int trial = 0; trial < 40; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    model.exits.points = {{1, 0.5}, {2, 0.0, 0.25}};
    const std::size_t n = 1 + rng.Below(40);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    std::vector<QueryId> codes(n);
    for (QueryId& code : codes) code = rng.Below(3);
    const CompiledScorer scorer(model);
    const std::vector<double> scores = scorer.Score(testing::Matrix(x, 4), codes);
    const RankedQueries found = scorer.Top(testing::Matrix(x, 4), 4, codes);
    const RowsByQuery queries(codes);
    for (std::size_t q = 0; q < queries.n_queries(); ++q) {
      std::vector<std::size_t> rows(queries.Query(q).begin(), queries.Query(q).end());
      std::stable_sort(rows.begin(), rows.end(),
                       [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
      for (std::size_t i = 0; i < std::min<std::size_t>(4, rows.size()); ++i) {
        CHECK(found.documents[found.offsets[q] + i] == RankedDocument{rows[i], scores[rows[i]]});
      }
    }
    const std::vector<QueryId> one(n);
    const std::vector<RankedDocument> best = scorer.Top(testing::Matrix(x, 4), 5);
    CHECK(best == scorer.Top(testing::Matrix(x, 4), 5, one).documents);
  }
}

}  // namespace rankforest
