#include "rankforest/criterion/graded.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/entropy.hpp"
#include "rankforest/criterion/grade_variance.hpp"
#include "rankforest/criterion/listwise.hpp"
#include "rankforest/criterion/pairwise.hpp"
#include "support/graded_node.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("documents know their query, their grade's place and their weight") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0.0, 7.5, 2.0, 7.5});
  raw.queries = {3, 9, 9, 3};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  CHECK(std::vector<double>(documents.grades().begin(), documents.grades().end()) ==
        std::vector<double>{0.0, 2.0, 7.5});
  for (RowId d = 0; d < 4; ++d) {
    const GradedTarget& target = documents.targets()[d];
    CHECK(documents.grades()[target.grade] == data.grades()[d]);
    CHECK(target.query == (d < data.offsets()[1] ? 0 : 1));
    CHECK(target.weight == 1);
  }
  CHECK(documents.weight_unit() == 1.0);
}

TEST_CASE("values are the relevance of the grades, to the last bit where they are whole") {
  const Dataset data = testing::OneFeature({1, 2, 3}, {0, 4, 1}).Make();
  for (const Relevance relevance : {Relevance::kGrade, Relevance::kExp2}) {
    const GradedDocuments documents(data, relevance);
    for (std::size_t g = 0; g < 3; ++g) {
      const double value = static_cast<double>(documents.values()[g]) * documents.value_unit();
      CHECK(value == RelevanceOf(documents.grades()[g], relevance));
    }
  }
}

TEST_CASE("weights become whole numbers of a unit") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 1, 2});
  raw.weights = {0.0, 0.75, 2.0, 1.0};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  for (RowId d = 0; d < 4; ++d) {
    CHECK(documents.targets()[d].weight * documents.weight_unit() == data.weights()[d]);
  }
  CHECK(documents.weight_unit() < 1e-5);
}

TEST_CASE("weighted values have room for their sum, whatever the unit of the weights") {
  for (const double largest : {1.0, 600'000.0, 1e-300, 1e30}) {
    testing::RawData raw =
        testing::OneFeature(std::vector<float>(200), std::vector<double>(200, 3.0));
    raw.weights.assign(200, largest);
    const Dataset data = raw.Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    INFO("largest weight ", largest);
    CHECK(documents.weight_bits() == 20);
    const double of_one = static_cast<double>(documents.targets()[0].weight) *
                          static_cast<double>(documents.values()[0]);
    CHECK(200 * of_one < 0x1p62);
    CHECK(documents.values()[0] > 1 << 20);
  }
  CHECK(GradedDocuments(testing::OneFeature({1}, {2}).Make(), Relevance::kGrade).weight_bits() ==
        0);
}

TEST_CASE("targets with the same grade are the same to every criterion") {
  CHECK(GradedTarget{1, 2, 3} == GradedTarget{5, 2, 1});
  CHECK_FALSE(GradedTarget{1, 2, 3} == GradedTarget{1, 1, 3});
}

TEST_CASE("a leaf is the mean of what its gradients fit") {
  CHECK(Graded::LeafValue(-6.0, 4.0) == 1.5);
  CHECK(Graded::LeafValue(0.0, 0.0) == 0.0);
}

TEST_CASE("statistics count documents, repeats included") {
  Graded::Stats stats;
  stats.Add({}, 2);
  stats.Add({}, 3);
  CHECK(stats.count == 5);
}

TEST_CASE("the impurity of documents is what divisions of them could gain together") {
  // Query 0 has the grades {0, 1, 3}, query 1 {0, 1}, query 2 {1}.
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4, 5, 6}, {0, 1, 3, 0, 1, 1});
  raw.queries = {0, 0, 0, 1, 1, 2};
  const Dataset data = raw.Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const testing::GradedRows rows(documents, WholeSample(6));
  const auto impurity = [&](auto criterion) {
    criterion.BeginTree(rows.node());
    REQUIRE(criterion.Begin(rows.node()));
    return criterion.Impurity();
  };
  // About the mean 1: 1 + 0 + 4 + 1 + 0 + 0.
  CHECK(impurity(GradeVariance(documents)) == doctest::Approx(6.0).epsilon(1e-12));
  // Classes of 2, 3 and 1 of 6 documents.
  const double entropy =
      2.0 * std::log2(6.0 / 2.0) + 3.0 * std::log2(6.0 / 3.0) + 1.0 * std::log2(6.0);
  CHECK(impurity(Entropy(documents)) == doctest::Approx(entropy).epsilon(1e-9));
  CHECK(impurity(Pairwise(documents, PairWeight::kOne)) == 4.0);
  CHECK(impurity(Pairwise(documents, PairWeight::kDifference)) == 1.0 + 3.0 + 2.0 + 1.0);
  CHECK(impurity(PairwiseOnRanks(documents, PairWeight::kOne)) == 4.0);
  // All documents tie: query 0 has DCG (0 + 1 + 7) / 3 at each rank, query 1 half of 1.
  const double second = 1.0 / std::log2(3.0);
  const double of_first = 8.0 / 3.0 * (1.0 + second + 0.5) / (7.0 + second);
  const double of_second = 0.5 * (1.0 + second);
  CHECK(impurity(Listwise(documents, std::nullopt)) ==
        doctest::Approx((1.0 - of_first) + (1.0 - of_second)).epsilon(1e-9));
}

}  // namespace rankforest
