#include "rankforest/objective/pair_row.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {
namespace {

/// A row with its memory.
struct Row {
  double score = 0.0;
  double grade = 0.0;
  double odds = 1.0;
  std::vector<double> scores, odds_behind, grades, deltas, lambdas, hessians, lambda_terms,
      hessian_terms, weights;

  explicit Row(std::size_t n)
      : scores(n),
        odds_behind(n),
        grades(n),
        deltas(n),
        lambdas(n),
        hessians(n),
        lambda_terms(n),
        hessian_terms(n),
        weights(n, 1.0) {}

  /// Sets the odds relative to a score of `above`.
  void SetOdds(double sigma, double above) {
    CallWide(OddsBelow{above, sigma * kLog2E, &score, 1, &odds});
    CallWide(OddsBelow{above, sigma * kLog2E, scores.data(), scores.size(), odds_behind.data()});
  }

  PairRow View() {
    return {
        odds,          grade,          scores.size(),   odds_behind.data(),  grades.data(),
        deltas.data(), lambdas.data(), hessians.data(), lambda_terms.data(), hessian_terms.data(),
        weights.data()};
  }

  /// Adds its pairs.
  PairSums Pull() {
    const PairRow row = View();
    return CallWide(PullRow{row});
  }
};

Row RandomRow(std::size_t n, Rng& rng) {
  Row row(n);
  row.score = 3.0;
  row.grade = rng.Below(5);
  for (std::size_t k = 0; k < n; ++k) {
    row.scores[k] = 3.0 - rng.Uniform() * (rng.Below(10) == 0 ? 60.0 : 4.0);
    row.grades[k] = rng.Below(5);
    row.deltas[k] = row.grades[k] == row.grade ? 0.0 : rng.Uniform();
    row.lambdas[k] = rng.Uniform();
    row.hessians[k] = rng.Uniform();
  }
  return row;
}

}  // namespace

TEST_CASE("a row of two pairs, computed by hand") {
  Row row(2);
  row.score = 1.0;
  row.grade = 1.0;
  row.scores = {1.0, 0.0};
  row.grades = {2.0, 0.0};  // out of order, in order
  row.deltas = {0.5, 0.25};
  row.lambdas = {10.0, 20.0};
  row.SetOdds(2.0, 1.0);
  CHECK(row.odds == 1.0);
  CHECK(row.odds_behind[0] == 1.0);
  CHECK(row.odds_behind[1] == doctest::Approx(std::exp(-2.0)));
  const PairSums sums = row.Pull();
  const double rho = 1.0 / (1.0 + std::exp(2.0));  // one ahead, for sigma 2
  CHECK(row.lambdas[0] == doctest::Approx(10.0 - 0.5 * 0.5));
  CHECK(row.lambdas[1] == doctest::Approx(20.0 + 0.25 * rho));
  CHECK(row.hessians[0] == doctest::Approx(0.5 * 0.5 * 0.5));
  CHECK(row.hessians[1] == doctest::Approx(0.25 * rho * (1.0 - rho)));
  CHECK(sums.lambda == doctest::Approx(-0.25 + 0.25 * rho));
  CHECK(sums.magnitude == doctest::Approx(0.25 + 0.25 * rho));
  CHECK(sums.hess == doctest::Approx(0.125 + 0.25 * rho * (1.0 - rho)));
}

TEST_CASE("rows are the logistic loss of their pairs, of every length") {
  Rng rng(51);
  for (std::size_t n = 0; n < 70; ++n) {
    Row row = RandomRow(n, rng);
    const Row before = row;
    row.SetOdds(1.5, 3.0 + 2.0 * rng.Uniform());
    const PairSums sums = row.Pull();
    double lambda_sum = 0.0;
    double magnitude_sum = 0.0;
    double hess_sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const bool in_order = row.grade > row.grades[k];
      const double gap = (row.score - row.scores[k]) * (in_order ? 1.0 : -1.0);
      const double rho = 1.0 / (1.0 + std::exp(1.5 * gap));
      const double lambda = row.deltas[k] * rho;
      const double hess = row.deltas[k] * rho / (1.0 + std::exp(-1.5 * gap));
      INFO("document ", k, " of ", n);
      CHECK(row.lambdas[k] ==
            doctest::Approx(before.lambdas[k] + (in_order ? lambda : -lambda)).epsilon(1e-13));
      CHECK(row.hessians[k] == doctest::Approx(before.hessians[k] + hess).epsilon(1e-13));
      lambda_sum += in_order ? lambda : -lambda;
      magnitude_sum += lambda;
      hess_sum += hess;
    }
    CHECK(std::abs(sums.lambda - lambda_sum) < 1e-13);
    CHECK(sums.magnitude == doctest::Approx(magnitude_sum).epsilon(1e-13));
    CHECK(sums.hess == doctest::Approx(hess_sum).epsilon(1e-13));
  }
}

