#include "rankforest/core/node_rows.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace rankforest {

TEST_CASE("documents without counts were drawn once") {
  const std::vector<RowId> rows = {2, 5, 9};
  const std::vector<int> targets = {7, 8, 9};
  const std::vector<std::uint32_t> counts = {1, 3, 2};
  const NodeRows<int> once{rows, targets, {}};
  const NodeRows<int> often{rows, targets, counts};
  CHECK(once.size() == 3);
  CHECK(once.Count(1) == 1);
  CHECK(often.Count(1) == 3);
  CHECK(NodeRows<int>().size() == 0);
}

}  // namespace rankforest
