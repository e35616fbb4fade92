#include "rankforest/core/blending.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

constexpr std::size_t kRows = 60;

/// Documents of some queries, and the scores that models give them.
struct BlendedDocuments {
  explicit BlendedDocuments(Rng& rng)
      : values(testing::RandomFeatures(kRows * 3, rng)), codes(kRows) {
    for (QueryId& code : codes) code = rng.Below(9);
  }

  [[nodiscard]] std::vector<double> Scores(const Ensemble& model) const {
    return Score(model, {values.data(), kRows, 3, 3}, codes);
  }

  /// The combination of scores that stand in columns.
  [[nodiscard]] std::vector<double> Combined(
      const Blend& blend, const std::vector<std::vector<double>>& columns) const {
    Ensemble model;
    model.members.resize(columns.size());
    model.blends = {blend};
    return Combination(model)(columns, codes);
  }

  std::vector<float> values;
  std::vector<QueryId> codes;
};

Ensemble AnyEnsemble(Rng& rng) {
  const std::uint32_t kind = rng.Below(4);
  return kind == 3 ? testing::BlendedEnsemble(3, rng)
                   : testing::RandomEnsemble(3, static_cast<Combine>(kind), rng);
}

}  // namespace

TEST_CASE("a blend of any models scores as the combination of their scores") {
  Rng rng(141);
  for (int trial = 0; trial < 200; ++trial) {
    const BlendedDocuments documents(rng);
    const auto combine = static_cast<Combine>(rng.Below(4));
    std::vector<Ensemble> models;
    std::vector<double> weights;
    std::vector<std::vector<double>> columns;
    Blend blend{combine, {}};
    for (std::uint32_t j = 0; j < 1 + rng.Below(4); ++j) {
      models.push_back(AnyEnsemble(rng));
      weights.push_back(0.5 + rng.Uniform());
      columns.push_back(documents.Scores(models.back()));
      blend.terms.push_back({j, weights.back()});
    }
    const Ensemble whole = Blended(models, weights, combine);
    CHECK_NOTHROW(Validate(whole));
    const std::vector<double> scores = documents.Scores(whole);
    const std::vector<double> expected = documents.Combined(blend, columns);
    for (std::size_t i = 0; i < kRows; ++i) {
      if (whole.is_sum()) {  // contributions are rounded with their weights
        CHECK(scores[i] == doctest::Approx(expected[i]).epsilon(1e-5));
      } else {
        CHECK(scores[i] == expected[i]);
      }
    }
  }
}

TEST_CASE("models of weight 0 are left out") {
  Rng rng(142);
  const Ensemble a = testing::RandomEnsemble(3, Combine::kSum, rng);
  const Ensemble b = testing::RandomEnsemble(3, Combine::kBorda, rng);
  const std::vector<double> weights{1.0, 0.0, 2.0};
  const std::vector<double> without{1.0, 2.0};
  CHECK(Blended({a, b, a}, weights, Combine::kMinMax) ==
        Blended({a, a}, without, Combine::kMinMax));
}

TEST_CASE("models of one member and weights of 1 need no blends") {
  Rng rng(143);
  Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
  model.members.resize(1);
  const std::vector<double> ones{1.0, 1.0};
  const std::vector<double> halves{1.0, 0.5};
  for (const Combine combine : {Combine::kSum, Combine::kMinMax, Combine::kBorda}) {
    const Ensemble flat = Blended({model, model}, ones, combine);
    CHECK(flat.combine == combine);
    CHECK(flat.blends.empty());
  }
  CHECK(Blended({model, model}, ones, Combine::kZScore).blends.size() == 1);
  CHECK(Blended({model, model}, halves, Combine::kMinMax).blends.size() == 1);
  CHECK(Blended({model, model}, halves, Combine::kSum).is_sum());
}

TEST_CASE("weights that make no blend are refused") {
  Rng rng(144);
  const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
  const std::vector<double> negative{1.0, -1.0};
  const std::vector<double> zeros{0.0, 0.0};
  CHECK_THROWS_WITH_AS(Blended({model, model}, negative, Combine::kSum),
                       "the weight of model 1 is -1, expected a number >= 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Blended({model, model}, zeros, Combine::kBorda),
                       "all weights are 0, expected one above 0", std::invalid_argument);
}

TEST_CASE("a model on moved columns scores moved documents alike") {
  Rng rng(145);
  const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
  const std::vector<float> values = testing::RandomFeatures(kRows * 3, rng);
  const std::vector<std::uint32_t> column_of{4, 0, 3};
  std::vector<float> moved(kRows * 5, 0.0F);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t f = 0; f < 3; ++f) moved[5 * row + column_of[f]] = values[3 * row + f];
  }
  CHECK(Score(OnColumns(model, column_of, 5), {moved.data(), kRows, 5, 5}) ==
        Score(model, {values.data(), kRows, 3, 3}));
}

}  // namespace rankforest
