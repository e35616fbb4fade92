#include "rankforest/criterion/listwise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/naive_ranking.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Documents;
using testing::GainOfMoving;
using testing::GradedRows;

namespace {

RowSample SampleOf(const Documents& documents) {
  RowSample sample;
  for (const auto& document : documents) {
    sample.rows.push_back(document.row);
    sample.counts.push_back(document.count);
  }
  return sample;
}

}  // namespace

TEST_CASE("the gain is what a division adds to expected NDCG") {
  // Grades {1, 0} tie: expected DCG 1/2 + 1/(2 log2 3), ideal 1. Told apart: NDCG is 1.
  const Dataset data = testing::OneFeature({1, 2}, {1, 0}).Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(2));
  Listwise listwise(documents, std::nullopt);
  listwise.BeginTree(rows.node());
  REQUIRE(listwise.Begin(rows.node()));
  const double expected = 0.5 - 0.5 / std::log2(3.0);
  CHECK(GainOfMoving(listwise, {0}) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(GainOfMoving(listwise, {1}) == GainOfMoving(listwise, {0}));
  CHECK(GainOfMoving(listwise, {}) == 0.0);
  CHECK(GainOfMoving(listwise, {0, 1}) == 0.0);
}

TEST_CASE("the gain counts the ranks of documents of other leaves") {
  // Query 0 has the grades {2, 0} in this node and {1} in a leaf of mean 1. As a node of mean 1
  // all three tie; divided, they rank 2, 1, 0.
  testing::RawData raw = testing::OneFeature({1, 2, 3}, {2, 0, 1});
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows all(documents, WholeSample(3));
  RowSample node;
  RowSample leaf;
  for (RowId d = 0; d < 3; ++d) (data.grades()[d] == 1.0 ? leaf : node).rows.push_back(d);
  Listwise listwise(documents, std::nullopt);
  listwise.BeginTree(all.node());
  listwise.Settle(GradedRows(documents, node).node());
  listwise.Settle(GradedRows(documents, leaf).node());
  const GradedRows rows(documents, node);
  REQUIRE(listwise.Begin(rows.node()));
  const double discounts = 1.0 + 1.0 / std::log2(3.0) + 0.5;
  const double ideal = 3.0 + 1.0 / std::log2(3.0);
  const double tied = 4.0 / 3.0 * discounts / ideal;
  CHECK(GainOfMoving(listwise, {0}) == doctest::Approx(1.0 - tied).epsilon(1e-12));
}

TEST_CASE("every division of every node gains what its definition says, in any order of moves") {
  Rng rng(851);
  for (int trial = 0; trial < 150; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 1 + rng.Below(4);
    options.weights_of_queries = trial % 3 == 0;
    options.n_grades = 2 + rng.Below(4);
    const Dataset data = testing::SmallData(options, rng).Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    const RowSample sample = testing::RandomNodeSample(data, rng);
    const std::size_t cutoff = trial % 2 == 0 ? 1 + rng.Below(6) : 1000000;

    // Leaves of random documents, the node that is divided last.
    std::vector<Documents> nodes(1 + rng.Below(5));
    for (const auto& document : testing::DocumentsOf(sample)) {
      nodes[rng.Below(static_cast<std::uint32_t>(nodes.size()))].push_back(document);
    }
    if (nodes.back().size() < 2) continue;
    Listwise listwise(documents, trial % 2 == 0 ? std::optional(static_cast<std::uint32_t>(cutoff))
                                                : std::nullopt);
    listwise.BeginTree(GradedRows(documents, sample).node());
    for (const Documents& node : nodes) {
      if (!node.empty()) listwise.Settle(GradedRows(documents, SampleOf(node)).node());
    }
    const GradedRows rows(documents, SampleOf(nodes.back()));
    REQUIRE(listwise.Begin(rows.node()));
    const testing::GainOf gain_of = testing::NaiveListwise(data, nodes, cutoff);

    // One document after the other, as a sweep does; then back to the start, and in another order.
    std::vector<std::size_t> order(rows.sample.rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    rng.Shuffle(Span<std::size_t>(order));
    listwise.Clear();
    testing::Division division{0, 0.0F, MissingTo::kLeft, {}, nodes.back()};
    std::vector<std::size_t> left;
    for (const std::size_t i : order) {
      const auto moved = std::find_if(division.right.begin(), division.right.end(),
                                      [&](auto& d) { return d.row == rows.sample.rows[i]; });
      division.left.push_back(*moved);
      division.right.erase(moved);
      if (division.right.empty()) break;
      listwise.MoveLeft(i);
      left.push_back(i);
      const double defined = gain_of(division);
      const double gain = listwise.Gain();
      INFO("trial ", trial, ", moved ", left.size());
      CHECK(gain == doctest::Approx(std::max(0.0, defined)).epsilon(1e-9));
    }
    const double gain = listwise.Gain();
    rng.Shuffle(Span<std::size_t>(left));
    CHECK(GainOfMoving(listwise, left) == gain);
  }
}

}  // namespace rankforest
