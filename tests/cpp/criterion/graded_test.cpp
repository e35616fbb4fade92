#include "rankforest/criterion/graded.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
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

}  // namespace rankforest