TEST_CASE("the weight of a pair multiplies its terms, but not the sum of magnitudes") {
  Rng rng(53);
  for (std::size_t n = 0; n < 40; ++n) {
    Row weighted = RandomRow(n, rng);
    weighted.SetOdds(1.5, 3.5);
    Row plain = weighted;
    Row ones = weighted;
    for (double& weight : weighted.weights) weight = rng.Below(5) * 0.5;
    const Row before = weighted;
    const PairSums of_plain = plain.Pull();
    const PairSums sums = CallWide(PullWeightedRow{weighted.View()});
    double lambda_sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const double lambda = before.weights[k] * (plain.lambdas[k] - before.lambdas[k]);
      const double hess = before.weights[k] * (plain.hessians[k] - before.hessians[k]);
      CHECK(weighted.lambdas[k] == doctest::Approx(before.lambdas[k] + lambda).epsilon(1e-12));
      CHECK(weighted.hessians[k] == doctest::Approx(before.hessians[k] + hess).epsilon(1e-12));
      lambda_sum += lambda;
    }
    CHECK(std::abs(sums.lambda - lambda_sum) < 1e-12);
    CHECK(sums.magnitude == of_plain.magnitude);
    const PairSums of_ones = CallWide(PullWeightedRow{ones.View()});
    CHECK(ones.lambdas == plain.lambdas);
    CHECK(ones.hessians == plain.hessians);
    CHECK(of_ones.lambda == of_plain.lambda);
    CHECK(of_ones.hess == of_plain.hess);
  }
}

TEST_CASE("vectors of every width give the same bits") {
  Rng rng(52);
  for (std::size_t n = 0; n < 70; ++n) {
    Row narrow = RandomRow(n, rng);
    Row wide = narrow;
    OddsBelow{3.5, 1.5, narrow.scores.data(), n, narrow.odds_behind.data()}();
    CallWide(OddsBelow{3.5, 1.5, wide.scores.data(), n, wide.odds_behind.data()});
    CHECK(wide.odds_behind == narrow.odds_behind);
    narrow.odds = wide.odds = 0.75;
    const PairRow narrow_view = narrow.View();
    const PairSums expected = PullRow{narrow_view}();
    const PairSums sums = wide.Pull();
    CHECK(wide.lambdas == narrow.lambdas);
    CHECK(wide.hessians == narrow.hessians);
    CHECK(sums.lambda == expected.lambda);
    CHECK(sums.magnitude == expected.magnitude);
    CHECK(sums.hess == expected.hess);
  }
}

TEST_CASE("sums are added up lane by lane") {
  // 2^53 + 1 is no double: only sums that start in different lanes keep the ones.
  std::vector<double> values(16, 0.0);
  values[0] = 0x1.0p53;
  values[8] = 1.0;
  values[1] = 1.0;
  values[9] = 1.0;
  const auto same = [](double value) { return value; };
  CHECK(LaneSum(values.data(), values.size(), same) == 0x1.0p53 + 2.0);
  values[9] = 0.0;
  values[10] = 1.0;
  CHECK(LaneSum(values.data(), values.size(), same) == 0x1.0p53);
}

TEST_CASE("scores that are as far apart as numbers go give numbers") {
  Row row(2);
  row.score = 1e308;
  row.grade = 1.0;
  row.scores = {-1e308, -1e308};
  row.grades = {0.0, 2.0};
  row.deltas = {1.0, 1.0};
  row.SetOdds(1.0, 1e308);
  CHECK(row.odds_behind[0] > 0.0);
  const PairSums sums = row.Pull();
  CHECK(row.lambdas[0] >= 0.0);
  CHECK(row.lambdas[0] < 1e-300);
  CHECK(row.lambdas[1] == -1.0);
  CHECK(sums.lambda == -1.0);
  CHECK(sums.hess < 1e-300);
}

TEST_CASE(
    "odds are relative to the best score, and there are none where scores are too far apart") {
  std::vector<double> odds;
  REQUIRE(SetOddsBelowBest(std::vector<double>{1.0, 3.0, 2.0}, 2.0, odds));
  REQUIRE(odds.size() == 3);
  CHECK(odds[0] == doctest::Approx(std::exp(-4.0)));
  CHECK(odds[1] == 1.0);
  CHECK(odds[2] == doctest::Approx(std::exp(-2.0)));
  CHECK_FALSE(SetOddsBelowBest(std::vector<double>{0.0, 601.0}, 1.0, odds));
  CHECK(odds.empty());
}

}  // namespace rankforest::detail
