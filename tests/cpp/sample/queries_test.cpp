#include "rankforest/sample/queries.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/sample/rows.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

/// How many documents of each query a sample of distinct rows holds.
std::vector<std::size_t> CountsByQuery(const Dataset& data, const RowSample& sample) {
  std::vector<std::size_t> counts(data.n_queries());
  std::size_t q = 0;
  for (const RowId row : sample.rows) {
    while (row >= data.offsets()[q + 1]) ++q;
    ++counts[q];
  }
  return counts;
}

Dataset Twelve() {
  Rng rng(401);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  return testing::SmallData(options, rng).Make();
}

}  // namespace

TEST_CASE("a sample of queries holds whole queries, as many as the fraction says") {
  const Dataset data = Twelve();
  const RowSample all = WholeSample(data.n_documents());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RowSample sample = SubsampleQueries{0.67}.Draw(data, all, Rng(seed));
    CHECK(sample.counts.empty());
    std::size_t drawn = 0;
    const std::vector<std::size_t> counts = CountsByQuery(data, sample);
    for (std::size_t q = 0; q < counts.size(); ++q) {
      const std::size_t size = data.offsets()[q + 1] - data.offsets()[q];
      CHECK((counts[q] == 0 || counts[q] == size));
      drawn += counts[q] > 0 ? 1U : 0U;
    }
    CHECK(drawn == 8);  // 8.04
  }
  CHECK(SubsampleQueries{1.0}.Draw(data, all, Rng(1)).rows == all.rows);
  CHECK(CountsByQuery(data, SubsampleQueries{1e-6}.Draw(data, all, Rng(1))).size() == 12);
  CHECK_FALSE(SubsampleQueries{1e-6}.Draw(data, all, Rng(1)).rows.empty());
}

TEST_CASE("every query is drawn as often, long or short") {
  const Dataset data = Twelve();
  constexpr std::uint64_t kDraws = 4000;
  std::vector<double> drawn(12);
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const RowSample sample =
        SubsampleQueries{0.5}.Draw(data, WholeSample(data.n_documents()), Rng(seed));
    const std::vector<std::size_t> counts = CountsByQuery(data, sample);
    for (std::size_t q = 0; q < 12; ++q) drawn[q] += counts[q] > 0 ? 1.0 : 0.0;
  }
  // 2000 expected; without replacement the statistic is 11 / 12 x chi-square with 11 degrees of
  // freedom, in units of the variance 1000: 37.4 is exceeded with probability 1e-4.
  double chi_square = 0.0;
  for (const double count : drawn) chi_square += (count - 2000) * (count - 2000) / 1000;
  CHECK(chi_square < 37.4);
}

TEST_CASE("queries are drawn among those that the rows are of, with the rows that are there") {
  const Dataset data = Twelve();
  RowSample from = SubsampleRows{0.3}.Draw(data, WholeSample(data.n_documents()), Rng(5));
  const std::vector<std::size_t> given = CountsByQuery(data, from);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RowSample sample = SubsampleQueries{0.5}.Draw(data, from, Rng(seed));
    const std::vector<std::size_t> counts = CountsByQuery(data, sample);
    for (std::size_t q = 0; q < counts.size(); ++q) {
      CHECK((counts[q] == 0 || counts[q] == given[q]));
    }
  }
}

}  // namespace rankforest
