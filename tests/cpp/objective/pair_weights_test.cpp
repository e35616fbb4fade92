#include "rankforest/objective/pair_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"
#include "support/special_floats.hpp"

namespace rankforest {
namespace {

using testing::RawData;

/// The answer that a function gives is refused with this message.
std::string Refusal(const std::vector<double>& answer) {
  const RawData raw = testing::OneFeature({1, 2, 3}, {0, 1, 1});
  const Dataset data = raw.Make();
  try {
    const PairWeights weights(data, PairWeighting::kMean,
                              [&](GradedPairs& pairs) { pairs.weights = answer; });
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("pairs of documents weigh their mean or product, computed by hand") {
  RawData raw = testing::OneFeature({1, 2, 3, 1, 2}, {0, 1, 1, 0, 1});
  raw.queries = {0, 0, 0, 1, 1};
  raw.weights = {1, 3, 0, 2, 2};
  const Dataset data = raw.Make();
  std::vector<RowId> of_row(5);
  for (RowId d = 0; d < 5; ++d) of_row[data.order()[d]] = d;
  for (std::size_t q = 0; q < 2; ++q) {
    const auto mean = PairWeights(data, PairWeighting::kMean, {}).OfQuery(q);
    const auto product = PairWeights(data, PairWeighting::kProduct, {}).OfQuery(q);
    if (data.query_codes()[q] == 1) {
      CHECK(mean.is_uniform());
      CHECK(mean.Uniform() == 2.0);
      CHECK_FALSE(product.is_uniform());
      CHECK(product.OfPair(of_row[3], of_row[4]) == 4.0);
      CHECK(product.OfDocument(of_row[3]) == 2.0);
      continue;
    }
    CHECK_FALSE(mean.is_uniform());
    CHECK(mean.OfPair(of_row[0], of_row[1]) == 2.0);
    CHECK(mean.OfPair(of_row[2], of_row[0]) == 0.5);
    CHECK(product.OfPair(of_row[1], of_row[0]) == 3.0);
    CHECK(product.OfPair(of_row[1], of_row[2]) == 0.0);
    CHECK(mean.OfDocument(of_row[1]) == 3.0);
  }
}

TEST_CASE("a function's answer multiplies the weight of its pair, whichever comes first") {
  Rng rng(611);
  testing::SmallDataOptions options;
  options.n_queries = 8;
  options.weights_of_rows = true;
  const RawData raw = testing::SmallData(options, rng);
  const Dataset data = raw.Make();
  const auto factor = [](RowId better, RowId worse) { return 1.0 + better + 100.0 * worse; };
  const PairWeights weights(data, PairWeighting::kMean, [&](GradedPairs& pairs) {
    for (std::size_t i = 0; i < pairs.rows_better.size(); ++i) {
      CHECK(pairs.grades_better[i] == raw.grades[pairs.rows_better[i]]);
      CHECK(pairs.grades_worse[i] == raw.grades[pairs.rows_worse[i]]);
      CHECK(pairs.grades_better[i] > pairs.grades_worse[i]);
      pairs.weights.push_back(factor(pairs.rows_better[i], pairs.rows_worse[i]));
    }
  });
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    const detail::QueryPairWeights of_query = weights.OfQuery(q);
    for (RowId a = data.offsets()[q]; a < data.offsets()[q + 1]; ++a) {
      for (RowId b = data.offsets()[q]; b < data.offsets()[q + 1]; ++b) {
        if (!(data.grades()[a] > data.grades()[b])) continue;
        const double expected = (data.weights()[a] + data.weights()[b]) / 2.0 *
                                factor(data.order()[a], data.order()[b]);
        CHECK(of_query.OfPair(a, b) == expected);
        CHECK(of_query.OfPair(b, a) == expected);
      }
    }
  }
}

TEST_CASE("a query without pairs is not asked about") {
  const RawData raw = testing::OneFeature({1, 2, 3}, {2, 2, 2});
  const Dataset data = raw.Make();
  const PairWeights weights(data, PairWeighting::kMean,
                            [](GradedPairs& /*pairs*/) { FAIL("asked"); });
  CHECK(weights.OfQuery(0).is_uniform());
  CHECK(weights.OfQuery(0).Uniform() == 1.0);
}

TEST_CASE("an answer that is not one weight a pair is refused") {
  CHECK(Refusal({1.0, 0.0}).empty());
  CHECK(Refusal({1.0}) ==
        "pair_weighting must return one weight for each of the 2 pairs that it got; it returned 1");
  const std::string message = Refusal({1.0, -0.5});
  CHECK(message.find("pair_weighting must return weights from 0 to 1e30; that of rows ") == 0);
  CHECK(message.find(" and 0 (counted from 0) is -0.5") != std::string::npos);
  CHECK(Refusal({2e30, 1.0}).find("is 2e+30") != std::string::npos);
  CHECK(Refusal({1.0, double{testing::kNaN}}).find("is nan") != std::string::npos);
}

}  // namespace rankforest
