#include "rankforest/core/row_sample.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest {

TEST_CASE("a sample without counts holds every row once") {
  const RowSample sample{{2, 5, 6}, {}};
  CHECK(sample.size() == 3);
  CHECK(sample.Count(1) == 1);
}

TEST_CASE("the size of a sample counts repeats") {
  const RowSample sample{{2, 5, 6}, {1, 4, 2}};
  CHECK(sample.size() == 7);
  CHECK(sample.Count(1) == 4);
  CHECK(RowSample{{0, 1}, {4294967295U, 4294967295U}}.size() == 8589934590U);
}

TEST_CASE("the whole sample holds all rows in order") {
  CHECK(WholeSample(4).rows == std::vector<RowId>{0, 1, 2, 3});
  CHECK(WholeSample(4).size() == 4);
  CHECK(WholeSample(0).rows.empty());
}

}  // namespace rankforest
