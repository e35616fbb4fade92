#include "rankforest/train/run_ordinal.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/staged.hpp"
#include "rankforest/train/recipes.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

testing::RawData OrdinalQueries(std::uint64_t seed) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 20;
  options.n_grades = 4;
  return testing::SmallData(options, rng);
}

IgbrtSettings SmallIgbrt(std::uint32_t n_trees, std::uint32_t n_rounds) {
  IgbrtSettings settings = IgbrtDefaults();
  settings.forest.n_estimators = n_trees;
  settings.boost.n_estimators = n_rounds;
  settings.boost.sample.fraction = 0.8;
  return settings;
}

Trained TrainIgbrtOn(const Dataset& data, const IgbrtSettings& settings, RunOptions options,
                     OrdinalScoring scoring = OrdinalScoring::kExpected) {
  return TrainOrdinal(Igbrt(settings), scoring, data,
                      settings.forest.n_estimators + settings.boost.n_estimators,
                      std::move(options));
}

std::string ComplaintOfRun(const Dataset& data, RunOptions options) {
  try {
    (void)TrainIgbrtOn(data, SmallIgbrt(4, 3), std::move(options));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("two documents and one tree: the model by hand") {
  // Grades 0 and 2, one problem: P(y <= 0) is 1/2, plus the learning rate 1/2 times a tree that
  // says +1/2 of the first and -1/2 of the second. The score is 2 - 2 P.
  const Dataset data = testing::OneFeature({1, 2}, {0, 2}).Make();
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = 1;
  settings.boost.learning_rate = 0.5;
  const Trained trained = TrainOrdinal(Mart(settings), OrdinalScoring::kExpected, data, 1, {});
  REQUIRE(trained.ensemble.members.size() == 1);
  CHECK(trained.ensemble.members[0].base == 1.0);
  CHECK(trained.ensemble.members[0].groups[0].weight == -1.0);
  REQUIRE(trained.ordinal.has_value());
  CHECK(*trained.ordinal == Ordinal{{0.0, 2.0}, {{0, 0.5, {0.5}}}});
  CHECK(Score(trained.ensemble, data.features()) == std::vector<double>{0.5, 1.5});
  CHECK(Score(ProblemOf(trained.ensemble, *trained.ordinal, 0), data.features()) ==
        std::vector<double>{0.75, 0.25});
}

TEST_CASE("history has the scores of the model's first rounds, bit for bit") {
  const Dataset data = OrdinalQueries(961).Make();
  for (const OrdinalScoring scoring : {OrdinalScoring::kExpected, OrdinalScoring::kExp2}) {
    testing::ScoreLog log;
    RunOptions options;
    options.monitor.watches = {{"train", &data, {log.metric()}}};
    const Trained trained = TrainIgbrtOn(data, SmallIgbrt(5, 4), std::move(options), scoring);
    CHECK(trained.ensemble.n_rounds() == 9);
    CHECK_NOTHROW(Validate(trained.ensemble));
    CHECK_NOTHROW(ValidateOrdinal(*trained.ordinal, trained.ensemble));
    const std::vector<std::size_t> rounds{1, 2, 5, 6, 7, 8, 9};
    REQUIRE(trained.history.size() == rounds.size());
    REQUIRE(log.scores.size() == rounds.size());
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      CHECK(trained.history[i].round == rounds[i]);
      CHECK(testing::ByRow(data, log.scores[i]) ==
            Score(Prefix(trained.ensemble, rounds[i]), data.features()));
    }
  }
}

TEST_CASE("staged scores of an ordinal model are those of its first rounds") {
  const Dataset data = OrdinalQueries(962).Make();
  const Trained trained = TrainIgbrtOn(data, SmallIgbrt(4, 3), {});
  StagedScorer staged(trained.ensemble, data.features(), {}, Threads{2});
  for (std::size_t round = 1; round <= 7; ++round) {
    staged.Advance(1);
    CHECK(staged.Scores() == Score(Prefix(trained.ensemble, round), data.features()));
  }
}

TEST_CASE("training that goes on from an ordinal model ends as training at once") {
  const Dataset data = OrdinalQueries(963).Make();
  for (const OrdinalScoring scoring : {OrdinalScoring::kSquare, OrdinalScoring::kOlsTrain}) {
    const Trained whole = TrainIgbrtOn(data, SmallIgbrt(4, 6), {}, scoring);
    const Trained first = TrainIgbrtOn(data, SmallIgbrt(4, 2), {}, scoring);
    RunOptions options;
    options.trained = first.ensemble;
    options.trained_ordinal = first.ordinal;
    const Trained rest = TrainIgbrtOn(data, SmallIgbrt(4, 6), std::move(options), scoring);
    CHECK(rest.ensemble == whole.ensemble);
    CHECK(*rest.ordinal == *whole.ordinal);
  }
}

TEST_CASE("neither the order of rows, the names of queries nor threads change a bit") {
  const testing::RawData raw = OrdinalQueries(964);
  const Dataset data = raw.Make();
  const Trained expected = TrainIgbrtOn(data, SmallIgbrt(4, 3), {}, OrdinalScoring::kOlsTrain);
  Rng rng(17);
  testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  for (QueryId& query : shuffled.queries) query = 1000 - query;
  RunOptions options;
  options.threads = Threads{3};
  const Dataset other = shuffled.Make();
  const Trained again =
      TrainIgbrtOn(other, SmallIgbrt(4, 3), std::move(options), OrdinalScoring::kOlsTrain);
  CHECK(again.ensemble == expected.ensemble);
  CHECK(*again.ordinal == *expected.ordinal);
}

TEST_CASE("an increasing map of the grades changes what they count, not the trees") {
  testing::RawData raw = OrdinalQueries(965);
  for (std::size_t row = 0; row < raw.n_rows(); ++row) raw.queries[row] = 0;  // one order of rows
  const Dataset data = raw.Make();
  for (double& grade : raw.grades) grade = grade * grade;
  const Dataset squared = raw.Make();
  const Trained by_square = TrainIgbrtOn(data, SmallIgbrt(4, 3), {}, OrdinalScoring::kSquare);
  const Trained of_squares = TrainIgbrtOn(squared, SmallIgbrt(4, 3), {});
  CHECK(by_square.ensemble == of_squares.ensemble);
  CHECK(by_square.ordinal->parts == of_squares.ordinal->parts);
}

TEST_CASE("a start that is not the problems of these grades is refused") {
  const Dataset data = OrdinalQueries(966).Make();
  const Trained trained = TrainIgbrtOn(data, SmallIgbrt(4, 2), {});
  RunOptions options;
  options.trained = trained.ensemble;
  CHECK(ComplaintOfRun(data, options) ==
        "with ordinal=True training goes on from an ordinal model, and this one is none");
  options.trained_ordinal = trained.ordinal;
  CHECK(ComplaintOfRun(data, options) == "");
  options.trained_ordinal->grades = {0.0, 0.5};
  CHECK(ComplaintOfRun(data, options) ==
        "with ordinal=True training goes on with the grades that the model was trained on, each of "
        "which but the highest is a problem of its own: these are 0, 0.5, and the training data "
        "has 0, 1, 2, 3; drop what has other grades, or begin a new model");
  options.trained_ordinal = trained.ordinal;
  options.trained_ordinal->parts.pop_back();
  CHECK(ComplaintOfRun(data, options) ==
        "with ordinal=True training goes on from one model, and this is a bag of several");
  options.trained_ordinal = trained.ordinal;
  options.trained = Prefix(trained.ensemble, 3);
  options.trained_ordinal = PrefixOf(*trained.ordinal, options.trained);
  CHECK(ComplaintOfRun(data, options).substr(0, 30) == "training goes on from 3 rounds");
  RunOptions scored;
  scored.initial_scores.assign(data.n_documents(), 0.0);
  CHECK(ComplaintOfRun(data, scored) == "only boosting starts from initial scores");
}

TEST_CASE("each member of a bag is the ordinal model of its seed, and the bag grows") {
  const Dataset data = OrdinalQueries(967).Make();
  RunOptions options;
  options.seed = 8;
  options.bag = BagSettings{3, 1.0, BagCombine::kMinMax};
  const Trained bag = TrainIgbrtOn(data, SmallIgbrt(4, 3), options, OrdinalScoring::kOlsTrain);
  REQUIRE(bag.members.size() == 3);
  REQUIRE(bag.ordinal.has_value());
  const std::size_t n_problems = bag.ordinal->n_problems();
  REQUIRE(bag.ensemble.members.size() == 3 * n_problems);
  for (std::size_t i = 0; i < 3; ++i) {
    RunOptions alone;
    alone.seed = bag.members[i].seed;
    const Trained model = TrainIgbrtOn(data, SmallIgbrt(4, 3), alone, OrdinalScoring::kOlsTrain);
    for (std::size_t c = 0; c < n_problems; ++c) {
      CHECK(bag.ensemble.members[i * n_problems + c] == model.ensemble.members[c]);
      CHECK(bag.ordinal->parts[i * n_problems + c] == model.ordinal->parts[c]);
    }
  }
  options.bag->n_bags = 2;
  const Trained smaller = TrainIgbrtOn(data, SmallIgbrt(4, 3), options, OrdinalScoring::kOlsTrain);
  options.bag->n_bags = 3;
  options.threads = Threads{4};
  options.trained = smaller.ensemble;
  options.trained_ordinal = smaller.ordinal;
  const Trained grown = TrainIgbrtOn(data, SmallIgbrt(4, 3), options, OrdinalScoring::kOlsTrain);
  CHECK(grown.ensemble == bag.ensemble);
  CHECK(*grown.ordinal == *bag.ordinal);
  options.trained_ordinal.reset();
  CHECK(ComplaintOfRun(data, options) ==
        "with ordinal=True training goes on from an ordinal model, and this one is none");
  options.trained_ordinal = smaller.ordinal;
  options.trained_ordinal->grades.assign(12, 0.0);
  for (std::size_t i = 0; i < 12; ++i) options.trained_ordinal->grades[i] = static_cast<double>(i);
  const std::string complaint = ComplaintOfRun(data, options);
  CHECK(complaint.find("these are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..., and") != std::string::npos);
}

}  // namespace rankforest
