#include "rankforest/core/binning.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"

namespace rankforest {

using testing::DistinctValues;
using testing::FewValues;
using testing::FromColumns;
using testing::kNaN;
using testing::ManyValues;
using testing::RawData;
using testing::Values;

namespace {

/// Checks the bins of a feature against a look at every document.
void CheckBins(const BinnedColumn& column, const Dataset& data, FeatureId feature) {
  const FeatureBins& bins = column.bins;
  REQUIRE(column.codes.size() == data.n_documents());
  for (RowId d = 0; d < data.n_documents(); ++d) {
    REQUIRE(column.codes[d] == bins.BinOf(data.Features(d)[feature]));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Values lowest(bins.n_bins(), kInfinity);
  Values highest(bins.n_bins(), -kInfinity);
  bool has_missing = false;
  for (RowId d = 0; d < data.n_documents(); ++d) {
    const float value = data.Features(d)[feature] + 0.0F;
    if (std::isnan(value)) {
      has_missing = true;
      continue;
    }
    const Bin bin = bins.BinOf(value);
    REQUIRE(bin < bins.n_bins());
    lowest[bin] = std::min(lowest[bin], value);
    highest[bin] = std::max(highest[bin], value);
  }
  CHECK(bins.has_missing() == has_missing);
  CHECK(bins.common() < bins.n_codes());
  for (std::size_t b = 0; b < bins.n_bins(); ++b) {
    REQUIRE(bins.Lowest(b) == lowest[b]);
    REQUIRE(bins.Highest(b) == highest[b]);
    REQUIRE_FALSE(std::signbit(bins.Lowest(b)) != std::signbit(lowest[b]));
  }
  const std::size_t n_values = DistinctValues(data, feature).size();
  CHECK(bins.n_bins() <= FeatureBins::kMost);
  if (n_values > FeatureBins::kMost) return;
  CHECK(bins.n_bins() == std::max<std::size_t>(1, n_values));
  CHECK(bins.is_constant() == (n_values + (has_missing ? 1U : 0U) < 2));
}

void CheckSame(const BinnedColumn& of_a, const BinnedColumn& of_b) {
  const FeatureBins& a = of_a.bins;
  const FeatureBins& b = of_b.bins;
  REQUIRE(a.n_bins() == b.n_bins());
  CHECK(a.has_missing() == b.has_missing());
  CHECK(a.common() == b.common());
  for (std::size_t bin = 0; bin < a.n_bins(); ++bin) {
    CHECK(a.Lowest(bin) == b.Lowest(bin));
    CHECK(a.Highest(bin) == b.Highest(bin));
    const float between = bin == 0 ? a.Lowest(0) : (a.Highest(bin - 1) + a.Lowest(bin)) / 2.0F;
    CHECK(a.BinOf(between) == b.BinOf(between));
  }
}

/// Columns of every kind, `n` documents.
std::vector<Values> AllKinds(std::size_t n, Rng& rng) {
  Values constant(n, 3.0F);
  Values missing(n, kNaN);
  Values almost_missing(n, kNaN);
  almost_missing[n / 3] = -0.0F;
  Values sparse(n, 0.0F);
  Values rare(n, 1.0F);
  for (std::size_t i = 0; i < n; i += 7) sparse[i] = static_cast<float>(rng.Uniform());
  for (std::size_t i = 0; i < n; i += 50) rare[i] = static_cast<float>(i);
  return {FewValues(n, 5, 10, rng),
          ManyValues(n, rng),
          constant,
          missing,
          almost_missing,
          sparse,
          FewValues(n, 300, 0, rng),
          rare};
}

}  // namespace

TEST_CASE("few values get a bin each; a bin knows its values, the common one and NaN") {
  Rng rng(151);
  const Dataset data =
      FromColumns({{4, -0.0F, 4, 0, 4, -7}, {kNaN, 1, kNaN, kNaN, 2, kNaN}}, rng).Make();
  const std::vector<BinnedColumn> columns = BinFeatures(data, Threads{1});
  REQUIRE(columns.size() == 2);
  REQUIRE(columns[0].bins.n_bins() == 3);
  CHECK(columns[0].bins.Lowest(0) == -7.0F);
  CHECK(columns[0].bins.Highest(0) == -7.0F);
  CHECK(columns[0].bins.Lowest(1) == 0.0F);
  CHECK_FALSE(std::signbit(columns[0].bins.Lowest(1)));
  CHECK_FALSE(std::signbit(columns[0].bins.Highest(1)));
  CHECK(columns[0].bins.Highest(2) == 4.0F);
  CHECK(columns[0].bins.common() == 2);
  CHECK_FALSE(columns[0].bins.has_missing());
  CHECK(columns[1].bins.n_bins() == 2);
  CHECK(columns[1].bins.has_missing());
  CHECK(columns[1].bins.common() == columns[1].bins.missing_code());
}

TEST_CASE("bins hold what they say they hold, and every value of few has its own") {
  Rng rng(152);
  for (const std::size_t n : {1U, 40U, 255U, 1000U, 5000U}) {
    const Dataset data = FromColumns(AllKinds(n, rng), rng).Make();
    const std::vector<BinnedColumn> columns = BinFeatures(data, Threads{2});
    for (FeatureId f = 0; f < columns.size(); ++f) {
      INFO(n, " documents, feature ", f);
      CheckBins(columns[f], data, f);
    }
  }
}

TEST_CASE("a sample of any size misses no value of a feature of few") {
  Rng rng(153);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 2 + rng.Below(600);
    const Dataset data = FromColumns(AllKinds(n, rng), rng).Make();
    const std::size_t n_sampled = 1 + rng.Below(static_cast<std::uint32_t>(n));
    const std::vector<BinnedColumn> columns = detail::Binner(data, Threads{1}, n_sampled).Columns();
    for (FeatureId f = 0; f < columns.size(); ++f) {
      INFO("trial ", trial, ", ", n_sampled, " of ", n, " documents, feature ", f);
      CheckBins(columns[f], data, f);
    }
  }
}

TEST_CASE("values that a sample of nothing but NaN does not show get bins, too") {
  Values values(100, kNaN);
  values[3] = 1.0F;
  values[50] = 2.0F;
  values[51] = 2.5F;
  Rng rng(154);
  int unseen = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Dataset data = FromColumns({FewValues(100, 9, 0, rng), values}, rng).Make();
    unseen += std::isnan(data.Features(0)[1]) ? 1 : 0;
    const std::vector<BinnedColumn> columns = detail::Binner(data, Threads{1}, 1).Columns();
    CheckBins(columns[1], data, 1);
    CHECK(columns[1].bins.n_bins() == 3);
  }
  CHECK(unseen > 10);
}

