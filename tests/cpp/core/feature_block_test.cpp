#include "rankforest/core/feature_block.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::FromColumns;
using testing::Values;

namespace {

Values ToVector(Span<const float> column) { return {column.begin(), column.end()}; }

}  // namespace

TEST_CASE("a block has the columns of the documents that it is asked for, in that order") {
  Rng rng(141);
  const Dataset data = FromColumns({{1, 2, 3}, {10, 20, 30}, {100, 200, 300}}, rng).Make();
  std::vector<RowId> document_of(3);  // caller's row -> document
  for (RowId d = 0; d < 3; ++d) document_of[data.order()[d]] = d;
  detail::FeatureBlock block;
  const std::vector<RowId> asked = {document_of[2], document_of[0], document_of[2], document_of[1]};
  block.Load(data, 1, 3, asked.size(), [&](std::size_t i) { return asked[i]; });
  CHECK(ToVector(block.Column(0)) == Values{30, 10, 30, 20});
  CHECK(ToVector(block.Column(1)) == Values{300, 100, 300, 200});
}

TEST_CASE("in a block infinities are the largest numbers, and NaN stays NaN") {
  Rng rng(143);
  constexpr float kLargest = std::numeric_limits<float>::max();
  const Dataset data =
      FromColumns({{testing::kInf, -testing::kInf, testing::kNaN, 3, -0.0F, kLargest}}, rng).Make();
  std::vector<RowId> document_of(6);  // caller's row -> document
  for (RowId d = 0; d < 6; ++d) document_of[data.order()[d]] = d;
  detail::FeatureBlock block;
  block.Load(data, 0, 1, 6, [&](std::size_t i) { return document_of[i]; });
  const Values column = ToVector(block.Column(0));
  CHECK(column[0] == kLargest);
  CHECK(column[1] == -kLargest);
  CHECK(std::isnan(column[2]));
  CHECK(Values(column.begin() + 3, column.end()) == Values{3, 0, kLargest});
}

TEST_CASE("a block may be loaded again, with more or fewer documents and features") {
  Rng rng(142);
  constexpr std::size_t kFeatures = 21;
  std::vector<Values> columns;
  for (std::size_t f = 0; f < kFeatures; ++f) columns.push_back(testing::FewValues(90, 50, 0, rng));
  const Dataset data = FromColumns(columns, rng).Make();
  detail::FeatureBlock block;
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t first = rng.Below(kFeatures);
    const std::size_t last = first + 1 + rng.Below(static_cast<std::uint32_t>(kFeatures - first));
    std::vector<RowId> asked(rng.Below(40));
    for (RowId& document : asked) document = rng.Below(90);
    block.Load(data, first, last, asked.size(), [&](std::size_t i) { return asked[i]; });
    INFO("trial ", trial);
    for (std::size_t f = first; f < last; ++f) {
      Values expected;
      for (const RowId document : asked) expected.push_back(data.Features(document)[f]);
      CHECK(ToVector(block.Column(f - first)) == expected);
    }
  }
}

}  // namespace rankforest
