#include "rankforest/core/presorted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::kNaN;
using testing::OneFeature;
using testing::RawData;

namespace {

/// The code that a document must have: the number of distinct smaller values of its feature.
Code NaiveCode(const Dataset& data, FeatureId feature, RowId document) {
  const float value = data.Features(document)[feature];
  std::set<float> smaller;
  for (RowId d = 0; d < data.n_documents(); ++d) {
    const float other = data.Features(d)[feature];
    if (std::isnan(value) ? !std::isnan(other) : other < value) smaller.insert(other + 0.0F);
  }
  return static_cast<Code>(smaller.size());
}

}  // namespace

TEST_CASE("a column holds its distinct values in order and every document's rank among them") {
  const std::vector<float> features = {3.0F, -1.5F, kNaN, 3.0F, -0.0F, 0.0F, 1e-45F, -2e38F};
  const std::vector<double> grades(8, 0.0);
  const Dataset data = OneFeature(features, grades).Make();
  const Presorted presorted(data, Threads{1});
  REQUIRE(presorted.n_features() == 1);
  const PresortedColumn& column = presorted.column(0);
  CHECK(column.values == std::vector<float>{-2e38F, -1.5F, 0.0F, 1e-45F, 3.0F});
  CHECK(column.has_missing);
  CHECK(column.missing_code() == 5);
  const std::vector<Code> by_row = {4, 1, 5, 4, 2, 2, 3, 0};
  for (std::size_t d = 0; d < 8; ++d) CHECK(column.codes[d] == by_row[data.order()[d]]);
}

TEST_CASE("-0.0 and 0.0 are one value, whose sign is plus") {
  const Dataset data = OneFeature({-0.0F, -0.0F}, {0, 1}).Make();
  const Presorted presorted(data, Threads{1});
  REQUIRE(presorted.column(0).values.size() == 1);
  CHECK_FALSE(std::signbit(presorted.column(0).values[0]));
}

TEST_CASE("a column that no split can use is constant") {
  const auto is_constant = [](std::vector<float> features) {
    const Dataset data = OneFeature(std::move(features), {0, 1, 2}).Make();
    return Presorted(data, Threads{1}).column(0).is_constant();
  };
  CHECK(is_constant({2.0F, 2.0F, 2.0F}));
  CHECK(is_constant({0.0F, -0.0F, 0.0F}));
  CHECK(is_constant({kNaN, kNaN, kNaN}));
  CHECK_FALSE(is_constant({2.0F, 2.0F, kNaN}));
  CHECK_FALSE(is_constant({2.0F, 2.0F, std::nextafter(2.0F, 3.0F)}));
}

TEST_CASE("codes count the smaller values, on random columns and for any number of threads") {
  Rng rng(101);
  for (int trial = 0; trial < 20; ++trial) {
    testing::SmallDataOptions options;
    options.n_features = 1 + rng.Below(40);  // more than one block of columns
    options.nan_in_100 = rng.Below(3) * 15;
    const Dataset data = testing::SmallData(options, rng).Make();
    const Presorted presorted(data, Threads{1 + static_cast<int>(rng.Below(3))});
    REQUIRE(presorted.n_features() == options.n_features);
    for (FeatureId f = 0; f < options.n_features; ++f) {
      const PresortedColumn& column = presorted.column(f);
      CHECK(std::is_sorted(column.values.begin(), column.values.end()));
      for (RowId d = 0; d < data.n_documents(); ++d) {
        const float value = data.Features(d)[f];
        INFO("trial ", trial, " feature ", f, " document ", d);
        REQUIRE(column.codes[d] == NaiveCode(data, f, d));
        if (std::isnan(value)) {
          CHECK(column.has_missing);
          CHECK(column.codes[d] == column.missing_code());
        } else {
          CHECK(column.values[column.codes[d]] == value);
        }
      }
    }
  }
}

}  // namespace rankforest
