#include "rankforest/train/dropout_sum.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/train/combinators.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/model_of.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::ByRow;
using testing::ModelOf;
using testing::Prepared;
using testing::ScoreLog;

namespace {

constexpr std::uint32_t kRounds = 25;
constexpr double kRate = 0.3;

Prepared RandomDocuments(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 15;
  options.nan_in_100 = 10;
  return Prepared(testing::SmallData(options, rng));
}

TreeGrower<> Stumps() {
  TreeLimits limits;
  limits.max_depth = 2;
  return {limits, {}};
}

auto DartOf(const DropSettings& settings, std::uint32_t rounds = kRounds) {
  return Boost(BoostPlan{rounds, kRate}, SquaredError(), Stumps(), SubsampleRows{0.8},
               DropoutSum(settings));
}

auto MartOf(std::uint32_t rounds = kRounds) {
  return Boost(BoostPlan{rounds, kRate}, SquaredError(), Stumps(), SubsampleRows{0.8});
}

DropSettings SomeDrops() {
  DropSettings settings;
  settings.drop_rate = 0.2;
  settings.skip_drop = 0.3;
  settings.max_drop = 4;
  return settings;
}

template <class Trainer>
Member TrainOn(const Trainer& trainer, const Prepared& prepared, MonitorSettings settings = {},
               int threads = 1) {
  Monitor monitor(std::move(settings), Threads{threads}, kRounds);
  return trainer.Train(prepared.training(threads), WholeSample(prepared.data.n_documents()), Rng(3),
                       monitor);
}

MonitorSettings Watching(const Dataset& data, WatchedMetric metric,
                         std::optional<std::uint32_t> patience = {}) {
  MonitorSettings settings;
  settings.watches = {{"valid", &data, {std::move(metric)}, {}}};
  settings.early_stopping_rounds = patience;
  return settings;
}

/// DART as plainly as possible: every score is summed anew from the trees, document by document.
///
/// @param stays_out  (model without the dropped trees, model with all) -> whether they stay out
Member NaiveDart(const Prepared& prepared, const DropSettings& settings,
                 const std::function<bool(const Member&, const Member&)>& stays_out) {
  const Dataset& data = prepared.data;
  const TrainingSet training = prepared.training();
  auto objective = SquaredError().Start(training);
  auto learner = Stumps().Start(training);
  const RowSample all = WholeSample(data.n_documents());
  Member model;  // one group for each tree
  model.base = objective.BaseScore(all);
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const Rng rng = Rng(3).Child(Purpose::kRound, round);
    std::vector<double> weights;
    for (const Group& group : model.groups) weights.push_back(group.weight);
    const auto dropped = DrawDropped(settings, weights, rng.Child(Purpose::kDropout, 0));
    Member without = model;
    for (auto t = dropped.rbegin(); t != dropped.rend(); ++t) {
      without.groups.erase(without.groups.begin() + *t);
    }
    std::vector<double> scores(data.n_documents(), model.base);
    AddGroups(without, data, Threads{1}, scores);
    std::vector<GradientPair> targets(data.n_documents());
    const RowSample drawn = SubsampleRows{0.8}.Draw(data, all, rng.Child(Purpose::kRows, 0));
    objective.Gradients(drawn, scores, targets, rng);
    Group step = {kRate, Reduction::kSum, 1, {learner.FitTree(targets, drawn, rng)}};
    without.groups.push_back(step);
    if (dropped.empty()) {
      model = without;
      continue;
    }
    const auto k = static_cast<double>(dropped.size());
    const bool is_tree = settings.normalization == DropNormalization::kTree;
    for (const std::uint32_t t : dropped) {
      model.groups[t].weight *= is_tree ? k / (k + kRate) : 1.0 / (1.0 + kRate);
    }
    step.weight = is_tree ? kRate / (k + kRate) : kRate / (1.0 + kRate);
    model.groups.push_back(step);
    if (stays_out(without, model)) model = without;
  }
  Member merged;  // neighbours of one weight are one group
  merged.base = model.base;
  for (Group& group : model.groups) {
    Member one;
    one.groups.push_back(std::move(group));
    Extend(merged, std::move(one));
  }
  return merged;
}

bool NeverOut(const Member& /*without*/, const Member& /*all*/) { return false; }

}  // namespace

TEST_CASE("DART is what a plain loop makes of the same drops, by either normalisation and draw") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const Prepared prepared = RandomDocuments(seed);
    DropSettings settings = SomeDrops();
    settings.one_drop = seed % 2 == 0;
    if (seed % 3 == 0) settings.normalization = DropNormalization::kForest;
    if (seed % 3 == 1) settings.selection = DropSelection::kWeighted;
    const Member expected = NaiveDart(prepared, settings, &NeverOut);
    for (const int threads : {1, 3}) {
      CHECK(TrainOn(DartOf(settings), prepared, {}, threads) == expected);
    }
  }
}

