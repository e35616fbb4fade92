#include "rankforest/objective/mean_relevance.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

std::vector<GradientPair> GradientsOf(const Dataset& data, Relevance relevance) {
  const TrainingSet training(data, Threads{1});
  std::vector<GradientPair> targets(data.n_documents());
  const std::vector<double> scores(data.n_documents(), 0.0);
  MeanRelevance(relevance).Start(training).Gradients(WholeSample(data.n_documents()), scores,
                                                     targets, Rng(0));
  return targets;
}

}  // namespace

TEST_CASE("a step from 0 goes to the weighted mean of grades, or of gains") {
  testing::RawData raw = testing::OneFeature({1, 2, 3}, {0, 3, 2});
  raw.weights = {1.0, 0.5, 2.0};
  const Dataset data = raw.Make();
  for (const Relevance relevance : {Relevance::kGrade, Relevance::kExp2}) {
    const auto targets = GradientsOf(data, relevance);
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(targets[d].hess == data.weights()[d]);
      CHECK(targets[d].grad == -data.weights()[d] * RelevanceOf(data.grades()[d], relevance));
    }
  }
}

TEST_CASE("grades whose gain is beyond a leaf are refused") {
  const Dataset large = testing::OneFeature({1, 2}, {0, 127.5}).Make();
  CHECK_NOTHROW(GradientsOf(large, Relevance::kGrade));
  CHECK_THROWS_WITH_AS(
      GradientsOf(large, Relevance::kExp2),
      "grades must be at most 127 where trees predict 2^grade - 1; the largest is 127.5",
      std::invalid_argument);
  CHECK_NOTHROW(GradientsOf(testing::OneFeature({1, 2}, {0, 127}).Make(), Relevance::kExp2));
}

TEST_CASE("grades beyond float32 have no leaf that predicts them") {
  const auto start = [](double grade, Relevance relevance) {
    const testing::Prepared prepared(testing::OneFeature({1, 2}, {0, grade}));
    (void)MeanRelevance(relevance).Start(prepared.training());
  };
  CHECK_NOTHROW(start(3.4e38, Relevance::kGrade));
  CHECK_THROWS_WITH_AS(start(1e39, Relevance::kGrade),
                       "grades must be at most 3.4e38, which float32 holds, where trees predict "
                       "grades; the largest is 1e+39",
                       std::invalid_argument);
}

}  // namespace rankforest
