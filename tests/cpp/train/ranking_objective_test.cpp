#include "rankforest/train/ranking_objective.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/small_data.hpp"

namespace rankforest {
namespace {

LambdaMartSettings On(RankingObjective objective, const std::string& metric) {
  LambdaMartSettings settings = LambdaMartDefaults();
  settings.objective = objective;
  settings.metric = Metric::Parse(metric);
  return settings;
}

/// The gradients at rising scores.
template <class Objective>
std::vector<double> GradientsOf(const Objective& objective, const testing::Prepared& prepared) {
  const std::size_t n = prepared.data.n_documents();
  std::vector<double> scores;
  for (std::size_t d = 0; d < n; ++d) scores.push_back(static_cast<double>(d % 5) * 0.5);
  std::vector<GradientPair> out(n);
  objective.Start(prepared.training()).Gradients(WholeSample(n), scores, out, Rng(4));
  std::vector<double> gradients;
  for (const GradientPair& pair : out) gradients.push_back(pair.grad);
  return gradients;
}

}  // namespace

TEST_CASE("settings name the objective, its metric and its options") {
  Rng rng(61);
  const testing::Prepared prepared(testing::SmallData({}, rng));
  const Metric map = Metric::Parse("map");
  LambdaMartSettings settings = On(RankingObjective::kYetiLoss, "map");
  settings.yeti = {3, 0.5, 0.7};
  settings.mu = 4.0;
  settings.lambda.sigma = 2.0;
  const auto found = [&](RankingObjective objective, const std::string& metric) {
    settings.objective = objective;
    settings.metric = Metric::Parse(metric);
    return GradientsOf(RankingObjectiveOf(settings), prepared);
  };
  CHECK(found(RankingObjective::kYetiRank, "rmse") ==
        GradientsOf(YetiRank(DecayedDifference(0.7), settings.yeti, settings.lambda), prepared));
  CHECK(found(RankingObjective::kYetiLoss, "map") ==
        GradientsOf(YetiRank(AveragePrecisionSwap(map), settings.yeti, settings.lambda, map),
                    prepared));
  CHECK(found(RankingObjective::kXeNdcg, "rmse") == GradientsOf(XeNdcg(), prepared));
  const Metric ndcg = Metric::Parse("ndcg@5");
  CHECK(found(RankingObjective::kNdcgLoss2, "ndcg@5") ==
        GradientsOf(LambdaRank(NdcgLoss2Swap(ndcg, 4.0), ndcg, settings.lambda), prepared));
  CHECK(found(RankingObjective::kLambdaRank, "map") ==
        GradientsOf(LambdaRank(AveragePrecisionSwap(map), map, settings.lambda), prepared));
}

TEST_CASE("what an objective cannot do with its metric is refused") {
  CHECK_THROWS_WITH_AS(RankingObjectiveOf(On(RankingObjective::kNdcgLoss2, "map")),
                       "metric must be ndcg or dcg for objective=\"ndcg_loss2++\", got map",
                       std::invalid_argument);
  CHECK_THROWS_AS(RankingObjectiveOf(On(RankingObjective::kYetiLoss, "rmse")),
                  std::invalid_argument);
  CHECK_THROWS_AS(RankingObjectiveOf(On(RankingObjective::kLambdaRank, "rmse")),
                  std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      RankingObjectiveOf(On(RankingObjective::kXeNdcg, "ndcg"), [](GradedPairs& /*pairs*/) {}),
      "objective=\"xe_ndcg\" has no pairs to weigh", std::invalid_argument);
}

}  // namespace rankforest
