#include "rankforest/tree/histogram_column.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using Stats = Newton::Stats;

TEST_CASE("a column of a histogram has a cell for each bin, and NaN aside") {
  FeatureBins bins({1.0F, 5.0F}, 0);
  bins.Widen(0, -2.0F, 1.0F);
  bins.Widen(1, 2.0F, 4.0F);
  bins.Widen(2, 6.0F, 7.0F);
  const std::vector<Stats> cells = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}};
  const HistogramColumn without(bins, cells.data());
  CHECK(without.cells().size() == 3);
  CHECK(Equal(without.missing(), {}));
  CHECK(without.CodeOf(2) == 2);
  CHECK(without.Lowest(1) == 2.0F);
  CHECK(without.Highest(0) == 1.0F);
  bins.NoteMissing();
  const HistogramColumn with(bins, cells.data());
  CHECK(with.cells().size() == 3);
  CHECK(Equal(with.missing(), {4, 4, 4}));
}

}  // namespace rankforest
