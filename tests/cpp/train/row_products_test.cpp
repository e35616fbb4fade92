#include "rankforest/train/row_products.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

testing::RawData ManyRows(std::size_t n, Rng& rng) {
  testing::RawData raw;
  raw.n_features = 11;
  for (std::size_t i = 0; i < n; ++i) {
    for (int f = 0; f < 11; ++f) {
      raw.features.push_back(static_cast<float>(rng.Uniform() * 4.0 - 2.0));
    }
    raw.grades.push_back(rng.Below(3));
    raw.queries.push_back(static_cast<QueryId>(i / 50));
  }
  return raw;
}

}  // namespace

TEST_CASE("products of rows and weights are sums over features, those of columns over documents") {
  Rng rng(1);
  const Dataset data = ManyRows(9000, rng).Make();
  const LinearData linear(TrainingSet(data, Threads{1}), WholeSample(9000),
                          QueryNormalization::kNone);
  std::vector<double> weights(11);
  std::vector<double> of_documents(9000);
  for (double& weight : weights) weight = rng.Uniform();
  for (double& weight : of_documents) weight = rng.Uniform() - 0.5;
  detail::RowProducts products(linear);
  std::vector<double> scores(9000);
  std::vector<double> sums(11);
  products.Scores(weights, scores);
  products.Columns(of_documents, sums);
  std::vector<double> expected(11, 0.0);
  for (std::size_t d = 0; d < 9000; ++d) {
    double score = 0.0;
    for (std::size_t f = 0; f < 11; ++f) {
      score += weights[f] * static_cast<double>(linear.Row(d)[f]);
      expected[f] += of_documents[d] * static_cast<double>(linear.Row(d)[f]);
    }
    CHECK(scores[d] == doctest::Approx(score).epsilon(1e-12));
  }
  for (std::size_t f = 0; f < 11; ++f) {
    CHECK(sums[f] == doctest::Approx(expected[f]).epsilon(1e-10));
  }
}

TEST_CASE("the number of threads changes no bit of a product") {
  Rng rng(2);
  const Dataset data = ManyRows(13000, rng).Make();
  std::vector<double> of_documents(13000);
  for (double& weight : of_documents) weight = rng.Uniform();
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 5}) {
    const LinearData linear(TrainingSet(data, Threads{threads}), WholeSample(13000),
                            QueryNormalization::kNone);
    detail::RowProducts products(linear);
    results.emplace_back(11);
    products.Columns(of_documents, results.back());
  }
  CHECK(results[1] == results[0]);
  CHECK(results[2] == results[0]);
}

TEST_CASE("the product of two vectors is the sum of those of their numbers") {
  CHECK(detail::DotOf(std::vector<double>{1.0, 2.0}, std::vector<double>{3.0, -4.0}) == -5.0);
  CHECK(detail::DotOf(std::vector<double>{}, std::vector<double>{}) == 0.0);
}

}  // namespace rankforest
