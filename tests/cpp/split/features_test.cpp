#include "rankforest/split/features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace rankforest {

namespace {

using Kind = FeatureDraw::Kind;

std::size_t Count(Kind kind, double amount, std::size_t n_features) {
  return FeatureDraw{kind, amount}.Count(n_features);
}

}  // namespace

TEST_CASE("the number of features drawn is that of its name") {
  struct Row {
    std::size_t n_features, all, root, log2, breiman, a_third;
  };
  for (const Row& row :
       {Row{1, 1, 1, 1, 1, 1}, Row{2, 2, 1, 1, 2, 1}, Row{3, 3, 1, 1, 2, 1}, Row{4, 4, 2, 2, 3, 1},
        Row{46, 46, 6, 5, 6, 15}, Row{136, 136, 11, 7, 8, 45}, Row{144, 144, 12, 7, 8, 48},
        Row{1023, 1023, 31, 9, 10, 341}, Row{1024, 1024, 32, 10, 11, 341}}) {
    INFO(row.n_features);
    CHECK(Count(Kind::kAll, 0, row.n_features) == row.all);
    CHECK(Count(Kind::kSqrt, 0, row.n_features) == row.root);
    CHECK(Count(Kind::kLog2, 0, row.n_features) == row.log2);
    CHECK(Count(Kind::kBreiman, 0, row.n_features) == row.breiman);
    CHECK(Count(Kind::kFraction, 1.0 / 3.0, row.n_features) == row.a_third);
    CHECK(Count(Kind::kFraction, 1.0, row.n_features) == row.all);
  }
  CHECK(FeatureDraw{}.Count(7) == 7);
}

TEST_CASE("a count is taken as it is, up to the number of features") {
  CHECK(Count(Kind::kCount, 1, 5) == 1);
  CHECK(Count(Kind::kCount, 5, 5) == 5);
  CHECK_THROWS_WITH_AS(Count(Kind::kCount, 6, 5), "max_features is 6, but the data has 5 features",
                       std::invalid_argument);
}

TEST_CASE("every draw is within the features, whatever their number") {
  for (std::size_t n = 1; n < 300; ++n) {
    for (const Kind kind : {Kind::kAll, Kind::kSqrt, Kind::kLog2, Kind::kBreiman}) {
      CHECK(Count(kind, 0, n) >= 1);
      CHECK(Count(kind, 0, n) <= n);
    }
    for (const double fraction : {1e-9, 0.5, 0.999, 1.0}) {
      CHECK(Count(Kind::kFraction, fraction, n) >= 1);
      CHECK(Count(Kind::kFraction, fraction, n) <= n);
    }
  }
}

TEST_CASE("a node's features are distinct, ascending, and every one as likely") {
  std::vector<int> drawn_times(9);
  std::vector<FeatureId> drawn;
  for (std::uint64_t node = 0; node < 9000; ++node) {
    DrawFeatures(3, 9, Rng(node), drawn);
    REQUIRE(drawn.size() == 3);
    REQUIRE(std::is_sorted(drawn.begin(), drawn.end(), std::less_equal<>()));
    for (const FeatureId feature : drawn) ++drawn_times[feature];
  }
  // 3000 expected; the standard deviation is 45.
  for (const int times : drawn_times) CHECK(std::abs(times - 3000) < 250);
}

TEST_CASE("a node's features depend on its stream's key alone") {
  std::vector<FeatureId> first;
  std::vector<FeatureId> second;
  Rng used(5);
  used.Next();
  DrawFeatures(4, 20, Rng(5), first);
  DrawFeatures(4, 20, used, second);
  CHECK(first == second);
  DrawFeatures(4, 20, Rng(6), second);
  CHECK(first != second);
  DrawFeatures(20, 20, Rng(6), second);
  CHECK(second.size() == 20);
}

}  // namespace rankforest
