#include "rankforest/train/initial_scores.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

/// What InitialScores says of scores for three documents.
std::string ScoresComplaint(const std::vector<double>& scores) {
  const Dataset data = testing::OneFeature({1, 2, 3}, {0, 1, 0}).Make();
  try {
    (void)InitialScores("init_score", data, scores);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

MartSettings StumpMart(std::uint32_t n_estimators) {
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = n_estimators;
  settings.boost.learning_rate = 1.0;
  settings.boost.trees.limits.max_depth = 1;
  return settings;
}

}  // namespace

TEST_CASE("initial scores are brought to canonical order") {
  Rng rng(97);
  const testing::RawData raw = testing::SmallData({}, rng);
  const Dataset data = raw.Make();
  std::vector<double> of_rows;
  for (std::size_t row = 0; row < raw.n_rows(); ++row) of_rows.push_back(rng.Below(100));
  CHECK(testing::ByRow(data, InitialScores("init_score", data, of_rows)) == of_rows);
}

TEST_CASE("initial scores that are not numbers, or too many, are refused with their row") {
  CHECK(ScoresComplaint({1, -2, 0}) == "");
  CHECK(ScoresComplaint({1, 2}) ==
        "init_score must have one score for each of the 3 documents; it has 2");
  const std::string bad = "init_score must hold finite numbers that float32 can hold; that of row ";
  CHECK(ScoresComplaint({1, std::numeric_limits<double>::quiet_NaN(), 0}) ==
        bad + "1 (counted from 0) is nan");
  CHECK(ScoresComplaint({1, 2, -std::numeric_limits<double>::infinity()}) ==
        bad + "2 (counted from 0) is -inf");
  CHECK(ScoresComplaint({1, 1e39, 0}).rfind(bad + "1 (counted from 0) is ", 0) == 0);
  CHECK(ScoresComplaint({1, 3e38, 0}) == "");
}

TEST_CASE("boosting learns what initial scores lack, and the model does not contain them") {
  // Grades 4 and 0 with scores 1 and 3: the step is 3 and -3, and the mean grade is not added.
  const Dataset data = testing::OneFeature({1, 2}, {4, 0}).Make();
  RunOptions options;
  options.initial_scores = InitialScores("init_score", data, std::vector<double>{1, 3});
  const Ensemble model = Train(Mart(StumpMart(1)), data, 1, options).ensemble;
  CHECK(model.members.front().base == 0.0);
  CHECK(model.members.front().groups.front().trees.front().leaves == std::vector<float>{3, -3});
}

TEST_CASE("grades less the initial scores teach the same trees") {
  Rng rng(98);
  for (int trial = 0; trial < 10; ++trial) {
    const testing::RawData raw = testing::SmallData({}, rng);
    testing::RawData residual = raw;
    std::vector<double> scores;
    for (double& grade : residual.grades) {
      scores.push_back(-static_cast<double>(rng.Below(4)));
      grade -= scores.back();
    }
    const Dataset data = raw.Make();
    MartSettings settings = StumpMart(5);
    settings.init = InitialScore::kZero;
    RunOptions options;
    options.initial_scores = InitialScores("init_score", data, scores);
    CHECK(Train(Mart(settings), data, 5, options).ensemble ==
          Train(Mart(settings), residual.Make(), 5, {}).ensemble);
  }
}

TEST_CASE("watched sets are measured with their own initial scores") {
  const Dataset data = testing::OneFeature({1, 2}, {4, 0}).Make();
  testing::ScoreLog log;
  RunOptions options;
  options.initial_scores = InitialScores("init_score", data, std::vector<double>{1, 3});
  options.monitor.watches = {{"valid", &data, {log.metric()}, options.initial_scores}};
  (void)Train(Mart(StumpMart(1)), data, 1, options);
  REQUIRE(log.scores.size() == 1);
  CHECK(testing::ByRow(data, log.scores.front()) == std::vector<double>{4, 0});
}

TEST_CASE("forests refuse initial scores, and so does boosting of a wrong number") {
  const Dataset data = testing::OneFeature({1, 2}, {4, 0}).Make();
  RunOptions options;
  options.initial_scores = {1.0, 2.0};
  CHECK_THROWS_WITH_AS(Train(RandomForest(RandomForestDefaults()), data, 500, options),
                       "only boosting starts from initial scores", std::invalid_argument);
  options.initial_scores.push_back(3.0);
  CHECK_THROWS_WITH_AS(Train(Mart(StumpMart(1)), data, 1, options),
                       "there must be an initial score for each of the 2 documents; there are 3",
                       std::invalid_argument);
}

}  // namespace rankforest
