#include "rankforest/objective/position_bias.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/metric/dcg.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/lambda_rank.hpp"
#include "rankforest/objective/place_effects.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "support/small_data.hpp"

namespace rankforest {
namespace {

using testing::Prepared;
using testing::RawData;

AnyObjective LambdasOnClicks() {
  const Metric metric = Metric::Parse("ndcg@5");
  return AnyObjective(LambdaRank(DcgSwap(metric), metric));
}

/// Places in turn: 0, 1, 2, 0, 1, ...
PositionSettings ThreePlaces(std::size_t n_documents, double learning_rate, double regularization) {
  PositionSettings settings{{}, learning_rate, regularization};
  for (std::size_t d = 0; d < n_documents; ++d) {
    settings.places.push_back(static_cast<std::uint32_t>(d % 3));
  }
  return settings;
}

}  // namespace

TEST_CASE("effects of places make the Newton steps of a hand computation") {
  // Squared error, whose gradients are score - grade and whose hessians are 1: place 0 has grades
  // 1 and 3, place 1 has grade 4, place 2 has no document.
  RawData raw;
  raw.features = {0.0F, 1.0F, 2.0F};
  raw.grades = {1.0, 4.0, 3.0};
  raw.queries = {1, 1, 1};
  const Prepared prepared{raw};
  PositionSettings settings{{}, 0.5, 1.0};
  for (std::size_t d = 0; d < 3; ++d) {
    settings.places.push_back(prepared.data.grades()[d] == 4.0 ? 1U : 0U);
  }
  const auto effects = std::make_shared<PlaceEffects>(PlaceEffects::None(3));
  const PositionBias objective(AnyObjective(SquaredError()), settings, effects);
  auto run = objective.Start(prepared.training());
  std::vector<GradientPair> out(3);
  const std::vector<double> scores(3, 0.0);
  run.Gradients(WholeSample(3), scores, out, Rng(0));
  run.Gradients(WholeSample(3), scores, out, Rng(0));
  // First round: -0.5 x (-4 + 0) / (2 + 2) = 0.5, and -0.5 x -4 / (1 + 1) = 1. Second round:
  // 0.5 - 0.5 x (-3 + 2 x 0.5) / 4 = 0.75, and 1 - 0.5 x (-3 + 1) / 2 = 1.5.
  CHECK(*effects == PlaceEffects{0, {{0.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {0.75, 1.5, 0.0}}});
  for (std::size_t d = 0; d < 3; ++d) {
    const double effect = settings.places[d] == 1 ? 1.0 : 0.5;  // of the round's beginning
    CHECK(out[d].grad == effect - prepared.data.grades()[d]);
  }
}

TEST_CASE("the gradients are those of the inner objective on scores with effects") {
  Rng rng(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Prepared prepared(testing::SmallData({}, rng));
    const std::size_t n = prepared.data.n_documents();
    const PositionSettings settings = ThreePlaces(n, 0.3, 0.01);
    const auto effects = std::make_shared<PlaceEffects>(PlaceEffects::None(3));
    auto run = PositionBias(LambdasOnClicks(), settings, effects).Start(prepared.training());
    auto inner = LambdasOnClicks().Start(prepared.training());
    std::vector<double> expected(3, 0.0);
    std::vector<double> scores(n);
    for (double& score : scores) score = rng.Below(100) * 0.01;
    for (int round = 0; round < 3; ++round) {
      std::vector<double> with_effects(n);
      for (std::size_t d = 0; d < n; ++d) with_effects[d] = scores[d] + expected[d % 3];
      std::vector<GradientPair> wanted(n);
      std::vector<GradientPair> out(n);
      inner.Gradients(WholeSample(n), with_effects, wanted, Rng(0));
      run.Gradients(WholeSample(n), scores, out, Rng(0));
      for (std::size_t p = 0; p < 3; ++p) {
        double grad = 0.0;
        double hess = 0.0;
        for (std::size_t d = p; d < n; d += 3) {
          CHECK(out[d].grad == wanted[d].grad);
          CHECK(out[d].hess == wanted[d].hess);
          grad += wanted[d].grad + 0.01 * expected[p];
          hess += wanted[d].hess + 0.01;
        }
        if (hess > 0.0) expected[p] -= 0.3 * grad / hess;
        CHECK(effects->after.back()[p] == doctest::Approx(expected[p]));
      }
      expected = effects->after.back();
    }
  }
}

TEST_CASE("a run goes on from effects that are known") {
  Rng rng(6);
  const Prepared prepared(testing::SmallData({}, rng));
  const std::size_t n = prepared.data.n_documents();
  const PositionSettings settings = ThreePlaces(n, 0.3, 0.01);
  const auto whole = std::make_shared<PlaceEffects>(PlaceEffects::None(3));
  auto run = PositionBias(LambdasOnClicks(), settings, whole).Start(prepared.training());
  const std::vector<double> scores(n, 0.0);
  std::vector<GradientPair> out(n);
  for (int round = 0; round < 4; ++round) run.Gradients(WholeSample(n), scores, out, Rng(0));
  const auto part = std::make_shared<PlaceEffects>(whole->Between(2, 2));
  auto later = PositionBias(LambdasOnClicks(), settings, part).Start(prepared.training());
  for (int round = 2; round < 4; ++round) later.Gradients(WholeSample(n), scores, out, Rng(0));
  CHECK(*part == whole->Between(2, 4));
}

TEST_CASE("a place whose documents have no hessian keeps its effect") {
  RawData raw;  // one grade: no pairs
  raw.features = {0.0F, 1.0F, 2.0F};
  raw.grades = {1.0, 1.0, 1.0};
  raw.queries = {1, 1, 1};
  const Prepared prepared{raw};
  const auto effects = std::make_shared<PlaceEffects>(PlaceEffects::None(3));
  auto run =
      PositionBias(LambdasOnClicks(), ThreePlaces(3, 0.1, 0.0), effects).Start(prepared.training());
  std::vector<GradientPair> out(3);
  run.Gradients(WholeSample(3), std::vector<double>(3, 0.0), out, Rng(0));
  CHECK(effects->after.back() == std::vector<double>(3, 0.0));
}

}  // namespace rankforest
