#include "rankforest/train/pair_margins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

/// What all pairs of a query say, one by one.
struct NaiveMargins {
  double loss = 0.0;
  std::vector<double> slopes;
  std::vector<double> curvature;  // times v
  std::vector<double> counts;

  NaiveMargins(const std::vector<double>& grades, const std::vector<double>& scores,
               const std::vector<double>& v)
      : slopes(grades.size()), curvature(grades.size()), counts(grades.size()) {
    for (std::size_t i = 0; i < grades.size(); ++i) {
      for (std::size_t j = 0; j < grades.size(); ++j) {
        const double margin = 1.0 - (scores[i] - scores[j]);
        if (!(grades[i] > grades[j]) || !(margin > 0.0)) continue;
        loss += margin * margin;
        slopes[i] -= 2.0 * margin;
        slopes[j] += 2.0 * margin;
        curvature[i] += 2.0 * (v[i] - v[j]);
        curvature[j] += 2.0 * (v[j] - v[i]);
        counts[i] += 1.0;
        counts[j] += 1.0;
      }
    }
  }
};

void CheckAgainstAllPairs(const std::vector<double>& grades, const std::vector<double>& scores,
                          Rng& rng) {
  const std::size_t n = grades.size();
  std::vector<double> v(n);
  for (double& value : v) value = rng.Uniform() - 0.5;
  const NaiveMargins expected(grades, scores, v);
  PairMargins margins(grades);
  std::vector<double> slopes(n, 0.0);
  std::vector<double> curvature(n, 0.0);
  std::vector<double> counts(n, 0.0);
  CHECK(margins.SetScores(scores, slopes) == doctest::Approx(expected.loss).epsilon(1e-12));
  margins.AddCurvature(v, curvature);
  margins.AddCounts(counts);
  CHECK(counts == expected.counts);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(slopes[i] == doctest::Approx(expected.slopes[i]).epsilon(1e-10));
    CHECK(curvature[i] == doctest::Approx(expected.curvature[i]).epsilon(1e-10));
  }
}

}  // namespace

TEST_CASE("pairs count by how far they are from a margin of 1") {
  PairMargins margins(std::vector<double>{2.0, 0.0, 1.0});
  CHECK(margins.n_pairs() == 3.0);
  std::vector<double> slopes(3, 0.0);
  // Margins 1 - (0.5 - 0) and 1 - (0.5 - 0.75) and 1 - (0.75 - 0).
  CHECK(margins.SetScores(std::vector<double>{0.5, 0.0, 0.75}, slopes) ==
        doctest::Approx(0.25 + 1.5625 + 0.0625));
  CHECK(slopes[0] == doctest::Approx(-2.0 * (0.5 + 1.25)));
  CHECK(slopes[1] == doctest::Approx(2.0 * (0.5 + 0.25)));
  CHECK(slopes[2] == doctest::Approx(2.0 * (1.25 - 0.25)));
}

TEST_CASE(
    "a pair at a margin of 1 exactly is not active, and documents of one grade are no pairs") {
  PairMargins margins(std::vector<double>{1.0, 0.0, 0.0});
  std::vector<double> counts(3, 0.0);
  CHECK(margins.SetScores(std::vector<double>{1.0, 0.0, 0.5}, {}) == doctest::Approx(0.25));
  margins.AddCounts(counts);
  CHECK(counts == std::vector<double>{1.0, 0.0, 1.0});
  PairMargins none(std::vector<double>{3.0, 3.0});
  CHECK(none.n_pairs() == 0.0);
  CHECK(none.SetScores(std::vector<double>{1.0, 2.0}, {}) == 0.0);
}

TEST_CASE("loss, slopes, curvature and counts are those of all pairs, for any number of grades") {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + rng.Below(40);
    const std::uint32_t n_grades = 1 + rng.Below(round % 4 == 0 ? 60 : 5);
    const bool ties = round % 2 == 0;
    std::vector<double> grades(n);
    std::vector<double> scores(n);
    for (std::size_t i = 0; i < n; ++i) {
      grades[i] = rng.Below(n_grades);
      scores[i] = ties ? rng.Below(7) * 0.5 : rng.Uniform() * 6.0 - 3.0;
    }
    CheckAgainstAllPairs(grades, scores, rng);
  }
}

TEST_CASE("the order of documents and a constant added to scores change nothing but rounding") {
  Rng rng(2);
  std::vector<double> grades(30);
  std::vector<double> scores(30);
  for (std::size_t i = 0; i < 30; ++i) {
    grades[i] = rng.Below(4);
    scores[i] = rng.Uniform() * 3.0;
  }
  const double loss = PairMargins(grades).SetScores(scores, {});
  std::vector<double> moved = scores;
  for (double& score : moved) score += 1e6;
  CHECK(PairMargins(grades).SetScores(moved, {}) == doctest::Approx(loss).epsilon(1e-7));
  std::reverse(grades.begin(), grades.end());
  std::reverse(scores.begin(), scores.end());
  CHECK(PairMargins(grades).SetScores(scores, {}) == doctest::Approx(loss).epsilon(1e-12));
}

}  // namespace rankforest
