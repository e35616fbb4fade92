#include "rankforest/score/coded_blocks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"
#include "support/two_columns.hpp"

namespace rankforest::detail {

using testing::kNaN;
using testing::TwoColumns;

namespace {

int Code(const CodedBlocks& blocks, std::size_t place, std::size_t column) {
  return blocks[place / kBlock].codes[column].values[place % kBlock] + 128;
}

bool IsNan(const CodedBlocks& blocks, std::size_t place, std::size_t column) {
  const BlockBytes* nans = blocks[place / kBlock].nans;
  return nans != nullptr && nans[column].values[place % kBlock] != 0;
}

/// What blocks must hold of documents.
void Check(const CodedBlocks& blocks, const std::vector<std::size_t>& rows,
           const std::vector<float>& values) {
  REQUIRE(blocks.size() == (rows.size() + kBlock - 1) / kBlock);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float x = values[2 * rows[i]];
    const float y = values[2 * rows[i] + 1];
    CHECK(IsNan(blocks, i, 0) == (x != x));
    CHECK(IsNan(blocks, i, 1) == (y != y));
    if (x == x) CHECK(Code(blocks, i, 0) == static_cast<int>(x));  // thresholds below x
    if (y == y) CHECK(Code(blocks, i, 1) == (y > 0.0F ? 1 : 0));
  }
}

}  // namespace

TEST_CASE("documents stand in blocks by their order, and NaN is noted where there is any") {
  std::vector<float> values;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 150; ++i) {
    values.push_back(i == 70 ? kNaN : static_cast<float>(i % 10));
    values.push_back(i % 2 == 0 ? 1.0F : -1.0F);
    rows.push_back(i);
  }
  CodedBlocks blocks;
  blocks.Encode(BestIsa(), TwoColumns(), {values.data(), 150, 2, 2});
  Check(blocks, rows, values);
  CHECK(blocks[0].nans == nullptr);
  CHECK(blocks[1].nans != nullptr);
  CHECK(blocks[2].nans == nullptr);
  blocks.Encode(BestIsa(), TwoColumns(), {values.data(), 0, 2, 2});
  CHECK(blocks.size() == 0);
}

TEST_CASE("documents that are kept move up with their codes and marks") {
  Rng rng(79);
  for (const std::uint32_t nan_in : {0U, 100U, 3U}) {
    std::vector<float> values;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 400; ++i) {
      for (int column = 0; column < 2; ++column) {
        const bool is_nan = nan_in != 0 && rng.Below(nan_in) == 0;
        values.push_back(is_nan ? kNaN : static_cast<float>(rng.Below(11)));
      }
      rows.push_back(i);
    }
    CodedBlocks blocks;
    blocks.Encode(BestIsa(), TwoColumns(), {values.data(), 400, 2, 2});
    while (!rows.empty()) {
      Check(blocks, rows, values);
      std::vector<std::size_t> places;
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rng.Below(4) == 0) continue;
        places.push_back(i);
        kept.push_back(rows[i]);
      }
      blocks.Keep(places);
      rows = kept;
    }
    CHECK(blocks.size() == 0);
  }
}

}  // namespace rankforest::detail
