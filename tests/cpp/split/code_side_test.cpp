#include "rankforest/split/code_side.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "support/column_data.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::kNaN;

TEST_CASE("codes up to the cut go left, others right, and NaN where it is sent") {
  const PresortedColumn sorted = testing::MakeColumn({5, 1, kNaN, 3, 1});  // values 1 3 5
  BinnedColumn binned;
  binned.bins = FeatureBins({1.5F}, 0);  // 1 and what is above
  binned.codes = {1, 0, 2, 1, 0};
  constexpr MissingTo kLeft = MissingTo::kLeft;
  constexpr MissingTo kRight = MissingTo::kRight;
  for (const MissingTo missing : {kLeft, kRight, MissingTo::kOwn}) {
    const CodeSide<PresortedColumn> by_value{sorted, 1, missing};
    const std::vector<MissingTo> expected = {kRight, kLeft, missing, kLeft, kLeft};
    for (RowId row = 0; row < 5; ++row) CHECK(by_value(row) == expected[row]);
    const CodeSide<BinnedColumn> by_bin{binned, 0, missing};
    const std::vector<MissingTo> expected_by_bin = {kRight, kLeft, missing, kRight, kLeft};
    for (RowId row = 0; row < 5; ++row) CHECK(by_bin(row) == expected_by_bin[row]);
  }
}

}  // namespace rankforest
