#include "rankforest/train/rank_svm.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

Trained TrainSvm(const Dataset& data, const RankSvmSettings& settings, RunOptions options = {}) {
  return Train(RankSvm(settings), data, settings.max_iterations, std::move(options));
}

testing::RawData SvmData(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  return testing::SmallData(options, rng);
}

}  // namespace

TEST_CASE("a linear model without trees puts the better document first") {
  const Dataset data = testing::OneFeature({3.0F, 1.0F}, {1.0, 0.0}).Make();
  RankSvmSettings settings;
  settings.cost = 0.5;
  const Trained trained = TrainSvm(data, settings);
  CHECK(trained.ensemble.n_trees() == 0);
  REQUIRE(trained.ensemble.members.size() == 1);
  const Linear& linear = trained.ensemble.members[0].linear;
  REQUIRE(linear.terms.size() == 1);
  CHECK(linear.terms[0].weight == doctest::Approx(0.4));
}

TEST_CASE("neither threads nor the order of rows change a bit, and the seed plays no part") {
  const testing::RawData raw = SvmData(1);
  RankSvmSettings settings;
  settings.linear.query_normalization = QueryNormalization::kZScore;
  const Ensemble expected = TrainSvm(raw.Make(), settings).ensemble;
  Rng rng(2);
  const testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  CHECK(TrainSvm(shuffled.Make(), settings, {7, Threads{3}, {}, {}}).ensemble == expected);
}

TEST_CASE("early stopping keeps the weights of the best step") {
  const Dataset data = SvmData(3).Make();
  RankSvmSettings settings;
  settings.tolerance = 0.0;
  settings.max_iterations = 6;
  RunOptions options;
  options.monitor.watches = {{"valid", &data, {testing::Scripted({0.1, 0.5, 0.2, 0.3, 0.4, 0.1})}}};
  options.monitor.early_stopping_rounds = 2;
  const Trained stopped = TrainSvm(data, settings, options);
  settings.max_iterations = 2;
  CHECK(stopped.rounds_kept == 2);
  CHECK(stopped.stopped_early);
  CHECK(stopped.ensemble == TrainSvm(data, settings).ensemble);
}

TEST_CASE("data without pairs and models to go on from are refused") {
  const Dataset data = testing::OneFeature({3.0F, 1.0F}, {1.0, 1.0}).Make();
  CHECK_THROWS_AS(TrainSvm(data, {}), std::invalid_argument);
}

}  // namespace rankforest
