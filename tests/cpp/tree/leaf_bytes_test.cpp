#include "rankforest/tree/leaf_bytes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

using detail::LeafBytes;

namespace {

std::vector<RowId> UnsureOf(const std::vector<std::uint8_t>& answers, std::size_t first) {
  std::vector<RowId> unsure(answers.size());
  unsure.resize(LeafBytes::FindUnsure(answers, first, unsure.data()));
  return unsure;
}

}  // namespace

TEST_CASE("documents that are unsure of their leaf, by hand") {
  CHECK(UnsureOf({}, 5).empty());
  CHECK(UnsureOf({255}, 5) == std::vector<RowId>{5});
  CHECK(UnsureOf({0, 254, 127, 128, 1, 2, 3, 4, 5}, 0).empty());
  CHECK(UnsureOf({0, 255, 254, 9, 9, 9, 9, 255, 9, 9, 255}, 100) ==
        std::vector<RowId>{101, 107, 110});
}

TEST_CASE("all of them are found, in order, wherever they are in a block") {
  Rng rng(712);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::uint8_t> answers(1 + rng.Below(LeafBytes::kBlock));
    const std::uint32_t one_in = 1 + rng.Below(40);
    std::vector<RowId> expected;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i] = static_cast<std::uint8_t>(rng.Below(one_in) == 0 ? 255 : rng.Below(256));
      if (answers[i] == LeafBytes::kUnsure) expected.push_back(static_cast<RowId>(1000 + i));
    }
    CHECK(UnsureOf(answers, 1000) == expected);
  }
}

}  // namespace rankforest
