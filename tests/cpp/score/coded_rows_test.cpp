#include "rankforest/score/coded_rows.hpp"

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

bool IsNanIn(const CodedRow& row, std::size_t column) {
  return row.nans != nullptr && row.nans[column] == -1;
}

/// What must be held of documents.
void CheckRows(const CodedRows& coded, const std::vector<std::size_t>& rows,
               const std::vector<float>& values) {
  REQUIRE(coded.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float x = values[2 * rows[i]];
    const float y = values[2 * rows[i] + 1];
    CHECK(IsNanIn(coded[i], 0) == (x != x));
    CHECK(IsNanIn(coded[i], 1) == (y != y));
    CHECK((coded[i].nans == nullptr) == (x == x && y == y));
    CHECK(coded[i].codes[0] + 128 == (x == x ? static_cast<int>(x) : 0));  // thresholds below x
    CHECK(coded[i].codes[1] + 128 == (y > 0.0F ? 1 : 0));
  }
}

}  // namespace

TEST_CASE("documents that are kept move up with their codes and their marks") {
  Rng rng(80);
  CodedRows coded;
  for (const std::uint32_t nan_in : {0U, 100U, 3U}) {  // memory is used again
    std::vector<float> values;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 40; ++i) {
      for (int column = 0; column < 2; ++column) {
        const bool is_nan = nan_in != 0 && rng.Below(nan_in) == 0;
        values.push_back(is_nan ? kNaN : static_cast<float>(rng.Below(11)));
      }
      rows.push_back(i);
    }
    coded.Encode(TwoColumns(), 40, [&](std::size_t i) { return values.data() + 2 * i; });
    while (!rows.empty()) {
      CheckRows(coded, rows, values);
      std::vector<std::size_t> places;
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rng.Below(4) == 0) continue;
        places.push_back(i);
        kept.push_back(rows[i]);
      }
      coded.Keep(places);
      rows = kept;
    }
    CHECK(coded.size() == 0);
  }
}

TEST_CASE("there is a code to look at even where no feature has a threshold") {
  CodedRows coded;
  coded.Encode(RankCodes({}), 3, [](std::size_t) { return nullptr; });
  REQUIRE(coded.size() == 3);
  CHECK(coded[0].nans == nullptr);
  CHECK(coded[0].codes != coded[2].codes);
}

}  // namespace rankforest::detail
