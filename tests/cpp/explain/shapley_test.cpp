#include "rankforest/explain/shapley.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/naive_shapley.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {
namespace {

constexpr std::uint32_t kFeatures = 5;

std::vector<float> RandomRows(std::size_t n, Rng& rng) {
  std::vector<float> values(n * kFeatures);
  for (float& x : values) {
    x = rng.Below(8) == 0 ? std::numeric_limits<float>::quiet_NaN()
                          : static_cast<float>(rng.Below(9)) - 4.0F;
  }
  return values;
}

FeatureMatrix AsMatrix(const std::vector<float>& values) {
  return {values.data(), values.size() / kFeatures, kFeatures, kFeatures};
}

void CheckSums(const ShapleyValues& explained, const std::vector<double>& scores) {
  for (std::size_t d = 0; d < scores.size(); ++d) {
    double sum = explained.base;
    for (std::size_t f = 0; f < kFeatures; ++f) sum += explained.values[d * kFeatures + f];
    CHECK(sum == doctest::Approx(scores[d]).epsilon(1e-11).scale(1.0));
  }
}

TEST_CASE("base and values of a document add up to its score") {
  Rng rng(4);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<float> seen = RandomRows(200, rng);
    Ensemble ensemble =
        WithLeafCounts(testing::RandomEnsemble(kFeatures, Combine::kSum, rng), AsMatrix(seen), {});
    const std::vector<float> rows = RandomRows(70, rng);
    CheckSums(ExplainByPaths(ensemble, AsMatrix(rows)), Score(ensemble, AsMatrix(rows)));
    const std::vector<float> background = RandomRows(9, rng);
    ensemble.members[0].linear.terms = {{3, 0.5F}, {1, -2.0F}};
    CheckSums(ExplainAgainst(ensemble, AsMatrix(rows), AsMatrix(background)),
              Score(ensemble, AsMatrix(rows)));
  }
}

TEST_CASE("values do not depend on the number of threads, to the bit") {
  Rng rng(5);
  const std::vector<float> rows = RandomRows(300, rng);
  const Ensemble ensemble =
      WithLeafCounts(testing::RandomEnsemble(kFeatures, Combine::kSum, rng), AsMatrix(rows), {});
  const FeatureMatrix few = {rows.data(), 5, kFeatures, kFeatures};
  CHECK(ExplainByPaths(ensemble, AsMatrix(rows), Threads{1}).values ==
        ExplainByPaths(ensemble, AsMatrix(rows), Threads{4}).values);
  CHECK(ExplainAgainst(ensemble, AsMatrix(rows), few, Threads{1}).values ==
        ExplainAgainst(ensemble, AsMatrix(rows), few, Threads{4}).values);
}

TEST_CASE("the values of a model are the sums of those of its trees") {
  Rng rng(6);
  for (int trial = 0; trial < 20; ++trial) {
    Ensemble ensemble;
    ensemble.n_features = kFeatures;
    ensemble.members = {{1.0, {{0.5, Reduction::kMean, 1, {}}}}};
    for (int t = 0; t < 3; ++t) {
      ensemble.members[0].groups[0].trees.push_back(testing::RandomCountedTree(kFeatures, 5, rng));
    }
    const std::vector<float> row = RandomRows(1, rng);
    std::vector<double> expected(kFeatures, 0.0);
    for (const Tree& tree : ensemble.members[0].groups[0].trees) {
      const auto of_tree =
          testing::ShapleyByDefinition(testing::PathGame(tree, row.data()), kFeatures);
      for (std::size_t f = 0; f < kFeatures; ++f) expected[f] += of_tree[f] / 6.0;
    }
    const ShapleyValues explained = ExplainByPaths(ensemble, AsMatrix(row));
    for (std::size_t f = 0; f < kFeatures; ++f) {  // contributions are rounded to float32
      CHECK(explained.values[f] == doctest::Approx(expected[f]).epsilon(1e-6).scale(1.0));
    }
  }
}

TEST_CASE("a term of a linear part adds what its value is above the mean of the background") {
  Ensemble ensemble;
  ensemble.n_features = kFeatures;
  ensemble.members = {{0.25, {}, {QueryNormalization::kNone, {{2, 2.0F}}}}};
  const std::vector<float> row = {0, 0, 5, 0, 0};
  const std::vector<float> background = {0, 0, 1, 0, 0, 0, 0, 2, 0, 0};
  const ShapleyValues explained = ExplainAgainst(ensemble, AsMatrix(row), AsMatrix(background));
  CHECK(explained.base == 0.25 + 3.0);
  CHECK(explained.values == std::vector<double>{0, 0, 7, 0, 0});
}

TEST_CASE("models whose scores are no sums, and models without counts, are refused") {
  Rng rng(7);
  const std::vector<float> rows = RandomRows(4, rng);
  const FeatureMatrix documents = AsMatrix(rows);
  Ensemble plain;
  plain.n_features = kFeatures;
  plain.members = {{0.0, {{1.0, Reduction::kSum, 1, {testing::Stump(0, 1, 2)}}}}};
  CHECK_THROWS_WITH_AS(ExplainByPaths(plain, documents),
                       doctest::Contains("how many documents its leaves have"),
                       std::invalid_argument);
  const FeatureMatrix none = {rows.data(), 0, kFeatures, kFeatures};
  CHECK_THROWS_AS(ExplainAgainst(plain, documents, none), std::invalid_argument);
  const Ensemble counted = WithLeafCounts(plain, documents, {});
  CHECK_NOTHROW(ExplainByPaths(counted, documents));
  Ensemble combined = counted;
  combined.combine = Combine::kMinMax;
  CHECK_THROWS_WITH_AS(ExplainByPaths(combined, documents), doctest::Contains("within queries"),
                       std::invalid_argument);
  Ensemble normalised = counted;
  normalised.members[0].linear = {QueryNormalization::kZScore, {{0, 1.0F}}};
  CHECK_THROWS_WITH_AS(ExplainAgainst(normalised, documents, documents),
                       doctest::Contains("normalises features"), std::invalid_argument);
  Ensemble linear = counted;
  linear.members[0].linear = {QueryNormalization::kNone, {{0, 1.0F}}};
  CHECK_THROWS_WITH_AS(ExplainByPaths(linear, documents), doctest::Contains("linear part"),
                       std::invalid_argument);
  Ensemble exiting = counted;
  exiting.exits.points = {{1, 0.5}};
  CHECK_THROWS_WITH_AS(ExplainByPaths(exiting, documents), doctest::Contains("without exits"),
                       std::invalid_argument);
}

}  // namespace
}  // namespace rankforest
