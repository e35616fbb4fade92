#include "rankforest/train/bag_training.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/train/run_options.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {
namespace {

constexpr std::uint32_t kRoundsOfMember = 6;

auto MemberRecipe() {
  LambdaMartSettings settings = LambdaMartDefaults();
  settings.boost.n_estimators = kRoundsOfMember;
  settings.boost.trees.limits.min_samples_leaf.amount = 2;
  settings.boost.trees.max_features = {FeatureDraw::Kind::kFraction, 0.7};
  settings.boost.sample.fraction = 0.8;
  return LambdaMart(settings);
}

const testing::RawData& RawQueries() {
  static const testing::RawData raw = [] {
    Rng rng(991);
    testing::SmallDataOptions options;
    options.n_queries = 30;
    options.n_features = 4;
    return testing::SmallData(options, rng);
  }();
  return raw;
}

RunOptions BagOptions(std::uint32_t n_bags, double query_fraction, int threads = 1) {
  RunOptions options;
  options.seed = 12;
  options.threads = Threads{threads};
  options.bag = BagSettings{n_bags, query_fraction, BagCombine::kMinMax};
  return options;
}

Trained TrainBagOf(const Dataset& data, RunOptions options) {
  return Train(MemberRecipe(), data, kRoundsOfMember, std::move(options));
}

Member Alone(const Dataset& data, std::uint64_t seed) {
  RunOptions options;
  options.seed = seed;
  return Train(MemberRecipe(), data, kRoundsOfMember, std::move(options)).ensemble.members.front();
}

/// The rows of some queries of a data set, by their positions in it.
std::vector<std::size_t> RowsOfQueries(const Dataset& data,
                                       const std::vector<std::uint32_t>& queries) {
  std::vector<std::size_t> rows;
  for (const std::uint32_t q : queries) {
    for (std::size_t d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      rows.push_back(data.order()[d]);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("each member is what the recipe trains with its seed on its queries alone") {
  const Dataset data = RawQueries().Make();
  const Trained bag = TrainBagOf(data, BagOptions(4, 0.6));
  REQUIRE(bag.members.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const BagMember& member = bag.members[i];
    CHECK(member.queries.size() == 18);
    const Dataset drawn = RawQueries().Take(RowsOfQueries(data, member.queries)).Make();
    CHECK(Alone(drawn, member.seed) == bag.ensemble.members[i]);
  }
}

TEST_CASE("a bag of one model on all queries is that model") {
  const Dataset data = RawQueries().Make();
  const Trained bag = TrainBagOf(data, BagOptions(1, 1.0));
  CHECK(bag.members[0].seed == 12);
  CHECK(bag.ensemble.members[0] == Alone(data, 12));
  const std::vector<std::size_t> first = {0};
  CHECK(BagOf(bag.ensemble, first, BagCombine::kMean).members[0] == Alone(data, 12));
}

TEST_CASE("neither threads nor a smaller bag to grow from change a bit of a bag") {
  const Dataset data = RawQueries().Make();
  const Ensemble expected = TrainBagOf(data, BagOptions(5, 0.67)).ensemble;
  for (const int threads : {2, 3, 5, 8}) {
    CHECK(TrainBagOf(data, BagOptions(5, 0.67, threads)).ensemble == expected);
    RunOptions growing = BagOptions(5, 0.67, threads);
    growing.trained = TrainBagOf(data, BagOptions(2, 0.67)).ensemble;
    const Trained grown = TrainBagOf(data, growing);
    CHECK(grown.ensemble == expected);
    CHECK(grown.members.size() == 3);
  }
}

TEST_CASE("members are measured one after the other where the metric has one memory") {
  const Dataset data = RawQueries().Make();
  const auto history = [&](int threads, bool renews) {
    RunOptions options = BagOptions(5, 0.67, threads);
    WatchedMetric metric = testing::Watched("ndcg@5", data);
    if (renews) {
      metric.renew = [&data] { return testing::Watched("ndcg@5", data).evaluate; };
    }
    options.monitor.watches = {{"train", &data, {metric}}};
    options.monitor.early_stopping_rounds = 2;
    std::vector<double> values;
    const Trained bag = TrainBagOf(data, options);
    for (const RoundReport& report : bag.history) values.push_back(report.values[0][0]);
    for (const BagMember& member : bag.members) {
      for (const RoundReport& report : member.history) values.push_back(report.values[0][0]);
    }
    return values;
  };
  const std::vector<double> expected = history(1, false);
  CHECK(expected.size() > 10);
  CHECK(history(2, false) == expected);
  CHECK(history(2, true) == expected);
  CHECK(history(4, true) == expected);
}

TEST_CASE("an observer sees the members in order and may end the bag") {
  const Dataset data = RawQueries().Make();
  for (const int threads : {1, 2, 4}) {
    RunOptions options = BagOptions(9, 0.67, threads);
    std::vector<std::size_t> rounds;
    options.monitor.on_round = [&](const RoundReport& report) {
      CHECK(report.n_rounds == 9);
      rounds.push_back(report.round);
      return report.round < 3;
    };
    const Trained bag = TrainBagOf(data, options);
    CHECK(rounds == std::vector<std::size_t>{1, 2, 3});
    CHECK(bag.ensemble.members.size() == 3);
    CHECK(bag.stopped_early);
  }
}

TEST_CASE("what a bag cannot work with is refused") {
  const Dataset data = RawQueries().Make();
  CHECK_THROWS_WITH_AS(TrainBagOf(data, BagOptions(0, 0.5)), "n_bags must be >= 1, got 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(TrainBagOf(data, BagOptions(2, 1.5)),
                       "query_fraction must be in (0, 1], got 1.5", std::invalid_argument);
  RunOptions options = BagOptions(2, 0.5);
  options.initial_scores.assign(data.n_documents(), 0.0);
  CHECK_THROWS_WITH_AS(TrainBagOf(data, options), "a bag does not start from initial scores",
                       std::invalid_argument);
  RunOptions shrinking = BagOptions(2, 0.5);
  shrinking.trained = TrainBagOf(data, BagOptions(3, 0.5)).ensemble;
  CHECK_THROWS_AS(TrainBagOf(data, shrinking), std::invalid_argument);
}

}  // namespace rankforest
