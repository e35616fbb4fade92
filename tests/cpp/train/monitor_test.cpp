#include "rankforest/train/monitor.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::ScoreLog;
using testing::Scripted;

namespace {

const Dataset& ThreeDocuments() {
  static const Dataset data = testing::OneFeature({1, 2, 3}, {0, 1, 2}).Make();
  return data;
}

/// One round of boosting that adds `value` to every score.
Member Step(float value) {
  Tree tree;
  tree.leaves = {value};
  return {0.0, {{1.0, Reduction::kSum, 1, {tree}}}};
}

std::vector<Tree> Leaves(std::size_t n) {
  std::vector<Tree> trees(n);
  for (std::size_t i = 0; i < n; ++i) trees[i].leaves = {static_cast<float>(i + 1)};
  return trees;
}

MonitorSettings WatchOne(WatchedMetric metric) {
  MonitorSettings settings;
  settings.watches = {{"valid", &ThreeDocuments(), {std::move(metric)}}};
  return settings;
}

/// What early stopping asks for besides its rounds.
struct Better {
  bool maximize = true;
  double min_delta = 0.0;
};

struct Outcome {
  std::size_t rounds = 0;  ///< that were trained
  std::size_t kept = 0;
  bool stopped_early = false;
};

/// Boosts up to `n_rounds` rounds on scripted values.
Outcome Follow(std::vector<double> values, std::uint32_t patience, std::size_t n_rounds,
               Better better = {}) {
  MonitorSettings settings = WatchOne(Scripted(std::move(values), better.maximize));
  settings.early_stopping_rounds = patience;
  settings.min_delta = better.min_delta;
  Monitor monitor(std::move(settings), {}, n_rounds);
  monitor.Begin({});
  Outcome outcome;
  bool goes_on = true;
  while (goes_on && outcome.rounds < n_rounds) {
    goes_on = monitor.AfterRound(Step(1.0F));
    ++outcome.rounds;
  }
  outcome.kept = monitor.RoundsToKeep();
  outcome.stopped_early = monitor.stopped_early();
  return outcome;
}

std::vector<std::size_t> RoundsOf(const std::vector<RoundReport>& history) {
  std::vector<std::size_t> rounds;
  for (const RoundReport& report : history) rounds.push_back(report.round);
  return rounds;
}

}  // namespace

TEST_CASE("the history has the values of every watch and metric after every round") {
  const Dataset other = testing::OneFeature({1, 2}, {1, 0}).Make();
  ScoreLog log;
  ScoreLog log_of_other;
  MonitorSettings settings;
  settings.watches = {{"a", &ThreeDocuments(), {Scripted({1, 2, 3}), log.metric()}},
                      {"b", &other, {Scripted({7, 8, 9}), log_of_other.metric()}}};
  std::vector<RoundReport> seen;
  settings.on_round = [&](const RoundReport& report) {
    seen.push_back(report);
    return true;
  };
  Monitor monitor(std::move(settings), {}, 3);
  monitor.Begin({10.0, {}});
  CHECK(monitor.history().empty());  // a base alone is no round
  for (const float value : {1.0F, 2.0F, 4.0F}) CHECK(monitor.AfterRound(Step(value)));
  REQUIRE(monitor.history().size() == 3);
  for (std::size_t r = 0; r < 3; ++r) {
    const RoundReport& report = monitor.history()[r];
    CHECK(report.round == r + 1);
    CHECK(report.n_rounds == 3);
    CHECK(report.values == std::vector<std::vector<double>>{{1.0 + static_cast<double>(r), 0},
                                                            {7.0 + static_cast<double>(r), 0}});
    CHECK(seen[r].round == report.round);
    CHECK(seen[r].values == report.values);
  }
  CHECK(log.scores == std::vector<std::vector<double>>{{11, 11, 11}, {13, 13, 13}, {17, 17, 17}});
  CHECK(log_of_other.scores == std::vector<std::vector<double>>{{11, 11}, {13, 13}, {17, 17}});
  CHECK(monitor.RoundsToKeep() == 3);
  CHECK_FALSE(monitor.stopped_early());
}

TEST_CASE("training stops after so many rounds without a better value, and keeps the first best") {
  const Outcome outcome = Follow({1, 3, 2, 3, 2, 9}, 3, 6);
  CHECK(outcome.rounds == 5);
  CHECK(outcome.kept == 2);
  CHECK(outcome.stopped_early);
}

TEST_CASE("every better value starts the count again") {
  const Outcome outcome = Follow({1, 0, 2, 0, 3, 0, 0}, 2, 10);
  CHECK(outcome.rounds == 7);
  CHECK(outcome.kept == 5);
}

TEST_CASE("a metric that is to be small is best where it is smallest") {
  const Outcome outcome = Follow({5, 2, 2, 3, 0}, 2, 5, {false});
  CHECK(outcome.rounds == 4);
  CHECK(outcome.kept == 2);
}

