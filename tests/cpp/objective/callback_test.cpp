#include "rankforest/objective/callback.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/queries.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;

namespace {

/// Half the squared error, written by a caller.
void CallersSquaredError(CallbackRound& round) {
  for (std::size_t i = 0; i < round.scores.size(); ++i) {
    round.gradients.push_back(round.scores[i] - round.grades[i]);
    round.hessians.push_back(1.0);
  }
}

/// The message of a function's answer for three documents; empty if it is taken.
std::string Answer(std::vector<double> gradients, std::vector<double> hessians) {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 2}));
  const CallbackObjective objective([&](CallbackRound& round) {
    round.gradients = gradients;
    round.hessians = hessians;
  });
  std::vector<GradientPair> out(3);
  try {
    objective.Start(prepared.training())
        .Gradients(WholeSample(3), std::vector<double>(3), out, Rng(0));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the function gets the sample in canonical order, query by query") {
  Rng rng(431);
  const Prepared prepared(testing::SmallData({}, rng));
  const Dataset& data = prepared.data;
  const RowSample sample =
      SubsampleQueries{0.6}.Draw(data, WholeSample(data.n_documents()), Rng(1));
  std::vector<double> scores(data.n_documents());
  for (double& score : scores) score = rng.Uniform();
  int calls = 0;
  const CallbackObjective objective([&](CallbackRound& round) {
    ++calls;
    const std::size_t n = sample.rows.size();
    REQUIRE(round.scores.size() == n);
    REQUIRE(round.grades.size() == n);
    REQUIRE(round.rows.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(round.scores[i] == scores[sample.rows[i]]);
      CHECK(round.grades[i] == data.grades()[sample.rows[i]]);
      CHECK(round.rows[i] == data.order()[sample.rows[i]]);
    }
    std::vector<RowId> offsets = {0};
    for (const QueryRange& query : QueryRanges(data, sample)) {
      offsets.push_back(static_cast<RowId>(query.end));
    }
    CHECK(round.offsets == offsets);
    CHECK(round.gradients.empty());
    CHECK(round.hessians.empty());
    CallersSquaredError(round);
  });
  std::vector<GradientPair> out(data.n_documents());
  objective.Start(prepared.training()).Gradients(sample, scores, out, Rng(0));
  CHECK(calls == 1);
}

TEST_CASE("a caller's squared error is ours, weights included") {
  Rng rng(432);
  testing::SmallDataOptions options;
  options.weights_of_rows = true;
  const Prepared prepared(testing::SmallData(options, rng));
  const std::size_t n = prepared.data.n_documents();
  const std::vector<double> scores(n, 1.5);
  std::vector<GradientPair> ours(n);
  std::vector<GradientPair> callers(n);
  SquaredError().Start(prepared.training()).Gradients(WholeSample(n), scores, ours, Rng(0));
  CallbackObjective::Run run = CallbackObjective(&CallersSquaredError).Start(prepared.training());
  run.Gradients(WholeSample(n), scores, callers, Rng(0));
  for (std::size_t d = 0; d < n; ++d) {
    CHECK(callers[d].grad == ours[d].grad);
    CHECK(callers[d].hess == ours[d].hess);
  }
  CHECK(run.BaseScore(WholeSample(n)) == 0.0);
}

TEST_CASE("answers that are no gradients are refused, by the value and the caller's row") {
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(Answer({1, 2, 3}, {0, 1, 2}).empty());
  CHECK(Answer({1, 2}, {0, 1, 2}) ==
        "objective must return 3 gradients and as many hessians, got 2 and 3");
  CHECK(Answer({1, 2, 3}, {0, 1}) ==
        "objective must return 3 gradients and as many hessians, got 3 and 2");
  const Dataset data = testing::OneFeature({1, 2, 3}, {0, 1, 2}).Make();
  const std::string refused =
      "objective must return finite gradients and finite hessians >= 0, got ";
  const std::string of_row = " for row " + std::to_string(data.order()[1]);
  CHECK(Answer({1, kNotANumber, 3}, {0, 1, 2}) == refused + "nan and 1" + of_row);
  CHECK(Answer({1, -kInfinity, 3}, {0, 1, 2}) == refused + "-inf and 1" + of_row);
  CHECK(Answer({1, 2, 3}, {0, -1e-9, 2}) == refused + "2 and -1e-09" + of_row);
  CHECK(Answer({1, 2, 3}, {0, kInfinity, 2}) == refused + "2 and inf" + of_row);
}

}  // namespace rankforest
