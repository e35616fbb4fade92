#include "rankforest/train/linear_rounds.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

Linear WeightOf(float weight) { return {QueryNormalization::kNone, {{0, weight}}}; }

}  // namespace

TEST_CASE("each round's model is measured as it is, and the one that is asked for is kept") {
  const Dataset data = testing::OneFeature({1.0F, 2.0F}, {0.0, 1.0}).Make();
  testing::ScoreLog log;
  MonitorSettings settings;
  settings.watches = {{"all", &data, {log.metric()}}};
  Monitor monitor(settings, Threads{1}, 3);
  LinearRounds rounds(monitor, Threads{1});
  CHECK(rounds.Add(WeightOf(1.0F)));
  CHECK(rounds.Add(WeightOf(-2.0F)));
  CHECK(testing::ByRow(data, log.scores[0]) == std::vector<double>{1.0, 2.0});
  CHECK(testing::ByRow(data, log.scores[1]) == std::vector<double>{-2.0, -4.0});
  CHECK(rounds.Kept(1).linear == WeightOf(1.0F));
  CHECK(monitor.RoundsToKeep() == 1);
}

TEST_CASE("early stopping keeps the best round, whatever the training would") {
  const Dataset data = testing::OneFeature({1.0F, 2.0F}, {0.0, 1.0}).Make();
  MonitorSettings settings;
  settings.watches = {{"valid", &data, {testing::Scripted({0.2, 0.4, 0.3, 0.1})}}};
  settings.early_stopping_rounds = 2;
  Monitor monitor(settings, Threads{1}, 10);
  LinearRounds rounds(monitor, Threads{1});
  CHECK(rounds.Add(WeightOf(1.0F)));
  CHECK(rounds.Add(WeightOf(2.0F)));
  CHECK(rounds.Add(WeightOf(3.0F)));
  CHECK_FALSE(rounds.Add(WeightOf(4.0F)));
  CHECK(rounds.Kept(4).linear == WeightOf(2.0F));
  CHECK(monitor.RoundsToKeep() == 2);
}

TEST_CASE("no round leaves a model without weights") {
  Monitor monitor(MonitorSettings{});
  const LinearRounds rounds(monitor, Threads{1});
  CHECK(rounds.Kept(0) == Member{});
}

}  // namespace rankforest
