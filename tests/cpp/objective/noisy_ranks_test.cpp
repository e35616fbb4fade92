#include "rankforest/objective/noisy_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/ranking_probability.hpp"

namespace rankforest {
namespace {

using detail::BestFirst;
using detail::NoisyRanks;

std::vector<std::uint32_t> PlacesOf(Span<const BestFirst::Record> ranked) {
  std::vector<std::uint32_t> places;
  for (const BestFirst::Record& record : ranked) places.push_back(record.place);
  return places;
}

/// P(X > Y) for logistic variables whose means differ by d.
double ProbabilityAbove(double d) {
  const double e = std::exp(d);
  return e * (e - 1.0 - d) / ((e - 1.0) * (e - 1.0));
}

}  // namespace

TEST_CASE("odds of random bits, by hand") {
  CHECK(NoisyRanks::OddsOf(0) == 0x1.0p-53 / (1.0 - 0x1.0p-53));
  CHECK(NoisyRanks::OddsOf(1ULL << 63U) == (0.5 + 0x1.0p-53) / (0.5 - 0x1.0p-53));
  CHECK(NoisyRanks::OddsOf(~0ULL) == (1.0 - 0x1.0p-53) / 0x1.0p-53);
}

TEST_CASE("a document ranks above another as often as logistic noise makes it") {
  constexpr int kDraws = 20000;
  for (const double noise : {0.5, 1.0, 2.0}) {
    NoisyRanks ranks(noise);
    ranks.Reset(std::vector<double>{0.25, 1.0});
    Rng rng(11);
    int above = 0;
    for (int draw = 0; draw < kDraws; ++draw) above += ranks.Draw(2, rng)[0].place == 1 ? 1 : 0;
    const double expected = ProbabilityAbove(0.75 / noise);
    CHECK(testing::RankingProbability({1, 0}, {0.25, 1.0}, noise) ==
          doctest::Approx(expected).epsilon(1e-6));
    const double error = std::sqrt(expected * (1.0 - expected) / kDraws);
    CHECK(std::abs(above / static_cast<double>(kDraws) - expected) < 4.0 * error);
  }
}

TEST_CASE("without noise nothing is drawn, and equal scores rank in their order") {
  NoisyRanks ranks(0.0);
  ranks.Reset(std::vector<double>{1.0, 3.0, 1.0, 3.0});
  Rng rng(11);
  CHECK(PlacesOf(ranks.Draw(4, rng)) == std::vector<std::uint32_t>{1, 3, 0, 2});
  CHECK(rng.Next() == Rng(11).Next());
}

TEST_CASE("a drawn ranking is the order of scores plus noise, near and far apart") {
  Rng scores_rng(3);
  for (const double spread : {1.0, 30.0, 5000.0}) {
    std::vector<double> scores;
    for (int i = 0; i < 40; ++i) scores.push_back(scores_rng.Uniform() * spread);
    NoisyRanks ranks(1.5);
    ranks.Reset(scores);
    Rng rng(7);
    Rng same(7);
    for (const std::size_t top : {1U, 7U, 40U}) {
      std::vector<double> keys;
      for (const double score : scores) {
        keys.push_back(score + 1.5 * std::log(NoisyRanks::OddsOf(same.Next())));
      }
      const std::vector<std::uint32_t> places = PlacesOf(ranks.Draw(top, rng));
      CHECK(places.size() == scores.size());
      for (std::size_t r = 0; r < top; ++r) {
        std::size_t above = 0;
        for (const double key : keys) above += key > keys[places[r]] ? 1U : 0U;
        CHECK(above == r);
      }
    }
  }
}

}  // namespace rankforest
