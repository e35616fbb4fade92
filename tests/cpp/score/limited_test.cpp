#include "rankforest/score/limited.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/limited_run.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/matrix.hpp"
#include "support/naive_limits.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

using testing::Matrix;

namespace {

using Rounds = std::vector<std::uint32_t>;

std::vector<QueryId> RandomCodes(std::size_t n, std::uint32_t n_queries, Rng& rng) {
  std::vector<QueryId> codes(n);
  for (QueryId& code : codes) code = rng.Below(n_queries);
  return codes;
}

/// Features below 4 that cost small powers of two, so that sums are exact.
ScoreLimits RandomLimits(Rng& rng) {
  ScoreLimits limits;
  if (rng.Below(4) != 0) {
    limits.early_exit = EarlyExit{1 + rng.Below(4), 0.25 * rng.Below(4),
                                  rng.Below(2) == 0 ? ExitScope::kQuery : ExitScope::kSet};
  }
  if (rng.Below(2) == 0) limits.budget = static_cast<double>(rng.Below(3000));
  limits.costs.tree = static_cast<double>(rng.Below(3));
  if (rng.Below(2) == 0) limits.costs.features = {1.0, 0.0, 8.0, 32.0};
  return limits;
}

void CheckAgainstNaive(const Ensemble& model, const FeatureMatrix& features,
                       const std::vector<QueryId>& codes, const ScoreLimits& limits) {
  const testing::NaiveLimits expected(model, features, codes, limits);
  const LimitedScores found = CompiledScorer(model).ScoreWithin(limits, features, codes);
  CHECK(found.rounds == expected.rounds);
  CHECK(found.scores == expected.scores);
  CHECK(found.report.n_evaluations == expected.n_evaluations);
  CHECK(found.report.cost == expected.cost);
}

/// Exits at some of the rounds from 1 to 7.
ExitSchedule RandomExits(Rng& rng) {
  ExitSchedule exits;
  exits.k = 1 + rng.Below(6);
  exits.scope = rng.Below(3) == 0 ? ExitScope::kSet : ExitScope::kQuery;
  for (std::uint32_t round = 1; round < 8; ++round) {
    if (rng.Below(2) == 0) continue;
    ExitPoint point;
    point.round = round;
    if (rng.Below(2) == 0) point.fraction = 0.25 * rng.Below(4);
    if (rng.Below(2) == 0) point.margin = 0.5 * rng.Below(6);
    if (rng.Below(2) == 0) point.keep = 1 + rng.Below(20);
    exits.points.push_back(point);
  }
  return exits;
}

/// Four rounds of stumps on one feature: 0 or 1, 0 or 2, 0 or 4, 0 or 8 for values above 0.5, 1.5,
/// 2.5 and 3.5.
Ensemble FourStumps() {
  Ensemble model;
  model.n_features = 1;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {}}}}};
  for (const float t : {0.0F, 1.0F, 2.0F, 3.0F}) {
    const auto value = static_cast<float>(1U << static_cast<unsigned>(t));
    model.members[0].groups[0].trees.push_back(testing::Stump(t + 0.5F, 0.0F, value));
  }
  return model;
}

}  // namespace

TEST_CASE("the lowest documents keep the score that they have at an exit") {
  const CompiledScorer scorer(FourStumps());
  const std::vector<float> x{0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 0.0F};
  ScoreLimits limits;
  limits.early_exit = EarlyExit{2, 0.5};
  // After two rounds: 0, 1, 3, 3, 3, 0. Three are to leave, but one of those ties with the others.
  const LimitedScores found = scorer.ScoreWithin(limits, Matrix(x, 1));
  CHECK(found.scores == std::vector<double>{0, 1, 3, 7, 15, 0});
  CHECK(found.rounds == Rounds{2, 2, 4, 4, 4, 2});
  CHECK(found.report.n_evaluations == 3 * 2 + 3 * 4);
  CHECK(found.report.cost == 18.0);

  limits.early_exit->every = 1;
  limits.early_exit->fraction = 0.34;
  // After the first round two of six may leave, after the second one of four, but three tie.
  const LimitedScores more = scorer.ScoreWithin(limits, Matrix(x, 1));
  CHECK(more.rounds == Rounds{1, 2, 3, 4, 4, 1});
  CHECK(more.scores == std::vector<double>{0, 1, 3, 7, 15, 0});
}

