#include "rankforest/core/query_normalization.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

namespace {

constexpr QueryNormalization kNormalizations[] = {
    QueryNormalization::kNone, QueryNormalization::kSum, QueryNormalization::kMinMax,
    QueryNormalization::kZScore};

std::vector<float> Normalized(QueryNormalization kind, std::vector<float> values) {
  std::vector<float> memory;
  NormalizeInQuery(kind, values, memory);
  return values;
}

}  // namespace

TEST_CASE("values become shares, places or distances from the mean") {
  const std::vector<float> x{1.0F, 3.0F, -4.0F, 0.0F};
  CHECK(Normalized(QueryNormalization::kNone, x) == x);
  CHECK(Normalized(QueryNormalization::kSum, x) == std::vector<float>{0.125F, 0.375F, -0.5F, 0.0F});
  CHECK(Normalized(QueryNormalization::kMinMax, {1.0F, 3.0F, -1.0F, 0.0F}) ==
        std::vector<float>{0.5F, 1.0F, 0.0F, 0.25F});
  CHECK(Normalized(QueryNormalization::kZScore, {1.0F, 3.0F, 1.0F, 3.0F}) ==
        std::vector<float>{-1.0F, 1.0F, -1.0F, 1.0F});
}

TEST_CASE("a feature that is the same all over a query becomes 0, and nothing is divided by 0") {
  CHECK(Normalized(QueryNormalization::kMinMax, {2.0F, 2.0F}) == std::vector<float>{0.0F, 0.0F});
  CHECK(Normalized(QueryNormalization::kZScore, {7.0F}) == std::vector<float>{0.0F});
  CHECK(Normalized(QueryNormalization::kSum, {0.0F, -0.0F}) == std::vector<float>{0.0F, 0.0F});
  CHECK(Normalized(QueryNormalization::kSum, {}).empty());
}

TEST_CASE("missing values stay missing and are no values of the query, infinities are numbers") {
  for (const QueryNormalization kind : kNormalizations) {
    const std::vector<float> with = Normalized(kind, {1.0F, kNaN, 5.0F});
    const std::vector<float> without = Normalized(kind, {1.0F, 5.0F});
    CHECK(std::isnan(with[1]));
    CHECK(with[0] == without[0]);
    CHECK(with[2] == without[1]);
    CHECK(std::isnan(Normalized(kind, {kNaN, kNaN})[0]));
  }
  CHECK(Normalized(QueryNormalization::kMinMax, {-kInf, 0.0F, kInf}) ==
        std::vector<float>{0.0F, 0.5F, 1.0F});
}

TEST_CASE("the order of documents changes no bit, and scaling by a power of two none either") {
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> x(2 + rng.Below(30));
    for (float& value : x) value = static_cast<float>(rng.Uniform() * 20.0 - 7.0);
    std::vector<std::size_t> rows(x.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    rng.Shuffle(Span<std::size_t>(rows));
    std::vector<float> shuffled;
    std::vector<float> scaled;
    for (const std::size_t row : rows) shuffled.push_back(x[row]);
    for (const float value : x) scaled.push_back(value * 64.0F);
    for (const QueryNormalization kind : kNormalizations) {
      const std::vector<float> expected = Normalized(kind, x);
      const std::vector<float> got = Normalized(kind, shuffled);
      for (std::size_t i = 0; i < rows.size(); ++i) CHECK(got[i] == expected[rows[i]]);
      if (kind != QueryNormalization::kNone) CHECK(Normalized(kind, scaled) == expected);
    }
  }
}

TEST_CASE("z-scores have mean 0 and standard deviation 1") {
  Rng rng(4);
  std::vector<float> x(100);
  for (float& value : x) value = static_cast<float>(rng.Uniform() * 1e6 + 1e5);
  double sum = 0.0;
  double square = 0.0;
  for (const float z : Normalized(QueryNormalization::kZScore, x)) {
    sum += static_cast<double>(z);
    square += static_cast<double>(z) * static_cast<double>(z);
  }
  CHECK(std::abs(sum) < 1e-4);
  CHECK(square == doctest::Approx(100.0).epsilon(1e-6));
}

}  // namespace rankforest
