#include "rankforest/tree/targets_by_document.hpp"

#include <doctest/doctest.h>

#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using Stats = Newton::Stats;

TEST_CASE("a document adds to cells of the node that it was noted for last, and to no other's") {
  testing::NodeDocuments root;
  root.Add({3, 1}, 2);
  root.Add({-4, 2}, 1);
  TargetsByDocument targets(3);
  const auto sum = [&](std::uint32_t node) {
    Stats cell = {100, 0, 0};
    for (RowId document = 0; document < 3; ++document) targets.Add(document, node, cell);
    return cell;
  };
  CHECK(Equal(sum(0), {100, 0, 0}));
  targets.Note(root.node(), 0);
  CHECK(Equal(sum(0), {102, 4, 3}));
  CHECK(Equal(sum(1), {100, 0, 0}));

  testing::NodeDocuments child;
  child.Add({3, 1}, 2);
  targets.Note(child.node(), 1);
  CHECK(Equal(sum(0), {96, 2, 1}));
  CHECK(Equal(sum(1), {106, 2, 2}));

  targets.Begin();
  CHECK(Equal(sum(0), {100, 0, 0}));
  CHECK(Equal(sum(1), {100, 0, 0}));
}

}  // namespace rankforest