TEST_CASE("a query stops before the round that it cannot pay") {
  const CompiledScorer scorer(FourStumps());
  const std::vector<float> x{4.0F, 4.0F, 4.0F, 0.0F};
  const std::vector<QueryId> codes{7, 7, 7, 2};
  ScoreLimits limits;
  limits.costs = {2.0, {10.0}};
  // The first round costs 12 for each document, the others 2.
  limits.budget = 3 * 12.0 + 6.0;
  LimitedScores found = scorer.ScoreWithin(limits, Matrix(x, 1), codes);
  CHECK(found.rounds == Rounds{2, 2, 2, 4});
  CHECK(found.scores == std::vector<double>{3, 3, 3, 0});
  CHECK(found.report.cost == 42.0 + 18.0);
  limits.budget = 35.9;
  found = scorer.ScoreWithin(limits, Matrix(x, 1), codes);
  CHECK(found.rounds == Rounds{0, 0, 0, 4});
  CHECK(found.scores == std::vector<double>{0, 0, 0, 0});
}

TEST_CASE("a document that exits a forest has the mean of the trees so far") {
  Ensemble model = FourStumps();
  model.members[0].base = 10.0;
  model.members[0].groups[0].reduction = Reduction::kMean;
  const std::vector<float> x{4.0F, 1.0F};
  ScoreLimits limits;
  limits.early_exit = EarlyExit{2, 0.5};
  const LimitedScores found = CompiledScorer(model).ScoreWithin(limits, Matrix(x, 1));
  CHECK(found.scores == std::vector<double>{10.0 + 15.0 / 4.0, 10.0 + 1.0 / 2.0});
}

TEST_CASE("documents leave as they do by the definition") {
  Rng rng(81);
  for (int trial = 0; trial < 150; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(200);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    CheckAgainstNaive(model, Matrix(x, 4), RandomCodes(n, 1 + rng.Below(8), rng),
                      RandomLimits(rng));
  }
}

TEST_CASE(
    "documents leave by share, margin and rank, at any rounds, as they do by the definition") {
  Rng rng(86);
  for (int trial = 0; trial < 150; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(200);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    ScoreLimits limits = RandomLimits(rng);
    limits.early_exit.reset();
    limits.exits = RandomExits(rng);
    if (!limits.costs.features.empty() && trial % 2 == 0) {
      limits.costs.features = {1.0, 8.0, 8.0, 32.0};
      limits.costs.groups = {0, 3, 3, 1};
    }
    CheckAgainstNaive(model, Matrix(x, 4), RandomCodes(n, 1 + rng.Below(8), rng), limits);
  }
}

TEST_CASE("an early exit every so many rounds is a schedule, bit for bit") {
  Rng rng(87);
  for (int trial = 0; trial < 30; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(100);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    const std::vector<QueryId> codes = RandomCodes(n, 4, rng);
    ScoreLimits regular;
    regular.early_exit = EarlyExit{1 + rng.Below(3), 0.3, ExitScope::kQuery, trial % 2 == 0};
    ScoreLimits schedule;
    schedule.exits = ExitSchedule{};
    schedule.exits->demote = regular.early_exit->demote;
    for (std::uint32_t r = regular.early_exit->every; r < 40; r += regular.early_exit->every) {
      ExitPoint point;
      point.round = r;
      point.fraction = 0.3;
      schedule.exits->points.push_back(point);
    }
    const CompiledScorer scorer(model);
    const LimitedScores a = scorer.ScoreWithin(regular, Matrix(x, 4), codes);
    const LimitedScores b = scorer.ScoreWithin(schedule, Matrix(x, 4), codes);
    CHECK(a.scores == b.scores);
    CHECK(a.rounds == b.rounds);
    CHECK(a.report.cost == b.report.cost);
  }
}

TEST_CASE("exits by margin and rank, by hand") {
  const CompiledScorer scorer(FourStumps());
  const std::vector<float> x{0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 0.0F};
  ScoreLimits limits;
  limits.exits = ExitSchedule{};
  limits.exits->k = 3;
  ExitPoint point;
  point.round = 2;
  point.margin = 2.0;
  limits.exits->points = {point};
  // After two rounds: 0, 1, 3, 3, 3, 0. The third best has 3; 0 is more than 2 below it, 1 is not.
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 1)).rounds == Rounds{2, 4, 4, 4, 4, 2});
  limits.exits->points[0].margin = 1.5;
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 1)).rounds == Rounds{2, 2, 4, 4, 4, 2});
  limits.exits->k = 7;  // more than there are documents
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 1)).rounds == Rounds{4, 4, 4, 4, 4, 4});
  limits.exits->points[0].keep = 2;  // three tie for the second rank
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 1)).rounds == Rounds{2, 2, 4, 4, 4, 2});
  point = {};
  point.round = 3;
  point.keep = 1;
  limits.exits->points.push_back(point);
  // After three rounds: 3, 7, 7 are in play.
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 1)).rounds == Rounds{2, 2, 3, 4, 4, 2});
}

