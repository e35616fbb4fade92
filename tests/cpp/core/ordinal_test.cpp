#include "rankforest/core/ordinal.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"

namespace rankforest {

using testing::Stump;

namespace {

/// Two problems of the grades 0, 1, 3: a mean of two trees, then a sum of one.
std::vector<Member> TwoProblems() {
  const auto problem = [](float low, float high) {
    return Member{0.25,
                  {{1.0, Reduction::kMean, 1, {Stump(1.0F, low, high), Stump(2.0F, low, high)}},
                   {0.5, Reduction::kSum, 1, {Stump(3.0F, high, low)}}}};
  };
  return {problem(0.5F, 0.0F), problem(1.0F, 0.5F)};
}

Ordinal GradesOfThree() { return {{0.0, 1.0, 3.0}, {}}; }

}  // namespace

TEST_CASE("a problem weighs what its grade counts less than the next one") {
  // F = 0, 1, 9: S = 0 T_0 + 1 (T_1 - T_0) + 9 (1 - T_1) = 9 - T_0 - 8 T_1.
  const OrdinalScore score = ScoreByValues(std::vector<double>{0.0, 1.0, 9.0});
  CHECK(score.base == 9.0);
  CHECK(score.weights == std::vector<double>{-1.0, -8.0});
}

TEST_CASE("a score by values is the expectation of the values under the probabilities") {
  Rng rng(411);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 2 + rng.Below(5);
    std::vector<double> values;
    std::vector<double> cumulative{0.0};
    for (std::size_t c = 0; c < n; ++c) values.push_back(rng.Uniform() * 5.0);
    for (std::size_t c = 0; c + 1 < n; ++c) cumulative.push_back(rng.Uniform());
    cumulative.push_back(1.0);
    const OrdinalScore score = ScoreByValues(values);
    double of_weights = score.base;
    double expected = 0.0;
    for (std::size_t c = 0; c + 1 < n; ++c) of_weights += score.weights[c] * cumulative[c + 1];
    for (std::size_t c = 0; c < n; ++c) {
      expected += values[c] * (cumulative[c + 1] - cumulative[c]);
    }
    CHECK(of_weights == doctest::Approx(expected));
  }
}

TEST_CASE("problems become members by their weights, and come back as they were") {
  Ordinal ordinal = GradesOfThree();
  const std::vector<Member> problems = TwoProblems();
  const Ensemble ensemble = EnsembleOf(problems, {3.0, {-1.0, -2.0}}, 1, ordinal);
  REQUIRE(ensemble.members.size() == 2);
  CHECK(ensemble.is_sum());
  CHECK(ensemble.members[0].base == 3.0 - 0.25);
  CHECK(ensemble.members[1].base == -0.5);
  CHECK(ensemble.members[1].groups[0].weight == -2.0);
  CHECK(ensemble.members[1].groups[1].weight == -1.0);
  CHECK(ensemble.members[1].groups[1].trees == problems[1].groups[1].trees);
  CHECK(ordinal.parts[1] == Ordinal::Part{1, 0.25, {1.0, 0.5}});
  CHECK_NOTHROW(ValidateOrdinal(ordinal, ensemble));
  CHECK(ProblemsOf(ensemble, ordinal) == problems);
}

TEST_CASE("a problem whose weight is 0 in the score keeps its probabilities") {
  Ordinal ordinal = GradesOfThree();
  const Ensemble ensemble = EnsembleOf(TwoProblems(), {1.0, {0.0, 1.0 / 3.0}}, 1, ordinal);
  CHECK(ProblemsOf(ensemble, ordinal) == TwoProblems());
}

TEST_CASE("the members of a problem add up") {
  Ordinal ordinal = GradesOfThree();
  Ensemble ensemble = EnsembleOf(TwoProblems(), {3.0, {-1.0, -2.0}}, 1, ordinal);
  ensemble = Concatenated(ensemble, ensemble);
  ordinal.parts.insert(ordinal.parts.end(), {ordinal.parts[0], ordinal.parts[1]});
  const Ensemble problem = ProblemOf(ensemble, ordinal, 1);
  CHECK(problem.members == std::vector<Member>{TwoProblems()[1], TwoProblems()[1]});
  CHECK(problem.n_features == 1);
}

TEST_CASE("the first rounds of a model are the first rounds of each problem") {
  Ordinal ordinal = GradesOfThree();
  const Ensemble ensemble = EnsembleOf(TwoProblems(), {3.0, {-1.0, -2.0}}, 1, ordinal);
  for (std::size_t rounds = 0; rounds <= 3; ++rounds) {
    const Ensemble prefix = Prefix(ensemble, rounds);
    const Ordinal left = PrefixOf(ordinal, prefix);
    CHECK_NOTHROW(ValidateOrdinal(left, prefix));
    Ensemble problems;
    problems.members = TwoProblems();
    CHECK(ProblemsOf(prefix, left) == Prefix(problems, rounds).members);
  }
}

TEST_CASE("what cannot be the problems of an ensemble is refused") {
  Ordinal ordinal = GradesOfThree();
  const Ensemble ensemble = EnsembleOf(TwoProblems(), {3.0, {-1.0, -2.0}}, 1, ordinal);
  const auto is_refused = [&](const auto& change) {
    Ordinal wrong = ordinal;
    change(wrong);
    CHECK_THROWS_AS(ValidateOrdinal(wrong, ensemble), std::invalid_argument);
  };
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  is_refused([](Ordinal& o) { o.grades = {1.0}; });
  is_refused([](Ordinal& o) { o.grades = {0.0, 1.0, 1.0}; });
  is_refused([](Ordinal& o) { o.grades = {0.0, 2.0, 1.0}; });
  is_refused([](Ordinal& o) { o.grades[2] = std::numeric_limits<double>::infinity(); });
  is_refused([](Ordinal& o) { o.grades[0] = kNoNumber; });
  is_refused([](Ordinal& o) {
    o.grades.clear();
    for (int i = 0; i < 256; ++i) o.grades.push_back(i);
  });
  is_refused([](Ordinal& o) { o.parts.pop_back(); });
  is_refused([](Ordinal& o) { o.parts[0].problem = 2; });
  is_refused([](Ordinal& o) { o.parts[0].base = kNoNumber; });
  is_refused([](Ordinal& o) { o.parts[1].group_weights.push_back(1.0); });
  is_refused([](Ordinal& o) { o.parts[1].group_weights[0] = kNoNumber; });
}

}  // namespace rankforest
