#include "rankforest/train/tree_columns.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

Dataset ColumnsData(std::size_t n_rows, Rng& rng) {
  std::vector<QueryId> codes(n_rows);
  std::vector<double> grades(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    codes[row] = rng.Below(7);
    grades[row] = rng.Below(3);
  }
  return Dataset::Owning(testing::RandomFeatures(n_rows * 3, rng), 3, grades, codes);
}

}  // namespace

TEST_CASE("columns of trees add up to the scores without their bases") {
  Rng rng(311);
  for (int trial = 0; trial < 20; ++trial) {
    const Dataset data = ColumnsData(300, rng);
    Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    model.members.resize(1);
    const TreeColumns columns(model, data, Threads{1 + trial % 2});
    CHECK(columns.size() == model.n_trees());
    const std::vector<double> scores = Score(model, data.features());
    for (std::size_t d = 0; d < data.n_documents(); ++d) {
      double sum = model.members[0].base;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        sum += columns.Value(j, d);
        CHECK(std::abs(columns.Value(j, d)) <= columns.Largest(j));
      }
      CHECK(sum == scores[data.order()[d]]);
    }
  }
}

TEST_CASE("trees of more than 256 leaves are kept in wider codes") {
  Rng rng(312);
  const Dataset data = ColumnsData(50, rng);
  Ensemble model;
  model.n_features = 3;
  model.members = {{0.0, {{0.5, Reduction::kSum, 1, {testing::ListTree(1000)}}}}};
  const TreeColumns columns(model, data, Threads{1});
  const std::vector<double> scores = Score(model, data.features());
  for (std::size_t d = 0; d < 50; ++d) CHECK(columns.Value(0, d) == scores[data.order()[d]]);
}

TEST_CASE("models whose trees cannot be weighted are refused") {
  Rng rng(313);
  const Dataset data = ColumnsData(10, rng);
  CHECK_THROWS_AS(TreeColumns(testing::RandomEnsemble(3, Combine::kMinMax, rng), data, Threads{1}),
                  std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      TreeColumns(testing::RandomEnsemble(4, Combine::kSum, rng), data, Threads{1}),
      "the data has 3 features; the model needs 4", std::invalid_argument);
}

}  // namespace rankforest
