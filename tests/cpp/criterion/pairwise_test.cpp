#include "rankforest/criterion/pairwise.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/naive_ranking.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::GainOfMoving;
using testing::GradedRows;

namespace {

/// Rows of the caller -> positions in canonical order.
std::vector<std::size_t> PositionsOf(const Dataset& data, const std::vector<RowId>& rows) {
  std::vector<std::size_t> positions;
  for (std::size_t d = 0; d < data.n_documents(); ++d) {
    for (const RowId row : rows) {
      if (data.order()[d] == row) positions.push_back(d);
    }
  }
  return positions;
}

}  // namespace

TEST_CASE("the gain counts the pairs that the side of the larger mean ranks right") {
  // Query 0 has the grades {0, 1, 2, 2}, query 1 {0, 4}. Left: a 0 and a 2 of query 0, the 0 of
  // query 1; means 2/3 and 7/3. Right above left: query 0 has 0 < 1, 0 < 2; query 1 has 0 < 4.
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4, 5, 6}, {0, 1, 2, 2, 0, 4});
  raw.queries = {0, 0, 0, 0, 1, 1};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(6));
  const auto gain = [&](PairWeight weight, const std::vector<RowId>& left) {
    Pairwise pairwise(documents, weight);
    REQUIRE(pairwise.Begin(rows.node()));
    return GainOfMoving(pairwise, PositionsOf(data, left));
  };
  CHECK(gain(PairWeight::kOne, {0, 2, 4}) == 3.0);
  CHECK(gain(PairWeight::kDifference, {0, 2, 4}) == 1.0 + 2.0 + 4.0);
  // The other way round: the left side is above, the pairs are the same.
  CHECK(gain(PairWeight::kOne, {1, 3, 5}) == 3.0);
  // {0, 2} of query 0 and {1, 2, 0, 4}: means 1 and 7/4; 0 < 1 and 0 < 2.
  CHECK(gain(PairWeight::kDifference, {0, 2}) == 1.0 + 2.0);
  CHECK(gain(PairWeight::kOne, {}) == 0.0);
}

TEST_CASE("with equal means the pairs of the left side count") {
  // {0, 2} and {1}: 2 > 1 on the left, 1 > 0 on the right.
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 3, 1, 2});
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(4));
  Pairwise pairwise(documents, PairWeight::kOne);
  REQUIRE(pairwise.Begin(rows.node()));
  CHECK(GainOfMoving(pairwise, PositionsOf(data, {0, 1})) == 2.0);  // 3 > 1, 3 > 2
  Pairwise weighted(documents, PairWeight::kDifference);
  REQUIRE(weighted.Begin(rows.node()));
  CHECK(GainOfMoving(weighted, PositionsOf(data, {0, 1})) == 2.0 + 1.0);
  CHECK(GainOfMoving(weighted, PositionsOf(data, {2, 3})) == 1.0 + 2.0);  // 1 > 0, 2 > 0
}

TEST_CASE("a node without two grades in a query has nothing to gain") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 0, 1, 1});
  raw.queries = {0, 0, 1, 1};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  Pairwise pairwise(documents, PairWeight::kOne);
  CHECK_FALSE(pairwise.Begin(GradedRows(documents, WholeSample(4)).node()));
}

namespace {

/// Random nodes, by both ways of counting, against pair by pair.
template <class Criterion>
void CheckPairByPair(std::uint64_t seed) {
  Rng rng(seed);
  for (int trial = 0; trial < 100; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 1 + rng.Below(6);
    options.weights_of_queries = trial % 2 == 0;
    options.most_documents = trial % 3 == 0 ? 40 : 8;
    options.n_grades = trial % 5 == 0 ? 100 : 5;
    const Dataset data = testing::SmallData(options, rng).Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(data, rng));
    const bool by_difference = rng.Below(2) == 0;
    Criterion pairwise(documents, by_difference ? PairWeight::kDifference : PairWeight::kOne);
    pairwise.BeginTree(rows.node());
    if (!pairwise.Begin(rows.node())) continue;
    std::vector<std::size_t> left;
    testing::Division division;
    for (std::uint32_t i = 0; i < rows.sample.rows.size(); ++i) {
      const bool goes_left = rng.Below(2) == 0;
      if (goes_left) left.push_back(i);
      (goes_left ? division.left : division.right)
          .push_back({rows.sample.rows[i], rows.sample.Count(i)});
    }
    const double gain = GainOfMoving(pairwise, left);
    INFO("trial ", trial);
    CHECK(gain ==
          doctest::Approx(testing::NaivePairs(data, division, by_difference))
              .epsilon(std::is_same_v<Criterion, Pairwise> && options.n_grades > 5 ? 1e-2 : 1e-9));
    rng.Shuffle(Span<std::size_t>(left));
    CHECK(GainOfMoving(pairwise, left) == gain);
  }
}

/// The gain of the documents of grade 1 against as many of grade 0, all of one query.
template <class Criterion>
double GainOfHalves(std::uint32_t n_of_grade, double query_weight, PairWeight weight) {
  testing::RawData raw;
  for (std::uint32_t i = 0; i < 2 * n_of_grade; ++i) {
    raw.features.push_back(static_cast<float>(i));
    raw.grades.push_back(i % 2);
  }
  raw.queries.assign(2 * n_of_grade, 0);
  raw.weights.assign(2 * n_of_grade, query_weight);
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(2 * n_of_grade));
  Criterion pairwise(documents, weight);
  pairwise.BeginTree(rows.node());
  REQUIRE(pairwise.Begin(rows.node()));
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < data.n_documents(); ++i) {
    if (data.grades()[i] == 1.0) left.push_back(i);
  }
  return GainOfMoving(pairwise, left);
}

}  // namespace

TEST_CASE("any order of moves gives the same bits, and they are those of pair by pair") {
  CheckPairByPair<Pairwise>(841);
  CheckPairByPair<PairwiseOnRanks>(841);
}

TEST_CASE("pairs are counted where their weights add up to more than 64 bits hold") {
  for (const std::uint32_t n : {1000U, 40'000U, 100'000U}) {  // 2^63 between 2^31 and 2^32 pairs
    const double pairs = static_cast<double>(n) * n * 0.999;
    for (const PairWeight weight : {PairWeight::kOne, PairWeight::kDifference}) {
      INFO("documents of a grade: ", n);
      CHECK(GainOfHalves<Pairwise>(n, 0.999, weight) == doctest::Approx(pairs).epsilon(1e-5));
      CHECK(GainOfHalves<PairwiseOnRanks>(n, 0.999, weight) ==
            doctest::Approx(pairs).epsilon(1e-5));
    }
  }
}

TEST_CASE("both ways of counting give the same bits where pairs count 1") {
  Rng rng(842);
  for (int trial = 0; trial < 50; ++trial) {
    testing::SmallDataOptions options;
    options.n_grades = 2 + rng.Below(70);
    options.most_documents = 30;
    options.weights_of_queries = trial % 2 == 0;
    const Dataset data = testing::SmallData(options, rng).Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(data, rng));
    Pairwise by_table(documents, PairWeight::kOne);
    PairwiseOnRanks by_ranks(documents, PairWeight::kOne);
    const bool has_pairs = by_table.Begin(rows.node());
    REQUIRE(by_ranks.Begin(rows.node()) == has_pairs);
    if (!has_pairs) continue;
    for (std::size_t i = 0; i < rows.targets.size(); ++i) {
      by_table.MoveLeft(i);
      by_ranks.MoveLeft(i);
      REQUIRE(by_table.Gain() == by_ranks.Gain());
    }
  }
}

}  // namespace rankforest
