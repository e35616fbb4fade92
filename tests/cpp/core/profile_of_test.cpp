#include "rankforest/core/profile_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::RawData;

namespace {

/// By definition: the least value that k / 10 of the values are not above, for k = 1, ..., 9.
std::vector<float> NaiveEnds(const std::vector<float>& values) {
  std::vector<float> ends;
  for (std::size_t k = 1; k < 10; ++k) {
    float end = std::numeric_limits<float>::infinity();
    for (const float candidate : values) {
      const auto n_not_above = static_cast<std::size_t>(
          std::count_if(values.begin(), values.end(), [&](float x) { return x <= candidate; }));
      if (10 * n_not_above >= k * values.size()) end = std::min(end, candidate);
    }
    if (!std::isinf(end)) ends.push_back(end + 0.0F);
  }
  return ends;
}

std::vector<float> PresentValues(const RawData& raw, std::size_t feature) {
  std::vector<float> values;
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    const float value = raw.features[row * raw.n_features + feature];
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

}  // namespace

TEST_CASE("a profile of twenty values and a missing one") {
  std::vector<float> values = {std::numeric_limits<float>::quiet_NaN()};
  for (int i = 1; i <= 20; ++i) values.push_back(static_cast<float>(i));
  const RawData raw = testing::OneFeature(values, std::vector<double>(21, 0.0));
  const DataProfile profile = ProfileOf(raw.Make());
  CHECK(profile.n_documents == 21);
  const FeatureProfile& feature = profile.features.front();
  CHECK(feature.n_missing == 1);
  CHECK(feature.least == 1.0F);
  CHECK(feature.largest == 20.0F);
  CHECK(feature.edges == std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16, 18});
  CHECK(feature.counts == std::vector<std::uint64_t>(10, 2));
}

TEST_CASE("a profile is that of the definition, whatever the threads and the order of rows") {
  Rng rng(92);
  for (int trial = 0; trial < 30; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 30;
    options.nan_in_100 = trial % 3 == 0 ? 100 : 10;
    options.n_values = 2 + rng.Below(30);
    const RawData raw = testing::SmallData(options, rng);
    const DataProfile profile = ProfileOf(raw.Make(), Threads{1});
    ValidateProfile(profile, raw.n_features);
    CHECK(ProfileOf(raw.Make(), Threads{3}) == profile);
    CHECK(ProfileOf(raw.Take(testing::ShuffledRows(raw.n_rows(), rng)).Make()) == profile);
    for (std::size_t f = 0; f < raw.n_features; ++f) {
      const std::vector<float> values = PresentValues(raw, f);
      const FeatureProfile& feature = profile.features[f];
      CHECK(feature.n_missing == raw.n_rows() - values.size());
      CHECK(feature.edges == NaiveEnds(values));
      if (values.empty()) continue;
      CHECK(feature.least == *std::min_element(values.begin(), values.end()));
      CHECK(feature.largest == *std::max_element(values.begin(), values.end()));
      CHECK_FALSE((feature.least == 0.0F && std::signbit(feature.least)));
      for (std::size_t b = 0; b < feature.counts.size(); ++b) {
        const auto is_in = [&](float x) {
          return (b == 0 || x > feature.edges[b - 1]) &&
                 (b == feature.edges.size() || x <= feature.edges[b]);
        };
        CHECK(feature.counts[b] ==
              static_cast<std::uint64_t>(std::count_if(values.begin(), values.end(), is_in)));
      }
    }
  }
}

TEST_CASE("of many documents a sample decides the bins, and all are counted") {
  Rng rng(93);
  RawData raw;
  for (std::size_t row = 0; row < 25000; ++row) {
    raw.features.push_back(static_cast<float>(rng.Below(1U << 20)));
    raw.grades.push_back(0.0);
    raw.queries.push_back(static_cast<QueryId>(row / 50));
  }
  const DataProfile profile = ProfileOf(raw.Make(), Threads{2});
  ValidateProfile(profile, 1);
  REQUIRE(profile.features[0].counts.size() == 10);
  for (const std::uint64_t count : profile.features[0].counts) {
    CHECK(count > 2500 - 300);  // the sample's share is off by 0.003 (one standard error)
    CHECK(count < 2500 + 300);
  }
}

TEST_CASE("infinities of the training data are the largest numbers, and not outside") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  const RawData raw = testing::OneFeature({-infinity, 0.0F, infinity}, {0, 0, 0});
  const Dataset data = raw.Make();
  const DataProfile profile = ProfileOf(data);
  ValidateProfile(profile, 1);
  CHECK(profile.features[0].least == -largest);
  CHECK(profile.features[0].largest == largest);
  const std::vector<BinnedValues> binned = BinValues(profile, data.features());
  CHECK(binned[0].n_outside == 0);
  CHECK(binned[0].counts == profile.features[0].counts);
  CHECK(ProfileOf(testing::OneFeature({-largest, 0.0F, largest}, {0, 0, 0}).Make()) == profile);
}

TEST_CASE("the training data falls into the bins of its own profile, none of it outside") {
  Rng rng(94);
  testing::SmallDataOptions options;
  options.nan_in_100 = 10;
  const RawData raw = testing::SmallData(options, rng);
  const Dataset data = raw.Make();
  const DataProfile profile = ProfileOf(data);
  const std::vector<BinnedValues> binned = BinValues(profile, data.features(), Threads{2});
  for (std::size_t f = 0; f < raw.n_features; ++f) {
    CHECK(binned[f].n_missing == profile.features[f].n_missing);
    CHECK(binned[f].n_outside == 0);
    CHECK(binned[f].counts == profile.features[f].counts);
  }
}

TEST_CASE("values below the least and above the largest are outside, infinities too") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const DataProfile profile{4, {{0, 0.0F, 3.0F, {1.0F}, {2, 2}}, {4, nan, nan, {}, {0}}}};
  const std::vector<float> values = {-0.0F, nan, -1.0F,     1.0F, 3.0F, 0.0F,
                                     4.0F,  nan, -infinity, nan,  nan,  infinity};  // 6 x 2
  const std::vector<BinnedValues> binned = BinValues(profile, {values.data(), 6, 2, 2});
  CHECK(binned[0].n_missing == 1);
  CHECK(binned[0].n_outside == 3);  // -1, 4 and -infinity
  CHECK(binned[0].counts == std::vector<std::uint64_t>{3, 2});
  CHECK(binned[1].n_missing == 3);
  CHECK(binned[1].n_outside == 3);  // nothing was ever there
  CHECK(binned[1].counts == std::vector<std::uint64_t>{3});
}

}  // namespace rankforest
