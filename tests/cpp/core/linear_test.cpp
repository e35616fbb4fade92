#include "rankforest/core/linear.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/blending.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/importance.hpp"
#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

namespace {

double SumOf(const Linear& linear, const std::vector<float>& values) {
  return LinearSum(linear, [&](std::size_t i) { return values[linear.terms[i].feature]; });
}

Linear RandomLinear(std::size_t n_terms, Rng& rng) {
  Linear linear;
  for (std::size_t i = 0; i < n_terms; ++i) {
    linear.terms.push_back(
        {static_cast<FeatureId>(n_terms - 1 - i), static_cast<float>(rng.Uniform() - 0.5)});
  }
  return linear;
}

}  // namespace

TEST_CASE("a linear part weighs values, missing ones as 0 and infinite ones as the largest") {
  const Linear linear{QueryNormalization::kNone, {{2, 0.5F}, {0, -3.0F}}};
  CHECK(SumOf(linear, {1.0F, 9.0F, 4.0F}) == -1.0);
  CHECK(SumOf(linear, {kNaN, 9.0F, 4.0F}) == 2.0);
  constexpr double kLargest = std::numeric_limits<float>::max();
  CHECK(SumOf(linear, {0.0F, 0.0F, kInf}) == 0.5 * kLargest);
  CHECK(SumOf(linear, {kInf, 0.0F, -kInf}) == -3.5 * kLargest);
  CHECK(SumOf({}, {}) == 0.0);
}

TEST_CASE("terms are added in eight lanes, and the lanes by halves") {
  Rng rng(1);
  for (const std::size_t n : {1U, 7U, 8U, 9U, 46U, 136U}) {
    const Linear linear = RandomLinear(n, rng);
    std::vector<float> x(n);
    for (float& value : x) value = static_cast<float>(rng.Uniform() * 100.0);
    std::vector<double> lanes(8, 0.0);
    for (std::size_t k = 0; k < 8; ++k) {
      for (std::size_t i = k; i < n; i += 8) {
        lanes[k] += static_cast<double>(linear.terms[i].weight) *
                    static_cast<double>(x[linear.terms[i].feature]);
      }
    }
    for (const std::size_t half : {4U, 2U, 1U}) {
      for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    }
    CHECK(SumOf(linear, x) == lanes[0]);
  }
}

TEST_CASE("a product of a weight and a value is exact, so that fusing it changes nothing") {
  Rng rng(2);
  for (int round = 0; round < 1000; ++round) {
    const double weight = static_cast<float>(rng.Uniform() * std::exp2(rng.Below(200) - 100.0));
    const double value = static_cast<float>(rng.Uniform() * std::exp2(rng.Below(200) - 100.0));
    CHECK(std::fma(weight, value, -(weight * value)) == 0.0);
  }
}

TEST_CASE("linear parts belong to their members: scaled, moved, kept by prefixes and compared") {
  Ensemble model;
  model.n_features = 2;
  model.members = {{1.0, {}, {QueryNormalization::kNone, {{0, 2.0F}, {1, -1.0F}}}}};
  const Ensemble doubled = Scaled(model, 2.0);
  CHECK(doubled.members[0].linear.terms == std::vector<Linear::Term>{{0, 4.0F}, {1, -2.0F}});
  CHECK_FALSE(doubled == model);
  CHECK(Prefix(model, 0) == model);
  const std::vector<std::uint32_t> column_of{3, 1};
  CHECK(OnColumns(model, column_of, 4).members[0].linear.terms ==
        std::vector<Linear::Term>{{3, 2.0F}, {1, -1.0F}});
  CHECK(model.has_linear());
  CHECK_FALSE(model.needs_queries());
  model.members[0].linear.normalization = QueryNormalization::kSum;
  CHECK(model.needs_queries());
  CHECK(model.is_sum());
  CHECK_THROWS_AS(Importances(model, Importance::kSplit), std::invalid_argument);
}

}  // namespace rankforest