TEST_CASE("without drops it is plain boosting, watched or not, bit for bit") {
  const Prepared prepared = RandomDocuments(7);
  const Prepared valid = RandomDocuments(8);
  DropSettings none;
  none.drop_rate = 0.0;
  DropSettings skips = SomeDrops();
  skips.skip_drop = 1.0;
  const Member plain = TrainOn(MartOf(), prepared);
  CHECK(TrainOn(DartOf(none), prepared) == plain);
  CHECK(TrainOn(DartOf(skips), prepared) == plain);
  ScoreLog of_dart;
  ScoreLog of_mart;
  CHECK(TrainOn(DartOf(none), prepared, Watching(valid.data, of_dart.metric())) == plain);
  CHECK(TrainOn(MartOf(), prepared, Watching(valid.data, of_mart.metric())) == plain);
  CHECK(of_dart.scores == of_mart.scores);
}

TEST_CASE("the scores watched after a round are those of the model that ends there, to the bit") {
  const Prepared prepared = RandomDocuments(9);
  const Prepared valid = RandomDocuments(10);
  ScoreLog log;
  TrainOn(DartOf(SomeDrops()), prepared, Watching(valid.data, log.metric()));
  REQUIRE(log.scores.size() == kRounds);
  for (std::uint32_t rounds = 1; rounds <= kRounds; ++rounds) {
    CAPTURE(rounds);
    const Member model = TrainOn(DartOf(SomeDrops(), rounds), prepared);
    CHECK(ByRow(valid.data, log.scores[rounds - 1]) ==
          Score(ModelOf(model, valid.data), valid.data.features()));
  }
}

TEST_CASE("early stopping gives the weights of the best round back") {
  const Prepared prepared = RandomDocuments(11);
  const std::vector<double> values = {1, 2, 3, 4, 5, 9, 6, 6, 6, 6, 6};
  const Member stopped =
      TrainOn(DartOf(SomeDrops()), prepared, Watching(prepared.data, testing::Scripted(values), 5));
  CHECK(stopped == TrainOn(DartOf(SomeDrops(), 6), prepared));
  CHECK(stopped.n_rounds() == 6);
}

TEST_CASE("training goes on from the first rounds as if it had never paused") {
  const Prepared prepared = RandomDocuments(12);
  const Member whole = TrainOn(DartOf(SomeDrops()), prepared);
  Monitor monitor({}, Threads{1}, kRounds);
  CHECK(DartOf(SomeDrops())
            .Continue(prepared.training(), WholeSample(prepared.data.n_documents()), Rng(3),
                      monitor, TrainOn(DartOf(SomeDrops(), 13), prepared)) == whole);
}

TEST_CASE("a model of another kind is not gone on from") {
  const Prepared prepared = RandomDocuments(13);
  Member mean = TrainOn(MartOf(3), prepared);
  mean.groups[0].reduction = Reduction::kMean;
  Monitor monitor({}, Threads{1}, kRounds);
  const RowSample all = WholeSample(prepared.data.n_documents());
  CHECK_THROWS_AS(
      DartOf(SomeDrops()).Continue(prepared.training(), all, Rng(3), monitor, std::move(mean)),
      std::invalid_argument);
}

TEST_CASE("X-DART keeps dropped trees out where the held-out set is ranked no worse without") {
  for (std::uint64_t seed = 20; seed < 26; ++seed) {
    CAPTURE(seed);
    const Prepared prepared = RandomDocuments(seed);
    const Prepared valid = RandomDocuments(seed + 100);
    DropSettings settings = SomeDrops();
    settings.keep_drop = true;
    const auto quality = testing::Watched("ndcg@5(empty=0)", valid.data);
    const auto quality_of = [&](const Member& model) {
      std::vector<double> scores(valid.data.n_documents(), model.base);
      AddGroups(model, valid.data, Threads{1}, scores);
      return quality.evaluate(scores);
    };
    std::size_t n_out = 0;
    const Member expected =
        NaiveDart(prepared, settings, [&](const Member& without, const Member& all) {
          const bool out = quality_of(without) >= quality_of(all);
          n_out += out ? 1U : 0U;
          return out;
        });
    CHECK(n_out > 0);
    const Member model =
        TrainOn(DartOf(settings), prepared,
                Watching(valid.data, testing::Watched("ndcg@5(empty=0)", valid.data)));
    CHECK(model == expected);
    CHECK(model.n_rounds() < kRounds);
  }
}

TEST_CASE("X-DART needs a set to decide on, and starts afresh") {
  const Prepared prepared = RandomDocuments(14);
  DropSettings settings = SomeDrops();
  settings.keep_drop = true;
  CHECK_THROWS_AS(TrainOn(DartOf(settings), prepared), std::invalid_argument);
  ScoreLog log;
  Monitor monitor(Watching(prepared.data, log.metric()), Threads{1}, kRounds);
  CHECK_THROWS_AS(
      DartOf(settings).Continue(prepared.training(), WholeSample(prepared.data.n_documents()),
                                Rng(3), monitor, TrainOn(MartOf(3), prepared)),
      std::invalid_argument);
}

}  // namespace rankforest
