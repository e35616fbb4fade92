#include "rankforest/core/queries.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

TEST_CASE("rows are grouped by query, ascending in both") {
  const std::vector<QueryId> codes = {3, 1, 3, 0, 1, 3};
  const QueryGroups groups = GroupByQuery(codes);
  CHECK(groups.codes == std::vector<QueryId>{0, 1, 3});
  CHECK(groups.offsets == std::vector<RowId>{0, 1, 3, 6});
  CHECK(groups.rows == std::vector<RowId>{3, 1, 4, 0, 2, 5});
}

TEST_CASE("no rows make no groups") {
  const QueryGroups groups = GroupByQuery({});
  CHECK(groups.size() == 0);
  CHECK(groups.offsets == std::vector<RowId>{0});
}

TEST_CASE("any codes are grouped, the largest ones too") {
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t n_rows = 1 + rng.Below(40);
    // Shifted to the top of the range in odd trials, where they cannot be counted in an array.
    const QueryId shift = trial % 2 == 0 ? 0U : 0xFFFFFFFFU - 9U;
    std::vector<QueryId> codes;
    std::map<QueryId, std::vector<RowId>> expected;
    for (RowId row = 0; row < n_rows; ++row) {
      codes.push_back(shift + rng.Below(10));
      expected[codes.back()].push_back(row);
    }
    const QueryGroups groups = GroupByQuery(codes);
    REQUIRE(groups.size() == expected.size());
    std::size_t query = 0;
    for (const auto& [code, rows] : expected) {
      CHECK(groups.codes[query] == code);
      const Span<const RowId> found = groups.RowsOf(query++);
      CHECK(std::vector<RowId>(found.begin(), found.end()) == rows);
    }
  }
}

}  // namespace rankforest