TEST_CASE("exits that are part of a model hold for all that scores, unless limits have others") {
  Rng rng(88);
  for (int trial = 0; trial < 40; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(60);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    const std::vector<QueryId> codes = RandomCodes(n, 3, rng);
    ScoreLimits limits;
    limits.exits = RandomExits(rng);
    limits.exits->scope = ExitScope::kQuery;
    limits.exits->demote = trial % 2 == 0;
    const std::vector<double> plain = Score(model, Matrix(x, 4), codes);
    const LimitedScores expected = CompiledScorer(model).ScoreWithin(limits, Matrix(x, 4), codes);
    model.exits = *limits.exits;
    const CompiledScorer scorer(model);
    CHECK(scorer.needs_queries() == !model.exits.empty());
    CHECK(scorer.Score(Matrix(x, 4), codes) == expected.scores);
    CHECK(scorer.ScoreWithin({}, Matrix(x, 4), codes).rounds == expected.rounds);
    limits.exits = ExitSchedule{};
    CHECK(scorer.ScoreWithin(limits, Matrix(x, 4), codes).scores == plain);
  }
}

TEST_CASE("a model with exits needs to know queries") {
  Ensemble model = FourStumps();
  model.exits.points = {{2, 0.5}};
  const std::vector<float> x{0.0F, 1.0F};
  const CompiledScorer scorer(model);
  CHECK_THROWS_AS(scorer.Score(Matrix(x, 1)), std::invalid_argument);
  std::vector<double> scores(2);
  CHECK_THROWS_AS(scorer.Score(Matrix(x, 1), scores), std::invalid_argument);
}

TEST_CASE("documents leave blends and walks as they do by the definition") {
  Rng rng(82);
  for (int trial = 0; trial < 12; ++trial) {
    const testing::TreeStyle style;
    Ensemble model = testing::StyledEnsemble(40, 60, style, rng);
    if (trial % 3 == 0) {
      std::vector<Tree>& trees = model.members[0].groups[0].trees;
      trees[17] = testing::StyledTree(400, style, rng);
    }
    const std::size_t n = 100 + rng.Below(900);
    const std::vector<float> x = testing::TrickyFeatures(n * 4, style, 100, rng);
    ScoreLimits limits;
    limits.early_exit = EarlyExit{3 + rng.Below(5), 0.1 + 0.1 * rng.Below(6)};
    CheckAgainstNaive(model, Matrix(x, 4), RandomCodes(n, 1 + rng.Below(4), rng), limits);
  }
}

TEST_CASE("without limits every document has the score of the whole model") {
  Rng rng(83);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::vector<float> x = testing::RandomFeatures(150 * 4, rng);
    const LimitedScores found = CompiledScorer(model).ScoreWithin({}, Matrix(x, 4));
    CHECK(found.scores == Score(model, Matrix(x, 4)));
    CHECK(found.rounds == Rounds(150, static_cast<std::uint32_t>(model.n_rounds())));
    CHECK(found.report.n_evaluations == 150 * model.n_trees());
  }
}

TEST_CASE("a document that exits a sum has the score of the prefix, bit for bit") {
  Rng rng(84);
  const testing::TreeStyle style;
  const Ensemble model = testing::StyledEnsemble(50, 30, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(300 * 4, style, 50, rng);
  ScoreLimits limits;
  limits.early_exit = EarlyExit{7, 0.3};
  const LimitedScores found = CompiledScorer(model).ScoreWithin(limits, Matrix(x, 4));
  CHECK(*std::min_element(found.rounds.begin(), found.rounds.end()) == 7);
  for (std::size_t round = 7; round <= 50; round += round < 49 ? 7 : 1) {
    const std::vector<double> prefix = Score(Prefix(model, round), Matrix(x, 4));
    for (std::size_t i = 0; i < 300; ++i) {
      if (found.rounds[i] == round) CHECK(found.scores[i] == prefix[i]);
    }
  }
}

TEST_CASE("neither threads nor the order of rows nor other queries change a bit") {
  Rng rng(85);
  const testing::TreeStyle style;
  const CompiledScorer scorer(testing::StyledEnsemble(40, 64, style, rng));
  constexpr std::size_t kRows = 1500;
  const std::vector<float> x = testing::TrickyFeatures(kRows * 4, style, 40, rng);
  const std::vector<QueryId> codes = RandomCodes(kRows, 9, rng);
  ScoreLimits limits;
  limits.early_exit = EarlyExit{5, 0.2};
  limits.budget = 5000.0;
  const LimitedScores expected = scorer.ScoreWithin(limits, Matrix(x, 4), codes);
  const LimitedScores threaded = scorer.ScoreWithin(limits, Matrix(x, 4), codes, Threads{3});
  CHECK(threaded.scores == expected.scores);
  CHECK(threaded.rounds == expected.rounds);
  CHECK(threaded.report.cost == expected.report.cost);
  ScoreScratch scratch;
  for (QueryId query = 0; query < 9; ++query) {
    std::vector<float> alone;
    std::vector<std::size_t> rows;
    for (std::size_t row = kRows; row-- > 0;) {
      if (codes[row] != query) continue;
      rows.push_back(row);
      alone.insert(alone.end(), x.data() + 4 * row, x.data() + 4 * row + 4);
    }
    std::vector<double> scores(rows.size());
    Rounds rounds(rows.size());
    scorer.ScoreWithin(limits, Matrix(alone, 4), scores, rounds, scratch);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(scores[i] == expected.scores[rows[i]]);
      CHECK(rounds[i] == expected.rounds[rows[i]]);
    }
  }
}

