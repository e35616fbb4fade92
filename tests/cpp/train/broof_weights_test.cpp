#include "rankforest/train/broof_weights.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::IterationCase;
using testing::kNoNumber;

namespace {

/// Three documents of a query in canonical order, of which the last was never out of bag.
IterationCase UpdateCase() {
  IterationCase three(testing::OneFeature({1, 1, 1}, {0, 1, 2}), 0.5);
  three.Predict({0.5, 2.0, kNoNumber});
  three.now.errors = {0.0, 1.0, kNoNumber};
  three.now.error = 0.25;
  three.now.beta = 0.25;
  return three;
}

std::vector<double> Shares(std::vector<double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

TEST_CASE("documents begin with the same weight, or with weights that are drawn") {
  const IterationCase three = UpdateCase();
  CHECK(UniformWeights()(three.now, Rng(1)) == std::vector<double>{1.0, 1.0, 1.0});
  const std::vector<double> drawn = RandomWeights()(three.now, Rng(1));
  CHECK(drawn == RandomWeights()(three.now, Rng(1)));
  CHECK(drawn != RandomWeights()(three.now, Rng(2)));
  for (const double weight : drawn) CHECK((weight > 0.0 && weight <= 1.0));
}

TEST_CASE("a forest counts beta, the logarithm of its inverse, or the learning rate") {
  IterationCase three = UpdateCase();
  three.now.error = 0.2;  // beta = 0.5 x 0.2 / 0.8
  CHECK(BetaWeight()(three.now).beta == doctest::Approx(0.125));
  CHECK(BetaWeight()(three.now).weight == doctest::Approx(0.125));
  CHECK(LogInverseBetaWeight()(three.now).beta == doctest::Approx(0.125));
  CHECK(LogInverseBetaWeight()(three.now).weight == doctest::Approx(std::log(8.0)));
  CHECK(ConstantWeight()(three.now).beta == 0.5);
  CHECK(ConstantWeight()(three.now).weight == 0.5);
}

TEST_CASE("without an error beta is that of one in a million") {
  IterationCase three = UpdateCase();
  three.now.error = 0.0;
  CHECK(BetaWeight()(three.now).beta == doctest::Approx(0.5e-6));
  three.now.learning_rate = 1e-310;
  CHECK(std::isfinite(LogInverseBetaWeight()(three.now).weight));
}

TEST_CASE("documents that are predicted well weigh less: w beta^(1 - e)") {
  const IterationCase three = UpdateCase();
  const std::vector<double> kept = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  CHECK(KeptWeights()(three.now) == kept);
  // 1/3 of 0.25, of 1, and, without an error, of 1.
  const std::vector<double> updated = Shares(OutOfBagUpdate()(three.now));
  CHECK(updated[0] == doctest::Approx(1.0 / 9.0));
  CHECK(updated[1] == doctest::Approx(4.0 / 9.0));
  CHECK(updated[2] == doctest::Approx(4.0 / 9.0));
  // The last one counts as having the mean error: 0.25^0.75.
  const std::vector<double> of_all = WholeUpdate()(three.now);
  CHECK(of_all[2] / of_all[1] == doctest::Approx(std::pow(0.25, 0.75)));
}

TEST_CASE("a document that all trees drew keeps its weight even where training errors are known") {
  IterationCase three = UpdateCase();
  three.now.errors[2] = 0.0;
  CHECK(OutOfBagUpdate()(three.now)[2] == three.now.weights[2]);
  CHECK(WholeUpdate()(three.now)[2] == doctest::Approx(three.now.weights[2] * 0.25));
}

TEST_CASE("errors far above 1 overflow nothing, and leave the ratios of weights as they are") {
  IterationCase three = UpdateCase();
  three.now.errors = {0.0, 2000.0, 1999.0};
  three.now.out_of_bag[2] = 1.0;
  const std::vector<double> updated = OutOfBagUpdate()(three.now);
  CHECK(updated[1] == three.now.weights[1]);
  CHECK(updated[2] == doctest::Approx(0.25 * three.now.weights[1]));
  CHECK(updated[0] == 0.0);
}

}  // namespace rankforest
