#include "rankforest/train/pair_potentials.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/judged_pairs.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

/// From the weights of all pairs, one by one.
std::vector<double> NaivePotentials(const Dataset& data, const std::vector<double>& scores) {
  std::vector<double> potentials(data.n_documents(), 0.0);
  double total = 0.0;
  for (const testing::JudgedPair& pair : testing::AllPairs(data)) {
    const double weight = pair.weight * std::exp(scores[pair.worse] - scores[pair.better]);
    potentials[pair.better] += weight;
    potentials[pair.worse] -= weight;
    total += weight;
  }
  for (double& potential : potentials) potential /= total;
  return potentials;
}

}  // namespace

TEST_CASE("a document gains by the pairs where it is better and loses by those where it is worse") {
  const Dataset data = testing::OneFeature({3.0F, 2.0F, 1.0F}, {1.0, 0.0, 0.0}).Make();
  PairPotentials potentials(data, WholeSample(3), Threads{1});
  const std::size_t better = data.grades()[0] > 0.0 ? 0 : data.grades()[1] > 0.0 ? 1 : 2;
  std::vector<double> scores(3, 0.0);
  potentials.Set(scores);
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(potentials.values()[d] == doctest::Approx(d == better ? 1.0 : -0.5));
  }
  // Once the better one is ahead by ln 3 of one of the others, its pair weighs a third.
  scores[better] = std::log(3.0);
  scores[(better + 1) % 3] = std::log(3.0);
  potentials.Set(scores);
  CHECK(potentials.values()[(better + 1) % 3] == doctest::Approx(-0.75));
  CHECK(potentials.values()[(better + 2) % 3] == doctest::Approx(-0.25));
}

TEST_CASE("potentials are those of explicit pairs, for two grades and for more, with weights") {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    testing::SmallDataOptions options;
    options.most_documents = 12;
    options.n_grades = round % 2 == 0 ? 2 : 5;
    options.weights_of_queries = round % 3 == 0;
    const Dataset data = testing::SmallData(options, rng).Make();
    PairPotentials potentials(data, WholeSample(data.n_documents()), Threads{2});
    if (potentials.empty()) continue;
    std::vector<double> scores(data.n_documents());
    for (double& score : scores) score = rng.Uniform() * 8.0 - 4.0;
    potentials.Set(scores);
    const std::vector<double> expected = NaivePotentials(data, scores);
    for (std::size_t d = 0; d < scores.size(); ++d) {
      CHECK(std::abs(potentials.values()[d] - expected[d]) < 1e-12);
    }
  }
}

TEST_CASE("potentials add up to 0 and do not change where all scores of a query move together") {
  Rng rng(2);
  testing::SmallDataOptions options;
  options.n_queries = 1;
  options.most_documents = 40;
  testing::RawData raw = testing::SmallData(options, rng);
  const Dataset data = raw.Make();
  PairPotentials potentials(data, WholeSample(data.n_documents()), Threads{1});
  REQUIRE_FALSE(potentials.empty());
  std::vector<double> scores(data.n_documents());
  for (double& score : scores) score = rng.Uniform();
  potentials.Set(scores);
  const std::vector<double> before(potentials.values().begin(), potentials.values().end());
  for (double& score : scores) score += 500.0;
  potentials.Set(scores);
  double sum = 0.0;
  for (std::size_t d = 0; d < before.size(); ++d) {
    sum += before[d];
    CHECK(potentials.values()[d] == doctest::Approx(before[d]));
  }
  CHECK(std::abs(sum) < 1e-12);
}

}  // namespace rankforest
