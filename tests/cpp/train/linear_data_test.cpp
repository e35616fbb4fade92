#include "rankforest/train/linear_data.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/model_of.hpp"
#include "support/small_data.hpp"
#include "support/special_floats.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

TEST_CASE("documents stand by query with the values that a linear part weighs") {
  testing::RawData raw;
  raw.features = {1.0F, kNaN, -kInf, 3.0F};
  raw.grades = {0.0, 1.0, 0.0, 2.0};
  raw.queries = {7, 8, 8, 7};
  raw.weights = {1.0, 2.0, 4.0, 1.0};
  const Dataset data = raw.Make();
  const TrainingSet training(data, Threads{1});
  const LinearData linear(training, WholeSample(4), QueryNormalization::kNone);
  REQUIRE(linear.n_queries() == 2);
  for (std::size_t d = 0; d < 4; ++d) {
    const float value = raw.features[data.order()[d]];
    const float expected = value != value   ? 0.0F
                           : value == -kInf ? -std::numeric_limits<float>::max()
                                            : value;
    CHECK(linear.Row(d)[0] == expected);
    CHECK(linear.grades()[d] == data.grades()[d]);
  }
  const std::size_t heavy = data.query_codes()[0] == 8 ? 0 : 1;
  CHECK(linear.QueryWeight(heavy) == 3.0);
  CHECK(linear.QueryWeight(1 - heavy) == 1.0);
}

TEST_CASE("a sample has the queries that it holds documents of, and is normalized by these alone") {
  testing::RawData raw;
  raw.features = {1.0F, 3.0F, 5.0F, 10.0F};
  raw.grades = {0.0, 1.0, 2.0, 0.0};
  raw.queries = {1, 1, 1, 2};
  const Dataset data = raw.Make();
  RowSample sample;
  for (RowId d = 0; d < 4; ++d) {
    if (data.Features(d)[0] < 4.0F) sample.rows.push_back(d);
  }
  const LinearData linear(TrainingSet(data, Threads{2}), sample, QueryNormalization::kMinMax);
  CHECK(linear.n_queries() == 1);
  REQUIRE(linear.n_documents() == 2);
  for (std::size_t d = 0; d < 2; ++d) {
    CHECK(linear.Row(d)[0] == (linear.grades()[d] == 1.0 ? 1.0F : 0.0F));
  }
}

TEST_CASE(
    "what a linear part adds in training are the scores of the model, for any normalization") {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    testing::SmallDataOptions options;
    options.nan_in_100 = 20;
    const testing::RawData raw = testing::SmallData(options, rng);
    const Dataset data = raw.Make();
    const Linear linear{static_cast<QueryNormalization>(round % 4), {{2, 0.3F}, {0, -1.7F}}};
    std::vector<double> scores(data.n_documents(), 0.0);
    AddLinear(linear, data, Threads{2}, scores);
    const Ensemble model = testing::ModelOf({0.0, {}, linear}, data);
    CHECK(testing::ByRow(data, scores) == Score(model, data.features(), raw.queries));
  }
}

TEST_CASE("weights of 0 are left out of a linear part, and numbers beyond float32 are cut") {
  const std::vector<double> weights{0.5, 0.0, -1e300, 1e-300};
  const Linear linear = LinearOf(weights, QueryNormalization::kSum);
  CHECK(linear.terms ==
        std::vector<Linear::Term>{{0, 0.5F}, {2, -std::numeric_limits<float>::max()}});
  CHECK(LinearOf(std::vector<double>{0.0}, QueryNormalization::kSum) == Linear{});
}

}  // namespace rankforest
