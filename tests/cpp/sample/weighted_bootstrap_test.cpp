#include "rankforest/sample/weighted_bootstrap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;

namespace {

Prepared TenDocuments() {
  return Prepared(
      testing::OneFeature({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

}  // namespace

TEST_CASE("documents without a weight are never drawn, and the only one with a weight always") {
  const Prepared ten = TenDocuments();
  const RowSample from{{2, 5, 7}, {}};
  const std::vector<double> weights = {0.0, 0.25, 0.0};
  const RowSample drawn = WeightedBootstrap(weights, 1.0).Draw(ten.data, from, Rng(3));
  CHECK(drawn.rows == std::vector<RowId>{5});
  CHECK(drawn.counts == std::vector<std::uint32_t>{3});
  CHECK(WeightedBootstrap(weights, 0.5).Draw(ten.data, from, Rng(3)).size() == 2);
}

TEST_CASE("equal weights draw what a bootstrap without weights draws") {
  const Prepared ten = TenDocuments();
  const RowSample all = WholeSample(10);
  const RowSample expected = Bootstrap{0.7}.Draw(ten.data, all, Rng(8));
  for (const WeightedBootstrap& sampler :
       {WeightedBootstrap(0.7), WeightedBootstrap(std::vector<double>(10, 0.1), 0.7)}) {
    const RowSample drawn = sampler.Draw(ten.data, all, Rng(8));
    CHECK(drawn.rows == expected.rows);
    CHECK(drawn.counts == expected.counts);
  }
}

TEST_CASE("a draw takes the document in whose part of the sum of weights a uniform number lies") {
  const Prepared ten = TenDocuments();
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    Rng rng(seed);
    std::vector<double> weights(10);
    double total = 0.0;
    for (double& weight : weights) total += weight = rng.Below(3) == 0 ? 0.0 : rng.Uniform();
    std::vector<std::uint32_t> expected(10);
    Rng uniform(seed + 10);
    for (int i = 0; i < 10; ++i) {
      const double x = uniform.Uniform() * total;
      std::size_t place = 0;
      for (double sum = weights[0]; sum <= x; sum += weights[++place]) {
      }
      ++expected[place];
    }
    const RowSample drawn =
        WeightedBootstrap(weights, 1.0).Draw(ten.data, WholeSample(10), Rng(seed + 10));
    std::vector<std::uint32_t> found(10);
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) found[drawn.rows[i]] = drawn.Count(i);
    CHECK(found == expected);
  }
}

TEST_CASE("documents are drawn in proportion to their weights") {
  const Prepared ten = TenDocuments();
  const std::vector<double> weights = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const WeightedBootstrap sampler(weights, 1.0);
  std::vector<double> counts(10);
  constexpr int kDraws = 4000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const RowSample drawn =
        sampler.Draw(ten.data, WholeSample(10), Rng(5).Child(Purpose::kTree, i));
    CHECK(drawn.size() == 10);
    for (std::size_t d = 0; d < drawn.rows.size(); ++d) counts[drawn.rows[d]] += drawn.Count(d);
  }
  for (std::size_t d = 0; d < 10; ++d) {
    const double p = weights[d] / 55.0;
    const double deviation = std::sqrt(10.0 * kDraws * p * (1.0 - p));
    CHECK(std::abs(counts[d] - 10.0 * kDraws * p) < 5.0 * deviation);
  }
}

}  // namespace rankforest
