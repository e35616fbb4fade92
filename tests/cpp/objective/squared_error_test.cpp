#include "rankforest/objective/squared_error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/sample/rows.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;

TEST_CASE("boosting starts from the weighted mean grade, or from 0") {
  testing::RawData raw = testing::OneFeature({1, 2, 3}, {0, 1, 5});
  CHECK(SquaredError().Start(Prepared(raw).training()).BaseScore(WholeSample(3)) == 2.0);
  raw.weights = {1, 2, 3};
  const Prepared weighted(raw);
  SquaredError::Run run = SquaredError().Start(weighted.training());
  CHECK(run.BaseScore(WholeSample(3)) == doctest::Approx(17.0 / 6.0));
  // Repeats count, documents that were not drawn do not.
  const std::size_t last = weighted.data.grades()[2] == 5.0 ? 0 : 1;
  const double grade = weighted.data.grades()[last];
  const double weight = weighted.data.weights()[last];
  const double other = weighted.data.grades()[2];
  const double other_weight = weighted.data.weights()[2];
  CHECK(run.BaseScore({{static_cast<RowId>(last), 2}, {3, 1}}) ==
        doctest::Approx((3 * weight * grade + other_weight * other) / (3 * weight + other_weight)));
  const SquaredError from_zero(InitialScore::kZero);
  CHECK(from_zero.Start(weighted.training()).BaseScore(WholeSample(3)) == 0.0);
  raw.weights = {0, 0, 0};
  CHECK(SquaredError().Start(Prepared(raw).training()).BaseScore(WholeSample(3)) == 0.0);
}

TEST_CASE("gradients are the weighted residuals, hessians the weights, of the sample alone") {
  testing::RawData raw = testing::OneFeature({1, 2, 3}, {0, 1, 5});
  raw.weights = {1, 2, 0.5};
  const Prepared prepared(raw);
  const Dataset& data = prepared.data;
  std::vector<GradientPair> out(3, {99.0, 99.0});
  const std::vector<double> scores = {0.5, 1.0, 2.0};
  SquaredError().Start(prepared.training()).Gradients({{0, 2}, {}}, scores, out, Rng(0));
  for (const std::size_t d : {0U, 2U}) {
    CHECK(out[d].grad == data.weights()[d] * (scores[d] - data.grades()[d]));
    CHECK(out[d].hess == data.weights()[d]);
  }
  CHECK(out[1].grad == 99.0);
}

TEST_CASE("gradients are the slopes of half the weighted squared error, hessians their slopes") {
  Rng rng(421);
  testing::SmallDataOptions options;
  options.weights_of_rows = true;
  const Prepared prepared(testing::SmallData(options, rng));
  const Dataset& data = prepared.data;
  const std::size_t n = data.n_documents();
  std::vector<double> scores(n);
  for (double& score : scores) score = rng.Uniform() * 4.0;
  std::vector<GradientPair> out(n);
  SquaredError().Start(prepared.training()).Gradients(WholeSample(n), scores, out, Rng(0));
  constexpr double kStep = 1e-3;
  for (std::size_t d = 0; d < n; ++d) {
    const auto loss = [&](double score) {
      return data.weights()[d] * (score - data.grades()[d]) * (score - data.grades()[d]) / 2.0;
    };
    const double before = loss(scores[d] - kStep);
    const double here = loss(scores[d]);
    const double after = loss(scores[d] + kStep);
    CHECK(std::abs((after - before) / (2 * kStep) - out[d].grad) < 1e-8);
    CHECK(std::abs((after - 2 * here + before) / (kStep * kStep) - out[d].hess) < 1e-6);
  }
}

TEST_CASE("grades beyond float32 have no leaf that predicts them, by regression either") {
  const testing::Prepared prepared(testing::OneFeature({1, 2}, {0, 1e307}));
  CHECK_THROWS_AS((void)SquaredError().Start(prepared.training()), std::invalid_argument);
}

}  // namespace rankforest