TEST_CASE("a better value must exceed the best one by more than min_delta") {
  // 1.5 and 2 are not better than 1 by more than 1, 2.5 is; and 3.5 is not better than 2.5.
  const Outcome rising = Follow({1, 1.5, 2, 2.5, 3.5, 3.5, 3}, 3, 9, {true, 1.0});
  CHECK(rising.kept == 4);
  CHECK(rising.rounds == 7);
  CHECK(Follow({1, 1.5, 2, 2.5, 3.5}, 2, 9, {true, 1.0}).kept == 1);
  CHECK(Follow({5, 4.5, 4, 3.9, 3}, 3, 5, {false, 1.0}).kept == 4);
  CHECK(Follow({1, 1, 1.25}, 3, 3, {true, 0.25}).kept == 1);
  CHECK(Follow({1, 1, 1.25}, 3, 3, {true, 0.0}).kept == 3);
}

TEST_CASE("without a stop the first best round is kept all the same") {
  const Outcome outcome = Follow({1, 4, 4, 3}, 10, 4);
  CHECK(outcome.rounds == 4);
  CHECK(outcome.kept == 2);
  CHECK_FALSE(outcome.stopped_early);
  // A stop that falls on the last round ends nothing early.
  CHECK_FALSE(Follow({4, 1, 1}, 2, 3).stopped_early);
  CHECK(Follow({4, 1, 1}, 2, 4).stopped_early);
}

TEST_CASE("only the first metric of the first watch decides") {
  MonitorSettings settings;
  settings.watches = {{"a", &ThreeDocuments(), {Scripted({3, 1, 1}), Scripted({1, 2, 3})}},
                      {"b", &ThreeDocuments(), {Scripted({1, 2, 3})}}};
  settings.early_stopping_rounds = 2;
  Monitor monitor(std::move(settings), {}, 9);
  monitor.Begin({});
  CHECK(monitor.AfterRound(Step(1.0F)));
  CHECK(monitor.AfterRound(Step(1.0F)));
  CHECK_FALSE(monitor.AfterRound(Step(1.0F)));
  CHECK(monitor.RoundsToKeep() == 1);
}

TEST_CASE("the stopping watch decides, wherever it stands") {
  for (const std::size_t watch : {0U, 1U}) {
    MonitorSettings settings;
    settings.watches = {{"a", &ThreeDocuments(), {Scripted({3, 1, 1, 1})}},
                        {"b", &ThreeDocuments(), {Scripted({1, 2, 1, 1})}}};
    settings.early_stopping_rounds = 2;
    settings.stopping_watch = watch;
    Monitor monitor(std::move(settings), {}, 9);
    monitor.Begin({});
    std::size_t rounds = 1;
    while (monitor.AfterRound(Step(1.0F))) ++rounds;
    CHECK(rounds == 3 + watch);
    CHECK(monitor.RoundsToKeep() == 1 + watch);
  }
}

TEST_CASE("without early stopping, all rounds are kept, and a missing value does no harm") {
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  Monitor monitor(WatchOne(Scripted({3, kNotANumber, 1})), {}, 3);
  monitor.Begin({});
  for (int round = 0; round < 3; ++round) CHECK(monitor.AfterRound(Step(1.0F)));
  CHECK(monitor.RoundsToKeep() == 3);
}

TEST_CASE("early stopping needs values") {
  MonitorSettings settings;
  settings.early_stopping_rounds = 5;
  CHECK_THROWS_WITH_AS(Monitor{settings}, "early_stopping_rounds needs a data set to evaluate on",
                       std::invalid_argument);
  settings.watches = {{"valid", &ThreeDocuments(), {}}};
  CHECK_THROWS_AS(Monitor{settings}, std::invalid_argument);
  settings.stopping_watch = 1;
  CHECK_THROWS_AS(Monitor{settings}, std::invalid_argument);
  settings.stopping_watch = 0;
  settings.watches[0].metrics = {Scripted({std::numeric_limits<double>::quiet_NaN()})};
  Monitor monitor(settings, {}, 5);
  monitor.Begin({});
  CHECK_THROWS_WITH_AS(monitor.AfterRound(Step(1.0F)),
                       "early_stopping_rounds: script of 'valid' is not a number: no query of it "
                       "can be evaluated",
                       std::invalid_argument);
}

TEST_CASE("an observer may stop the run, which then keeps what it has") {
  MonitorSettings settings;
  settings.on_round = [](const RoundReport& report) { return report.round < 2; };
  Monitor monitor(std::move(settings), {}, 5);
  monitor.Begin({});
  CHECK(monitor.AfterRound(Step(1.0F)));
  CHECK_FALSE(monitor.asked_to_stop());
  CHECK_FALSE(monitor.AfterRound(Step(1.0F)));
  CHECK(monitor.asked_to_stop());
  CHECK(monitor.stopped_early());
  CHECK(monitor.RoundsToKeep() == 2);
  CHECK(monitor.history().empty());  // there was nothing to evaluate
}

