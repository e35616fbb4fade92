#include "rankforest/sample/rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/small_data.hpp"

namespace rankforest {

namespace {

const Dataset& AnyData() {
  static const Dataset data = testing::OneFeature({1, 2, 3}, {0, 1, 2}).Make();
  return data;
}

/// Every other number from 1 on: samplers take rows as they come.
RowSample Odd(std::uint32_t n) {
  RowSample sample = WholeSample(n);
  for (RowId& row : sample.rows) row = 2 * row + 1;
  return sample;
}

bool IsAscending(const std::vector<RowId>& rows) {
  return std::is_sorted(rows.begin(), rows.end(), std::less_equal<>());
}

bool AllOdd(const std::vector<RowId>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](RowId row) { return row % 2 == 1; });
}

}  // namespace

TEST_CASE("a fraction is rounded to the nearest count, and is at least one") {
  CHECK(FractionOf(0.5, 10) == 5);
  CHECK(FractionOf(0.5, 11) == 6);
  CHECK(FractionOf(0.24, 10) == 2);
  CHECK(FractionOf(0.26, 10) == 3);
  CHECK(FractionOf(1.0, 7) == 7);
  CHECK(FractionOf(0.001, 7) == 1);
  CHECK(FractionOf(0.67, 100) == 67);
}

TEST_CASE("all rows are all rows") {
  const RowSample sample = AllRows().Draw(AnyData(), Odd(5), Rng(1));
  CHECK(AllRows::draws_all());
  CHECK(sample.rows == std::vector<RowId>{1, 3, 5, 7, 9});
  CHECK(sample.counts.empty());
}

TEST_CASE("a bootstrap draws its fraction of the documents with replacement") {
  for (const double fraction : {0.1, 0.5, 1.0}) {
    const RowSample sample = Bootstrap{fraction}.Draw(AnyData(), Odd(200), Rng(2));
    INFO(fraction);
    CHECK(sample.size() == FractionOf(fraction, 200));
    REQUIRE(sample.counts.size() == sample.rows.size());
    CHECK(*std::min_element(sample.counts.begin(), sample.counts.end()) == 1);
    CHECK(IsAscending(sample.rows));
    CHECK(AllOdd(sample.rows));
    CHECK(sample.rows.back() < 400);
  }
}

TEST_CASE("a bootstrap leaves out a document with probability 1 / e, and draws each as often") {
  constexpr std::uint32_t kDocuments = 50;
  constexpr std::uint64_t kDraws = 2000;
  std::vector<double> drawn(kDocuments);
  std::uint64_t left_out = 0;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const RowSample sample = Bootstrap{}.Draw(AnyData(), WholeSample(kDocuments), Rng(seed));
    left_out += kDocuments - sample.rows.size();
    for (std::size_t i = 0; i < sample.rows.size(); ++i) drawn[sample.rows[i]] += sample.counts[i];
  }
  // (1 - 1/50)^50 = 0.3642; the standard deviation of the mean share is 0.0010.
  const double share = static_cast<double>(left_out) / (kDraws * kDocuments);
  CHECK(std::abs(share - 0.3642) < 0.005);
  // Chi-square with 49 degrees of freedom: 94.0 is exceeded with probability 1e-4.
  double chi_square = 0.0;
  for (const double count : drawn) chi_square += (count - kDraws) * (count - kDraws) / kDraws;
  CHECK(chi_square < 94.0);
}

TEST_CASE("a subsample draws its fraction of the documents without replacement") {
  for (const double fraction : {0.1, 0.5, 1.0}) {
    const RowSample sample = SubsampleRows{fraction}.Draw(AnyData(), Odd(200), Rng(3));
    INFO(fraction);
    CHECK(sample.rows.size() == FractionOf(fraction, 200));
    CHECK(sample.counts.empty());
    CHECK(IsAscending(sample.rows));
    CHECK(AllOdd(sample.rows));
  }
  CHECK(SubsampleRows{1.0}.Draw(AnyData(), Odd(9), Rng(4)).rows == Odd(9).rows);
}

TEST_CASE("a subsample draws every document as often, and every pair") {
  constexpr std::uint32_t kDocuments = 12;
  constexpr std::uint64_t kDraws = 6000;
  std::vector<double> pairs(kDocuments * kDocuments);
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const RowSample sample =
        SubsampleRows{1.0 / 3.0}.Draw(AnyData(), WholeSample(kDocuments), Rng(seed));
    REQUIRE(sample.rows.size() == 4);
    for (const RowId a : sample.rows) {
      for (const RowId b : sample.rows) pairs[a * kDocuments + b] += 1.0;
    }
  }
  for (std::uint32_t a = 0; a < kDocuments; ++a) {
    for (std::uint32_t b = 0; b < kDocuments; ++b) {
      // 4 of 12, or 4 x 3 of 12 x 11; the standard deviations are 37 and 22.
      const double expected = a == b ? kDraws / 3.0 : kDraws / 11.0;
      CHECK(std::abs(pairs[a * kDocuments + b] - expected) < 5 * (a == b ? 37 : 22));
    }
  }
}

TEST_CASE("a draw is a function of the stream") {
  const RowSample from = WholeSample(100);
  const auto rows = [&](std::uint64_t seed) {
    return Bootstrap{}.Draw(AnyData(), from, Rng(seed)).rows;
  };
  CHECK(rows(7) == rows(7));
  CHECK(rows(7) != rows(8));
}

}  // namespace rankforest
