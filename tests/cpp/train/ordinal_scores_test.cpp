#include "rankforest/train/ordinal_scores.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/hand_made_trees.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Stump;

namespace {

std::string ComplaintOfScore(const std::vector<double>& grades, OrdinalScoring scoring) {
  try {
    (void)FixedScore(grades, scoring);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the grades of ordinal training are those of the data, ascending, each once") {
  const Dataset data = testing::OneFeature({1, 2, 3, 4, 5}, {3, 0, 0.5, 3, 0}).Make();
  CHECK(OrdinalGrades(data) == std::vector<double>{0.0, 0.5, 3.0});
}

TEST_CASE("one grade, or more than 255, are no problems to learn") {
  CHECK_THROWS_WITH_AS(OrdinalGrades(testing::OneFeature({1, 2}, {2, 2}).Make()),
                       "ordinal=True tells grades apart, and those of the training data are all 2",
                       std::invalid_argument);
  const auto with_grades = [](int n) {
    testing::RawData raw;
    for (int i = 0; i < n; ++i) {
      raw.features.push_back(static_cast<float>(i));
      raw.grades.push_back(i);
      raw.queries.push_back(0);
    }
    return raw.Make();
  };
  CHECK(OrdinalGrades(with_grades(255)).size() == 255);
  CHECK_THROWS_WITH_AS(OrdinalGrades(with_grades(256)),
                       "ordinal=True takes at most 255 distinct grades, each of which but one is a "
                       "problem of its own; the training data has 256",
                       std::invalid_argument);
}

TEST_CASE("a problem's targets say whether a grade is at most its own") {
  const std::vector<double> grades{0.0, 0.5, 3.0, 0.5};
  CHECK(AtMost(grades, 0.0) == std::vector<double>{1, 0, 0, 0});
  CHECK(AtMost(grades, 0.5) == std::vector<double>{1, 1, 0, 1});
}

TEST_CASE("fixed scores count grades as they say") {
  const std::vector<double> grades{0.0, 1.0, 2.0, 4.0};
  const OrdinalScore expected = FixedScore(grades, OrdinalScoring::kExpected);
  CHECK(expected.base == 4.0);
  CHECK(expected.weights == std::vector<double>{-1.0, -1.0, -2.0});
  const OrdinalScore square = FixedScore(grades, OrdinalScoring::kSquare);
  CHECK(square.base == 16.0);
  CHECK(square.weights == std::vector<double>{-1.0, -3.0, -12.0});
  const OrdinalScore exp2 = FixedScore(grades, OrdinalScoring::kExp2);
  CHECK(exp2.base == 16.0);
  CHECK(exp2.weights == std::vector<double>{-1.0, -2.0, -12.0});
  for (const OrdinalScoring fitted :
       {OrdinalScoring::kOlsTrain, OrdinalScoring::kOlsValid, OrdinalScoring::kOlsBoth}) {
    CHECK(IsFitted(fitted));
    CHECK(FixedScore(grades, fitted).weights == expected.weights);
  }
  CHECK_FALSE(IsFitted(OrdinalScoring::kExp2));
}

TEST_CASE("grades that would count more than float32 holds are refused") {
  CHECK(ComplaintOfScore({0.0, 127.0}, OrdinalScoring::kExp2) == "");
  CHECK(ComplaintOfScore({0.0, 128.0}, OrdinalScoring::kExp2) ==
        "ordinal_scoring lets a grade count 2^grade, which must be at most 3.4e38 for float32 to "
        "hold it; the largest grade is 128");
  CHECK(ComplaintOfScore({0.0, 1e20}, OrdinalScoring::kExpected) == "");
  CHECK(ComplaintOfScore({0.0, 1e20}, OrdinalScoring::kSquare) != "");
  CHECK(ComplaintOfScore({0.0, 1e39}, OrdinalScoring::kExpected) != "");
}

TEST_CASE("a fitted score is least squares of the grades on the problems' scores") {
  // Problems that split at 1.5 and at 2.5: the groups of grades {0}, {1, 2}, {6} have the means
  // 0, 3/2 and 6, which weights of the two steps and a base reach exactly.
  const Dataset data = testing::OneFeature({1, 2, 2, 3}, {0, 1, 2, 6}).Make();
  const std::vector<Member> problems{{0.0, {{1.0, Reduction::kSum, 1, {Stump(1.5F, 1.0F, 0.0F)}}}},
                                     {0.5, {{0.5, Reduction::kSum, 1, {Stump(2.5F, 1.0F, 0.0F)}}}}};
  const OrdinalScore score = FittedScore(problems, {{data, WholeSample(4)}}, Threads{1});
  REQUIRE(score.weights.size() == 2);
  CHECK(score.weights[0] == doctest::Approx(-1.5));
  CHECK(score.weights[1] == doctest::Approx(-4.5 / 0.5));
  CHECK(score.base == doctest::Approx(6.0 + 4.5));
}

TEST_CASE("documents count as often as they are drawn, by their weights, in all sets together") {
  Rng rng(931);
  testing::SmallDataOptions options;
  options.weights_of_rows = true;
  const testing::RawData raw = testing::SmallData(options, rng);
  const Dataset data = raw.Make();
  const std::vector<Member> problems{
      {0.0, {{1.0, Reduction::kSum, 1, {Stump(0.5F, 1.0F, 0.25F)}}}}};
  RowSample drawn = WholeSample(data.n_documents());
  drawn.counts.assign(data.n_documents(), 2);
  const RowSample all = WholeSample(data.n_documents());
  const OrdinalScore once = FittedScore(problems, {{data, all}}, Threads{1});
  const OrdinalScore twice = FittedScore(problems, {{data, drawn}}, Threads{1});
  const OrdinalScore both = FittedScore(problems, {{data, all}, {data, all}}, Threads{2});
  CHECK(once.weights[0] == doctest::Approx(twice.weights[0]));
  CHECK(once.base == doctest::Approx(both.base));
  CHECK(once.weights[0] == doctest::Approx(both.weights[0]));
  testing::RawData unweighted = raw;
  unweighted.weights.clear();
  const Dataset plain = unweighted.Make();
  CHECK(FittedScore(problems, {{plain, all}}, Threads{1}).base != doctest::Approx(once.base));
}

}  // namespace rankforest
