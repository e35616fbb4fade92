#include "rankforest/criterion/entropy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/naive_division.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::GainOfMoving;
using testing::GradedRows;

namespace {

/// The positions of the grades that are `grade`.
std::vector<std::size_t> Positions(const Dataset& data, double grade) {
  std::vector<std::size_t> positions;
  for (std::size_t d = 0; d < data.n_documents(); ++d) {
    if (data.grades()[d] == grade) positions.push_back(d);
  }
  return positions;
}

}  // namespace

TEST_CASE("the gain is the drop of entropy times the documents") {
  // Grades {0, 0, 0, 0, 3, 3, 8, 8}: H = 1.5 bits. {0, 0, 0, 0} apart leaves {3, 3, 8, 8} with 1
  // bit: 8 x 1.5 - 4 x 0 - 4 x 1 = 8. {3, 3} apart leaves {0, 0, 0, 0, 8, 8} with 0.918... bits.
  const Dataset data =
      testing::OneFeature({1, 2, 3, 4, 5, 6, 7, 8}, {0, 0, 0, 0, 3, 3, 8, 8}).Make();
  const GradedDocuments documents(data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(8));
  Entropy entropy(documents);
  entropy.BeginTree(rows.node());
  REQUIRE(entropy.Begin(rows.node()));
  CHECK(GainOfMoving(entropy, Positions(data, 0)) == 8.0);
  const double six = 6.0 * (std::log2(6.0) - (4.0 * 2.0 + 2.0 * 1.0) / 6.0);
  CHECK(GainOfMoving(entropy, Positions(data, 3)) == doctest::Approx(12.0 - six).epsilon(1e-12));
  CHECK(GainOfMoving(entropy, {}) == 0.0);
}

TEST_CASE("sides of the same composition gain exactly nothing") {
  for (const std::size_t n : {3U, 7U, 1000U}) {
    std::vector<float> features;
    std::vector<double> grades;
    for (std::size_t i = 0; i < 3 * n; ++i) {
      features.push_back(static_cast<float>(i));
      grades.push_back(static_cast<double>(i % 3 == 0));
    }
    const Dataset data = testing::OneFeature(features, grades).Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    const GradedRows rows(documents, WholeSample(3 * n));
    Entropy entropy(documents);
    entropy.BeginTree(rows.node());
    entropy.Begin(rows.node());
    const auto ones = Positions(data, 1);
    const auto zeros = Positions(data, 0);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      left.insert(left.end(), {ones[i], zeros[2 * i], zeros[2 * i + 1]});
      CHECK(GainOfMoving(entropy, left) == 0.0);
      if (i > 20) break;
    }
    left.push_back(ones.back());
    CHECK(entropy.Gain() == 0.0);
    CHECK(GainOfMoving(entropy, left) > 0.0);
  }
}

TEST_CASE("any order of moves gives the same bits, and they are those of the definition") {
  Rng rng(801);
  for (int trial = 0; trial < 100; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 1 + rng.Below(6);
    options.weights_of_rows = trial % 2 == 0;
    const Dataset data = testing::SmallData(options, rng).Make();
    const GradedDocuments documents(data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(data, rng));
    Entropy entropy(documents);
    entropy.BeginTree(rows.node());
    entropy.Begin(rows.node());
    const auto n = static_cast<std::uint32_t>(rows.sample.rows.size());
    std::vector<std::size_t> left;
    testing::Division division;
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool goes_left = rng.Below(2) == 0;
      if (goes_left) left.push_back(i);
      (goes_left ? division.left : division.right)
          .push_back({rows.sample.rows[i], rows.sample.Count(i)});
    }
    const double gain = GainOfMoving(entropy, left);
    const auto defined =
        testing::DropOf(data, testing::DocumentsOf(rows.sample), testing::NaiveEntropy)(division);
    INFO("trial ", trial);
    CHECK(gain == doctest::Approx(defined).epsilon(1e-9));
    rng.Shuffle(Span<std::size_t>(left));
    CHECK(GainOfMoving(entropy, left) == gain);
  }
}

}  // namespace rankforest