TEST_CASE("a forest is evaluated at round numbers of trees and at the last, as their mean") {
  ScoreLog log;
  Monitor monitor(WatchOne(log.metric()), {}, 123);
  const std::vector<Tree> trees = Leaves(123);
  for (const std::size_t n : {16U, 32U, 96U, 112U, 123U}) {
    CHECK(monitor.AfterTrees(Span<const Tree>(trees.data(), n)));
  }
  CHECK(RoundsOf(monitor.history()) == std::vector<std::size_t>{1, 2, 5, 10, 20, 50, 100, 123});
  for (std::size_t i = 0; i < log.scores.size(); ++i) {
    // Trees are worth 1, 2, 3, ...
    const auto n = static_cast<double>(monitor.history()[i].round);
    CHECK(log.scores[i][0] == doctest::Approx((n + 1) / 2));
  }
  CHECK(monitor.RoundsToKeep() == 123);
}

TEST_CASE("an observer sees how many trees there are, and values where they were evaluated") {
  MonitorSettings settings = WatchOne(Scripted({5, 6, 7}));
  std::vector<std::pair<std::size_t, std::size_t>> seen;
  settings.on_round = [&](const RoundReport& report) {
    seen.emplace_back(report.round, report.values.size());
    return report.round < 4;
  };
  Monitor monitor(std::move(settings), {}, 9);
  const std::vector<Tree> trees = Leaves(9);
  CHECK(monitor.AfterTrees(Span<const Tree>(trees.data(), 2)));
  CHECK(monitor.AfterTrees(Span<const Tree>(trees.data(), 3)));
  CHECK_FALSE(monitor.AfterTrees(Span<const Tree>(trees.data(), 4)));
  CHECK(seen == std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {3, 0}, {4, 0}});
  CHECK(monitor.RoundsToKeep() == 4);
}

TEST_CASE("a forest is never stopped for want of a better value, whatever boosting may be") {
  MonitorSettings settings = WatchOne(Scripted({9, 8, 7, 6, 5, 4, 3}));
  settings.early_stopping_rounds = 2;
  Monitor monitor(std::move(settings), {}, 25);
  const std::vector<Tree> trees = Leaves(20);
  CHECK(monitor.AfterTrees(trees));  // evaluated at 1 2 5 10 20: 9 8 7 6 5
  CHECK(monitor.RoundsToKeep() == 20);
  monitor.Begin({0.0, {{1.0, Reduction::kMean, 1, trees}}});
  CHECK(monitor.AfterRound(Step(1.0F)));
  CHECK_FALSE(monitor.AfterRound(Step(1.0F)));
  CHECK(monitor.RoundsToKeep() == 20);  // what boosting started from was the best
  CHECK(RoundsOf(monitor.history()) == std::vector<std::size_t>{1, 2, 5, 10, 20, 21, 22});
}

TEST_CASE("a start of some rounds is evaluated before the first step, once") {
  ScoreLog log;
  Monitor monitor(WatchOne(log.metric()), {}, 5);
  const std::vector<Tree> trees = Leaves(3);
  monitor.AfterTrees(trees);
  monitor.Begin({1.0, {{1.0, Reduction::kMean, 1, trees}}});
  monitor.AfterRound(Step(10.0F));
  CHECK(RoundsOf(monitor.history()) == std::vector<std::size_t>{1, 2, 3, 4});
  REQUIRE(log.scores.size() == 4);
  CHECK(log.scores[2][0] == doctest::Approx(3.0));
  CHECK(log.scores[3][0] == doctest::Approx(13.0));
}

TEST_CASE("a start that the caller scores is evaluated as one that the monitor scores") {
  ScoreLog by_caller;
  Monitor monitor(WatchOne(by_caller.metric()));
  monitor.Begin(2, {{1.0, 2.0, 3.0}});
  CHECK(monitor.round() == 2);
  REQUIRE(monitor.history().size() == 1);
  CHECK(monitor.history()[0].round == 2);
  CHECK(monitor.AfterScores({{2.0, 3.0, 4.0}}));
  CHECK(by_caller.scores == std::vector<std::vector<double>>{{1.0, 2.0, 3.0}, {2.0, 3.0, 4.0}});
  Monitor fresh(WatchOne(by_caller.metric()));
  fresh.Begin(0, {{1.0, 2.0, 3.0}});
  CHECK(fresh.history().empty());
}

TEST_CASE("rounds of several trees are evaluated at the same numbers as trees") {
  ScoreLog log;
  Monitor monitor(WatchOne(log.metric()), {}, 7);
  std::vector<std::size_t> asked;
  const auto scores_of = [&](const Dataset& data, std::size_t n) {
    asked.push_back(n);
    return std::vector<double>(data.n_documents(), static_cast<double>(n));
  };
  CHECK(monitor.AfterTrees(4, scores_of));
  CHECK(monitor.AfterTrees(7, scores_of));
  CHECK(asked == std::vector<std::size_t>{1, 2, 5, 7});
  CHECK(log.scores.back() == std::vector<double>{7, 7, 7});
}

}  // namespace rankforest
