#include "rankforest/core/fill_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/float_order.hpp"
#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

constexpr float kGap = std::numeric_limits<float>::quiet_NaN();
constexpr float kMostFloat = std::numeric_limits<float>::max();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::vector<float> FillOf(const std::vector<float>& column, FillKind kind) {
  return FillValues({column.data(), column.size(), 1, 1}, kind);
}

/// The values of a column in ascending order, without gaps.
std::vector<double> SortedColumn(const testing::RawData& raw, std::size_t feature) {
  std::vector<double> values;
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    const float value = raw.features[row * raw.n_features + feature];
    if (!std::isnan(value)) values.push_back(static_cast<double>(value));
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("the mean and the median of what a feature has stand for what it has not") {
  const std::vector<float> columns = {
      1,    kGap, -4, 0.5F,   //
      kGap, kGap, -4, 0.25F,  //
      2,    kGap, 10, kGap,   //
      6,    kGap, -4, 0.25F,
  };
  const FeatureMatrix matrix{columns.data(), 4, 4, 4};
  CHECK(FillValues(matrix, FillKind::kMean) == std::vector<float>{3, 0, -0.5F, 1.0F / 3});
  CHECK(FillValues(matrix, FillKind::kMedian) == std::vector<float>{2, 0, -4, 0.25F});
}

TEST_CASE("an even number of values has the mean of the two in the middle as median") {
  CHECK(FillOf({9, 1, kGap, 4, 2}, FillKind::kMedian) == std::vector<float>{3});
  CHECK(FillOf({kMostFloat, kMostFloat}, FillKind::kMedian) == std::vector<float>{kMostFloat});
}

TEST_CASE("infinities count as the largest numbers, and no fill is a negative zero") {
  for (const FillKind kind : {FillKind::kMean, FillKind::kMedian}) {
    CHECK(FillOf({kInfinite}, kind) == std::vector<float>{kMostFloat});
    CHECK(FillOf({-kInfinite, -kMostFloat}, kind) == std::vector<float>{-kMostFloat});
    CHECK(FillOf({-kInfinite, kInfinite}, kind) == std::vector<float>{0});
    CHECK_FALSE(std::signbit(FillOf({-0.0F, -0.0F}, kind).front()));
  }
}

TEST_CASE("the mean of equal values is that value") {
  Rng rng(811);
  for (int trial = 0; trial < 200; ++trial) {
    const auto bits = static_cast<std::uint32_t>(rng.Next());
    const float value = std::clamp(detail::FromOrderedBits(bits), -kMostFloat, kMostFloat);
    if (std::isnan(value)) continue;
    const std::vector<float> column(1 + rng.Below(300), value);
    CHECK(FillOf(column, FillKind::kMean) == std::vector<float>{value});
    CHECK(FillOf(column, FillKind::kMedian) == std::vector<float>{value});
  }
}

TEST_CASE("the sum of floats is exact until it is rounded") {
  detail::ExactSum sum;
  const float least = std::numeric_limits<float>::denorm_min();
  for (const float value : {kMostFloat, least, -3.0F, -kMostFloat, least, 3.0F}) sum.Add(value);
  CHECK(sum.Rounded() == 2.0 * static_cast<double>(least));
}

TEST_CASE("fills are those of the definitions, whatever the threads and the order of rows") {
  Rng rng(812);
  for (int trial = 0; trial < 40; ++trial) {
    testing::SmallDataOptions options;
    options.nan_in_100 = trial % 5 == 0 ? 100 : 30;
    options.n_values = 2 + rng.Below(50);
    const testing::RawData raw = testing::SmallData(options, rng);
    const testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
    for (const FillKind kind : {FillKind::kMean, FillKind::kMedian}) {
      const auto fill_of = [&](const testing::RawData& of, int threads) {
        const std::size_t n = of.n_features;
        return FillValues({of.features.data(), of.n_rows(), n, n}, kind, Threads{threads});
      };
      const std::vector<float> fill = fill_of(raw, 1);
      CHECK(fill_of(raw, 3) == fill);
      CHECK(fill_of(shuffled, 1) == fill);
      for (std::size_t f = 0; f < raw.n_features; ++f) {
        const std::vector<double> values = SortedColumn(raw, f);
        const std::size_t n = values.size();
        double sum = 0.0;
        for (const double value : values) sum += value;
        const double middle = n == 0 ? 0.0 : (values[(n - 1) / 2] + values[n / 2]) / 2.0;
        const double expected =
            kind == FillKind::kMedian || n == 0 ? middle : sum / static_cast<double>(n);
        CHECK(fill[f] == doctest::Approx(expected).epsilon(1e-7));
      }
    }
  }
}

}  // namespace rankforest