TEST_CASE("demoted documents rank below the others, those that left last first") {
  const CompiledScorer scorer(FourStumps());
  const std::vector<float> x{0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 0.0F};
  ScoreLimits limits;
  limits.early_exit = EarlyExit{1, 0.34, ExitScope::kQuery, true};
  // As above: rounds 1, 2, 3, 4, 4, 1 and scores 0, 1, 3, 7, 15, 0.
  const LimitedScores found = scorer.ScoreWithin(limits, Matrix(x, 1));
  CHECK(found.scores == std::vector<double>{4, 5, 6, 7, 15, 4});
}

TEST_CASE("a question that is answered yes ends scoring") {
  Rng rng(86);
  const Ensemble model = testing::StyledEnsemble(60, 20, {}, rng);
  const std::vector<float> x = testing::TrickyFeatures(70 * 4, {}, 0, rng);
  const CompiledScorer scorer(model);
  int questions = 0;
  ScoreLimits limits;
  limits.should_stop = [&] { return ++questions == 3; };
  const LimitedScores found = scorer.ScoreWithin(limits, Matrix(x, 4));
  CHECK(questions == 3);
  CHECK(found.rounds == Rounds(70, 32));
  CHECK(found.scores == Score(Prefix(model, 32), Matrix(x, 4)));
  CHECK(found.report.cost == 70 * 32.0);
  limits.should_stop = [] { return false; };
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 4)).scores == Score(model, Matrix(x, 4)));
  limits.should_stop = [] { return true; };
  CHECK(scorer.ScoreWithin(limits, Matrix(x, 4)).scores == std::vector<double>(70, 0.25));
}

TEST_CASE("there may be nothing to score") {
  const CompiledScorer scorer(FourStumps());
  CHECK(scorer.ScoreWithin({}, {nullptr, 0, 1, 1}).scores.empty());
  Ensemble none;
  none.members = {{1.5, {}}};
  ScoreLimits limits;
  limits.early_exit = EarlyExit{1, 0.5};
  limits.budget = 0.0;
  CHECK(CompiledScorer(none).ScoreWithin(limits, {nullptr, 2, 0, 0}).scores ==
        std::vector<double>{1.5, 1.5});
}

TEST_CASE("places and codes that do not fit the rows are refused") {
  const CompiledScorer scorer(FourStumps());
  const std::vector<float> x(3);
  std::vector<double> scores(3);
  Rounds rounds(2);
  ScoreScratch scratch;
  CHECK_THROWS_WITH_AS(scorer.ScoreWithin({}, Matrix(x, 1), scores, rounds, scratch),
                       "rounds must have one place for each of the 3 rows; got 2",
                       std::invalid_argument);
  const std::vector<QueryId> codes(2);
  CHECK_THROWS_WITH_AS((void)scorer.ScoreWithin({}, Matrix(x, 1), codes),
                       "query_of_row must have one place for each of the 3 rows; got 2",
                       std::invalid_argument);
}

TEST_CASE("batches are consecutive queries of about so many documents") {
  const std::vector<std::size_t> offsets{0, 3, 4, 10, 11, 12};
  CHECK(detail::QueryBatches(offsets, 5) == std::vector<std::size_t>{0, 2, 3, 5});
  CHECK(detail::QueryBatches(offsets, 100) == std::vector<std::size_t>{0, 5});
  CHECK(detail::QueryBatches(std::vector<std::size_t>{0}, 5) == std::vector<std::size_t>{0});
}

}  // namespace rankforest
