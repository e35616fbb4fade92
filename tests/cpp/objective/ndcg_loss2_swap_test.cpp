#include "rankforest/objective/ndcg_loss2_swap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/dcg.hpp"

namespace rankforest {
namespace {

std::vector<double> SomeGrades(Rng& rng) {
  std::vector<double> grades;
  const std::uint32_t n = 2 + rng.Below(8);
  for (std::uint32_t i = 0; i < n; ++i) grades.push_back(rng.Below(4));
  return grades;
}

/// The weight of two ranks, from 0, by definition.
double NaiveWeight(const std::vector<double>& grades, std::size_t i, std::size_t j, double mu,
                   std::size_t cutoff) {
  const auto gain = [](double grade) { return std::exp2(grade) - 1.0; };
  const auto discount = [](double rank) { return 1.0 / std::log2(rank + 1.0); };  // from 1
  const auto cut = [&](std::size_t rank) {
    return rank < cutoff ? discount(static_cast<double>(rank) + 1.0) : 0.0;
  };
  std::vector<double> best = grades;
  std::sort(best.rbegin(), best.rend());
  double ideal = 0.0;
  for (std::size_t r = 0; r < best.size(); ++r) ideal += gain(best[r]) * cut(r);
  const double apart = std::abs(static_cast<double>(i) - static_cast<double>(j));
  const double rho = std::abs(cut(i) - cut(j));
  const double delta = discount(apart) - discount(apart + 1.0);
  return std::abs(gain(grades[i]) - gain(grades[j])) / ideal * (rho + mu * delta);
}

}  // namespace

TEST_CASE("weights of NDCG-Loss2++, by hand") {
  // Gains 0 3 1, ideal 3 + 1 / log2(3) = 3.6309298. Ranks 0 and 1: rho = delta = 1 - 0.6309298 =
  // 0.3690702. Ranks 0 and 2: rho = 0.5, delta = 0.6309298 - 0.5 = 0.1309298.
  NdcgLoss2Swap swap(Metric::Parse("ndcg"), 2.0);
  swap.Reset(std::vector<double>{0, 2, 1});
  CHECK(swap(0, 1) == doctest::Approx(3.0 / 3.6309298 * (0.3690702 + 2.0 * 0.3690702)));
  CHECK(swap(0, 2) == doctest::Approx(1.0 / 3.6309298 * (0.5 + 2.0 * 0.1309298)));
  CHECK(swap(2, 0) == swap(0, 2));
}

TEST_CASE("weights of NDCG-Loss2++ are those of the definition, alone and by the row") {
  Rng rng(41);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> grades = SomeGrades(rng);
    for (const std::size_t cutoff : {2U, 100U}) {
      NdcgLoss2Swap swap(Metric::Parse("ndcg@" + std::to_string(cutoff)), 5.0);
      swap.Reset(grades);
      if (swap.is_flat()) continue;
      for (std::size_t i = 0; i < grades.size(); ++i) {
        std::vector<double> row(grades.size() - i - 1);
        swap.Row(i, row);
        for (std::size_t j = i + 1; j < grades.size(); ++j) {
          CHECK(swap(i, j) == doctest::Approx(NaiveWeight(grades, i, j, 5.0, cutoff)));
          CHECK(row[j - i - 1] == swap(i, j));
        }
      }
    }
  }
}

TEST_CASE("with mu 0 the weights are those of LambdaRank") {
  Rng rng(43);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> grades = SomeGrades(rng);
    NdcgLoss2Swap swap(Metric::Parse("ndcg@3"), 0.0);
    DcgSwap lambda(Metric::Parse("ndcg@3"));
    swap.Reset(grades);
    lambda.Reset(grades);
    CHECK(swap.is_flat() == lambda.is_flat());
    if (swap.is_flat()) continue;
    for (std::size_t j = 1; j < grades.size(); ++j) CHECK(swap(0, j) == lambda(0, j));
  }
}

}  // namespace rankforest
