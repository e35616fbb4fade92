#include "rankforest/tree/refined_column.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::kNaN;
using Stats = Newton::Stats;

TEST_CASE("bins that are looked into have a cell for each value, the others one, empty ones none") {
  // Documents 0 to 6; bins {1, 2}, {5, 6}, {8}, and NaN. The node has all documents but 3, twice 4.
  const PresortedColumn values = testing::MakeColumn({2, 1, 5, 6, 1, kNaN, 8});
  BinContents contents;
  contents.end_code = {2, 4, 5};
  contents.documents = {1, 4, 0, 2, 3, 6};
  contents.is_new = {1, 0, 1, 1, 1, 1};
  contents.first = {0, 3, 5, 6};
  testing::NodeDocuments node;
  for (const RowId row : {0U, 1U, 2U, 4U, 5U}) {
    node.rows.push_back(row);
    node.targets.push_back({1 << row, 1});
    node.counts.push_back(row == 4 ? 2 : 1);
  }
  TargetsByDocument targets(7);
  targets.Note(node.node(), 6);
  const std::vector<Stats> bins = {{1 + 2 + 32, 4, 4}, {4, 1, 1}, {}, {32, 1, 1}};
  RefinedScratch scratch;
  const auto check = [&](const std::vector<std::uint8_t>& is_fine, const std::vector<Code>& codes,
                         const std::vector<Stats>& cells) {
    const RefinedColumn column(values, contents, bins.data(), is_fine.data(), targets, 6, scratch);
    REQUIRE(column.cells().size() == cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      CHECK(column.CodeOf(c) == codes[c]);
      CHECK(Equal(column.cells()[c], cells[c]));
    }
    CHECK(Equal(column.missing(), {32, 1, 1}));
    CHECK(column.Highest(1) == 2.0F);
    CHECK(column.Lowest(4) == 8.0F);
  };
  check({0, 0, 0}, {1, 3}, {{35, 4, 4}, {4, 1, 1}});
  check({1, 0, 0}, {0, 1, 3}, {{34, 3, 3}, {1, 1, 1}, {4, 1, 1}});
  check({0, 1, 1}, {1, 2, 3}, {{35, 4, 4}, {4, 1, 1}, {}});
}

}  // namespace rankforest
