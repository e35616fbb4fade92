#include "rankforest/train/rank_boost.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/train/run.hpp"
#include "support/judged_pairs.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

Trained BoostedPairs(const Dataset& data, const RankBoostSettings& settings,
                     RunOptions options = {}) {
  return Train(RankBoost(settings), data, settings.n_estimators, std::move(options));
}

testing::RawData PairData(std::uint64_t seed, std::uint32_t n_grades) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 10;
  options.most_documents = 12;
  options.n_values = 12;
  options.n_grades = n_grades;
  options.nan_in_100 = 10;
  options.weights_of_queries = seed % 2 == 0;
  return testing::SmallData(options, rng);
}

}  // namespace

TEST_CASE("a threshold that puts three of four pairs in order counts half the log of 3") {
  // Pairs: (better, worse) = (1, 0), (2, 0), (1, 1), (2, 1) by value; above 0.5 gives r = 2 / 4,
  // above 1.5 gives r = 2 / 4 too, and the lower threshold comes first.
  testing::RawData raw;
  raw.features = {1.0F, 2.0F, 0.0F, 1.0F};
  raw.grades = {1.0, 1.0, 0.0, 0.0};
  raw.queries = {1, 1, 1, 1};
  RankBoostSettings settings;
  settings.n_estimators = 1;
  const Ensemble model = BoostedPairs(raw.Make(), settings).ensemble;
  const Tree& tree = model.members[0].groups[0].trees[0];
  CHECK(tree.nodes[0].threshold == 0.5F);
  CHECK(tree.leaves[0] == 0.0F);
  CHECK(static_cast<double>(tree.leaves[1]) == doctest::Approx(0.5 * std::log(3.0)));
  CHECK(tree.gains[0] == 0.5F);
}

TEST_CASE("gains and weights are those of explicit pairs, round by round") {
  for (const std::uint32_t n_grades : {2U, 5U}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Dataset data = PairData(seed, n_grades).Make();
      RankBoostSettings settings;
      settings.n_estimators = 12;
      const Ensemble model = BoostedPairs(data, settings).ensemble;
      std::vector<testing::JudgedPair> pairs = testing::AllPairs(data);
      for (const Tree& tree : model.members[0].groups[0].trees) {
        double total = 0.0;
        for (const testing::JudgedPair& pair : pairs) total += pair.weight;
        double r = 0.0;
        const bool is_up = tree.leaves[1] > 0.0F;
        const auto above = [&](RowId d) { return tree.LeafOf(data.Features(d)) == 1 ? 1.0 : 0.0; };
        for (testing::JudgedPair& pair : pairs) {
          pair.weight /= total;
          r += pair.weight * (above(pair.better) - above(pair.worse));
        }
        CHECK(std::abs(r) == doctest::Approx(static_cast<double>(tree.gains[0])).epsilon(1e-6));
        CHECK((r > 0.0) == is_up);
        const double alpha = 0.5 * std::log((1.0 + r) / (1.0 - r));
        CHECK(static_cast<double>(tree.leaves[1]) == doctest::Approx(alpha).epsilon(1e-5));
        for (testing::JudgedPair& pair : pairs) {
          pair.weight *= std::exp(alpha * (above(pair.worse) - above(pair.better)));
        }
      }
    }
  }
}

TEST_CASE("training goes on from its first rounds to the same model") {
  const Dataset data = PairData(4, 4).Make();
  RankBoostSettings settings;
  settings.n_estimators = 20;
  const Ensemble all = BoostedPairs(data, settings).ensemble;
  RunOptions options;
  options.trained = Prefix(all, 8);
  CHECK(BoostedPairs(data, settings, options).ensemble == all);
}

TEST_CASE(
    "neither threads, row order nor scaling change the splits, and bins find what exact does") {
  const testing::RawData raw = PairData(5, 5);
  RankBoostSettings settings;
  settings.n_estimators = 15;
  const Ensemble expected = BoostedPairs(raw.Make(), settings).ensemble;
  Rng rng(1);
  const testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  CHECK(BoostedPairs(shuffled.Make(), settings, {9, Threads{3}, {}, {}}).ensemble == expected);
  settings.tree_method = TreeMethod::kHist;
  CHECK(BoostedPairs(raw.Make(), settings).ensemble == expected);
  testing::RawData scaled = raw;
  for (float& value : scaled.features) value *= 8.0F;
  const Ensemble of_scaled = BoostedPairs(scaled.Make(), settings).ensemble;
  for (std::size_t t = 0; t < of_scaled.n_trees(); ++t) {
    const Tree& tree = of_scaled.members[0].groups[0].trees[t];
    const Tree& other = expected.members[0].groups[0].trees[t];
    CHECK(tree.nodes[0].feature == other.nodes[0].feature);
    CHECK(tree.nodes[0].threshold == 8.0F * other.nodes[0].threshold);
  }
}

TEST_CASE("training ends where a threshold puts all pairs in order, or none any") {
  const Dataset perfect = testing::OneFeature({1.0F, 2.0F}, {0.0, 1.0}).Make();
  CHECK(BoostedPairs(perfect, {}).ensemble.n_trees() == 1);
  const Dataset useless = testing::OneFeature({1.0F, 1.0F}, {0.0, 1.0}).Make();
  CHECK(BoostedPairs(useless, {}).ensemble.n_trees() == 0);
  const Dataset no_pairs = testing::OneFeature({1.0F, 2.0F}, {1.0, 1.0}).Make();
  CHECK_THROWS_AS(BoostedPairs(no_pairs, {}), std::invalid_argument);
}

}  // namespace rankforest
