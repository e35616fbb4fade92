#include "rankforest/score/normalized_rows.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/matrix.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

TEST_CASE("each feature is normalized in each query, wherever its rows stand") {
  const std::vector<float> x{1.0F, 0.0F, 5.0F, 7.0F, 3.0F, 4.0F, 5.0F, 9.0F};
  const std::vector<QueryId> queries{8, 3, 8, 3};
  CHECK(NormalizedRows(QueryNormalization::kMinMax, testing::Matrix(x, 2), queries, Threads{2}) ==
        std::vector<float>{0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 0.0F, 1.0F});
}

TEST_CASE(
    "a model that normalizes gives raw rows the scores of one that does not on normalized rows") {
  Rng rng(1);
  for (int round = 0; round < 12; ++round) {
    const auto kind = static_cast<QueryNormalization>(1 + round % 3);
    const std::vector<float> x = testing::RandomFeatures(40 * 5, rng);
    std::vector<QueryId> queries(40);
    for (QueryId& query : queries) query = rng.Below(4);
    const std::vector<float> normalized =
        NormalizedRows(kind, testing::Matrix(x, 5), queries, Threads{1 + round % 2});
    Ensemble model;
    model.n_features = 5;
    model.members = {{0.0, {}, {kind, {{4, 1.5F}, {0, -0.3F}, {2, 0.7F}}}}};
    const std::vector<double> scores = Score(model, testing::Matrix(x, 5), queries);
    model.members[0].linear.normalization = QueryNormalization::kNone;
    CHECK(scores == Score(model, testing::Matrix(normalized, 5)));
  }
}

}  // namespace rankforest
