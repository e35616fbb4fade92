#include "rankforest/core/bin_edges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

using detail::ChooseBins;
using detail::CountValues;
using detail::OrderedBits;
using detail::ValueCount;

namespace {

/// The documents of each bin.
std::vector<std::size_t> Sizes(const FeatureBins& bins, const std::vector<ValueCount>& values) {
  std::vector<std::size_t> sizes(bins.n_bins());
  for (const ValueCount& v : values) sizes[bins.BinOf(v.value)] += v.count;
  return sizes;
}

std::size_t Total(const std::vector<ValueCount>& values) {
  std::size_t total = 0;
  for (const ValueCount& v : values) total += v.count;
  return total;
}

/// The values 0, 1, 2, ... with random counts up to `most`.
std::vector<ValueCount> RandomCounts(std::size_t n, std::uint32_t most, Rng& rng) {
  std::vector<ValueCount> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back({static_cast<float>(i), 1 + rng.Below(most)});
  return values;
}

}  // namespace

TEST_CASE("sorted keys are counted by value, both zeros as one") {
  const std::vector<std::uint32_t> keys = {OrderedBits(-2.0F), OrderedBits(-0.0F),
                                           OrderedBits(0.0F), OrderedBits(7.0F)};
  const std::vector<ValueCount> values = CountValues(keys);
  REQUIRE(values.size() == 3);
  CHECK(values[0].value == -2.0F);
  CHECK(values[1].value == 0.0F);
  CHECK(values[2].value == 7.0F);
  CHECK(values[0].count == 1);
  CHECK(values[1].count == 2);
  CHECK(values[2].count == 1);
  CHECK(CountValues(std::vector<std::uint32_t>{}).empty());
}

TEST_CASE("three values get three bins, with edges in the middle") {
  const std::vector<ValueCount> values = {{1.0F, 3}, {2.0F, 5}, {4.0F, 1}};
  const FeatureBins bins = ChooseBins(values, 0);
  REQUIRE(bins.n_bins() == 3);
  CHECK(bins.BinOf(1.5F) == 0);
  CHECK(bins.BinOf(1.75F) == 1);
  CHECK(bins.BinOf(3.0F) == 1);
  CHECK(bins.BinOf(3.25F) == 2);
}

TEST_CASE("the common bin is the first of those with most documents, or that of NaN") {
  const std::vector<ValueCount> values = {{1.0F, 3}, {2.0F, 5}, {4.0F, 5}};
  CHECK(ChooseBins(values, 0).common() == 1);
  CHECK(ChooseBins(values, 5).common() == 1);
  CHECK(ChooseBins(values, 6).common() == 3);
  CHECK(ChooseBins(std::vector<ValueCount>{}, 9).common() == 1);  // no bin of values has any
}

TEST_CASE("up to 255 values each get a bin of their own, however rare they are") {
  Rng rng(131);
  for (const std::size_t n : {1U, 2U, 16U, 17U, 254U, 255U}) {
    std::vector<ValueCount> values = RandomCounts(n, 3, rng);
    values[n / 2].count = 100000;
    const FeatureBins bins = ChooseBins(values, 0);
    REQUIRE(bins.n_bins() == n);
    for (std::size_t i = 0; i < n; ++i) CHECK(bins.BinOf(values[i].value) == i);
    CHECK(bins.common() == n / 2);
  }
}

TEST_CASE("ten thousand single documents are shared out to the last one") {
  std::vector<ValueCount> values;
  for (int i = 0; i < 10000; ++i) values.push_back({static_cast<float>(i), 1});
  const FeatureBins bins = ChooseBins(values, 0);
  CHECK(bins.n_bins() == 255);
  for (const std::size_t size : Sizes(bins, values)) {
    CHECK(size >= 39);  // 10,000 / 255 = 39.2
    CHECK(size <= 40);
  }
}

TEST_CASE("many light values: no bin is empty or above twice the average") {
  Rng rng(132);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 600 + rng.Below(2000);
    const std::vector<ValueCount> values = RandomCounts(n, 1 + rng.Below(3), rng);
    const std::size_t total = Total(values);
    const FeatureBins bins = ChooseBins(values, 0);
    INFO("trial ", trial);
    CHECK(bins.n_bins() <= FeatureBins::kMost);
    CHECK(bins.n_bins() > FeatureBins::kMost / 2);
    const std::vector<std::size_t> sizes = Sizes(bins, values);
    CHECK(*std::min_element(sizes.begin(), sizes.end()) > 0);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) * FeatureBins::kMost <= 2 * total);
    CHECK(sizes[bins.common()] == *std::max_element(sizes.begin(), sizes.end()));
  }
}

TEST_CASE("a value of very many documents is alone in its bin") {
  Rng rng(133);
  for (const std::size_t place : {0U, 1U, 300U, 598U, 599U}) {
    std::vector<ValueCount> values = RandomCounts(600, 1, rng);
    values[place].count = 5000;
    const FeatureBins bins = ChooseBins(values, 0);
    const std::vector<std::size_t> sizes = Sizes(bins, values);
    INFO("place ", place);
    CHECK(sizes[bins.BinOf(values[place].value)] == 5000);
    CHECK(bins.common() == bins.BinOf(values[place].value));
    CHECK(bins.n_bins() > 250);  // the others have the rest of the bins
  }
}

TEST_CASE("at most 255 bins, none of them empty, and up to 127 heavy values alone in theirs") {
  Rng rng(134);
  int n_with_room = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ValueCount> values = RandomCounts(1 + rng.Below(900), 3, rng);
    const std::uint32_t heavy_in_100 = rng.Below(101);
    for (ValueCount& v : values) {
      if (rng.Below(100) < heavy_in_100) v.count = 1 + rng.Below(2000);
    }
    const FeatureBins bins = ChooseBins(values, 0);
    INFO("trial ", trial);
    CHECK(bins.n_bins() <= FeatureBins::kMost);
    const std::vector<std::size_t> sizes = Sizes(bins, values);
    CHECK(*std::min_element(sizes.begin(), sizes.end()) > 0);
    const std::size_t total = Total(values);
    const auto is_heavy = [&](const ValueCount& v) { return v.count * 255 >= total; };
    if (std::count_if(values.begin(), values.end(), is_heavy) > 127) continue;
    ++n_with_room;
    for (const ValueCount& v : values) {
      if (is_heavy(v)) CHECK(sizes[bins.BinOf(v.value)] == v.count);
    }
  }
  CHECK(n_with_room > 100);
}

}  // namespace rankforest
