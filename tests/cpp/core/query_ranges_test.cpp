#include "rankforest/core/query_ranges.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

std::vector<std::pair<std::size_t, std::size_t>> Ranges(const Dataset& data,
                                                        const RowSample& sample) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const QueryRange& range : QueryRanges(data, sample)) {
    ranges.emplace_back(range.begin, range.end);
  }
  return ranges;
}

}  // namespace

TEST_CASE("ranges are the positions of each query's documents; queries without any have none") {
  testing::RawData raw;
  raw.features = {0, 1, 2, 3, 4, 5, 6};
  raw.grades = {0, 0, 0, 0, 0, 0, 0};
  raw.queries = {9, 9, 9, 9, 9, 9, 9};
  CHECK(Ranges(raw.Make(), {{1, 3, 6}, {}}) ==
        std::vector<std::pair<std::size_t, std::size_t>>{{0, 3}});
  raw.queries = {1, 1, 1, 2, 2, 2, 2};
  const Dataset data = raw.Make();
  const RowId second = data.offsets()[1];  // which of the two comes first is a matter of hashes
  CHECK(Ranges(data, {{0, second, 6}, {}}) ==
        std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 3}});
  CHECK(Ranges(data, {{second, 6}, {}}) ==
        std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}});
  CHECK(Ranges(data, {}).empty());
}

TEST_CASE("ranges cover a random sample, query by query") {
  Rng rng(111);
  for (int trial = 0; trial < 50; ++trial) {
    const Dataset data = testing::SmallData({}, rng).Make();
    const auto n = static_cast<std::uint32_t>(data.n_documents());
    const RowSample sample{rng.Sample(n, rng.Below(n + 1)), {}};
    std::vector<std::size_t> query_of(n);
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) query_of[d] = q;
    }
    std::vector<std::pair<std::size_t, std::size_t>> expected;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      if (i == 0 || query_of[sample.rows[i]] != query_of[sample.rows[i - 1]]) {
        expected.emplace_back(i, i);
      }
      ++expected.back().second;
    }
    CHECK(Ranges(data, sample) == expected);
  }
}

}  // namespace rankforest