TEST_CASE("of 70,000 documents the strangers to the sample get bins while there is room") {
  constexpr std::size_t kDocuments = 70000;
  Rng rng(155);
  std::vector<Values> values(2, FewValues(kDocuments, 3, 0, rng));
  for (std::size_t i = 0; i < 250; ++i) values[0][i * 200] = 10.0F + static_cast<float>(i);
  for (std::size_t i = 0; i < 261; ++i) values[1][i * 200] = 10.0F + static_cast<float>(i);
  const Dataset data = FromColumns(values, rng).Make();
  std::set<float> seen_0;
  std::set<float> seen_1;
  for (std::size_t i = 0; i < detail::Binner::kSample; ++i) {
    const auto document = static_cast<RowId>(i * kDocuments / detail::Binner::kSample);
    seen_0.insert(data.Features(document)[0]);
    seen_1.insert(data.Features(document)[1]);
  }
  REQUIRE(seen_0.size() < 253);   // strangers, and room for them
  REQUIRE(seen_1.size() <= 255);  // strangers, too many of them: 264 values
  const std::vector<BinnedColumn> columns = BinFeatures(data, Threads{2});
  CheckBins(columns[0], data, 0);
  CheckBins(columns[1], data, 1);
  CHECK(columns[0].bins.n_bins() == 253);
  CHECK(columns[1].bins.n_bins() == seen_1.size());
}

TEST_CASE("neither threads nor the order of rows change a bin") {
  Rng rng(156);
  const RawData raw = FromColumns(AllKinds(9000, rng), rng);
  const Dataset data = raw.Make();
  const Dataset shuffled = raw.Take(testing::ShuffledRows(9000, rng)).Make();
  for (const std::size_t n_sampled : {500U, 20000U}) {
    const std::vector<BinnedColumn> expected =
        detail::Binner(data, Threads{1}, n_sampled).Columns();
    for (int threads = 2; threads <= 3; ++threads) {
      const auto same = detail::Binner(data, Threads{threads}, n_sampled).Columns();
      for (std::size_t f = 0; f < expected.size(); ++f) CheckSame(same[f], expected[f]);
    }
    const auto same = detail::Binner(shuffled, Threads{1}, n_sampled).Columns();
    for (std::size_t f = 0; f < expected.size(); ++f) CheckSame(same[f], expected[f]);
  }
}

}  // namespace rankforest
