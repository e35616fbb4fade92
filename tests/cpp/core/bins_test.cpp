#include "rankforest/core/bins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::kNaN;

TEST_CASE("a bin reaches from above one edge up to the next, edge included") {
  const FeatureBins bins({-1.0F, 0.0F, 2.5F}, 2);
  CHECK(bins.n_bins() == 4);
  CHECK(bins.common() == 2);
  CHECK(bins.BinOf(-1e38F) == 0);
  CHECK(bins.BinOf(-1.0F) == 0);
  CHECK(bins.BinOf(std::nextafter(-1.0F, 0.0F)) == 1);
  CHECK(bins.BinOf(-0.0F) == 1);
  CHECK(bins.BinOf(0.0F) == 1);
  CHECK(bins.BinOf(1e-45F) == 2);
  CHECK(bins.BinOf(2.5F) == 2);
  CHECK(bins.BinOf(3e38F) == 3);
  CHECK(bins.BinOf(kNaN) == 4);
  CHECK(bins.missing_code() == 4);
}

TEST_CASE("NaN has a code once it is noted") {
  FeatureBins bins({1.0F}, 0);
  CHECK_FALSE(bins.has_missing());
  CHECK(bins.n_codes() == 2);
  bins.NoteMissing();
  CHECK(bins.has_missing());
  CHECK(bins.n_codes() == 3);
}

TEST_CASE("a bin's range grows to hold what it is given") {
  FeatureBins bins({1.0F}, 0);
  CHECK(bins.Lowest(1) > bins.Highest(1));  // nothing yet
  bins.Widen(1, 3.0F, 4.0F);
  bins.Widen(1, 2.0F, 3.5F);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  bins.Widen(1, kInfinity, -kInfinity);  // of no documents
  CHECK(bins.Lowest(1) == 2.0F);
  CHECK(bins.Highest(1) == 4.0F);
  CHECK(bins.Lowest(0) > bins.Highest(0));
}

TEST_CASE("a feature that no split can use is constant") {
  FeatureBins one;
  CHECK(one.is_constant());
  one.NoteMissing();
  CHECK(one.is_constant());  // nothing but NaN
  one.Widen(0, 1.0F, 1.0F);
  CHECK_FALSE(one.is_constant());
  CHECK_FALSE(FeatureBins({1.0F}, 0).is_constant());
}

TEST_CASE("the bin of a value is the number of edges below it, for any number of edges") {
  Rng rng(121);
  for (std::size_t n_edges = 0; n_edges < FeatureBins::kMost; ++n_edges) {
    std::set<float> distinct;
    while (distinct.size() < n_edges) {
      distinct.insert(static_cast<float>(rng.Below(2000)) * 0.25F - 250.0F);
    }
    const std::vector<float> edges(distinct.begin(), distinct.end());
    const FeatureBins bins(edges, 0);
    REQUIRE(bins.n_bins() == n_edges + 1);
    CHECK(bins.missing_code() == n_edges + 1);
    CHECK(bins.BinOf(kNaN) == n_edges + 1);
    for (int i = 0; i < 40; ++i) {
      const float value = static_cast<float>(rng.Below(2100)) * 0.25F - 260.0F;
      const auto below =
          std::count_if(edges.begin(), edges.end(), [value](float edge) { return edge < value; });
      INFO(n_edges, " edges, value ", value);
      REQUIRE(bins.BinOf(value) == below);
    }
  }
}

}  // namespace rankforest
