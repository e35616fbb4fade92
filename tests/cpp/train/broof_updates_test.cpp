#include "rankforest/train/broof_updates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::UpdateCase;

namespace {

std::vector<double> SharesOfSum(std::vector<double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

TEST_CASE("documents that are predicted well weigh less: w beta^(1 - e)") {
  const UpdateCase three;
  const std::vector<double> kept = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  CHECK(KeptWeights()(three.now) == kept);
  // 1/3 of 0.25, of 1, and, without an error, of 1.
  const std::vector<double> updated = SharesOfSum(OutOfBagUpdate()(three.now));
  CHECK(updated[0] == doctest::Approx(1.0 / 9.0));
  CHECK(updated[1] == doctest::Approx(4.0 / 9.0));
  CHECK(updated[2] == doctest::Approx(4.0 / 9.0));
  // The last one counts as having the mean error: 0.25^0.75.
  const std::vector<double> of_all = WholeUpdate()(three.now);
  CHECK(of_all[2] / of_all[1] == doctest::Approx(std::pow(0.25, 0.75)));
}

TEST_CASE("a document that all trees drew keeps its weight even where training errors are known") {
  UpdateCase three;
  three.now.errors[2] = 0.0;
  CHECK(OutOfBagUpdate()(three.now)[2] == three.now.weights[2]);
  CHECK(WholeUpdate()(three.now)[2] == doctest::Approx(three.now.weights[2] * 0.25));
}

TEST_CASE("errors far above 1 overflow nothing, and leave the ratios of weights as they are") {
  UpdateCase three;
  three.now.errors = {0.0, 2000.0, 1999.0};
  three.now.out_of_bag[2] = 1.0;
  const std::vector<double> updated = OutOfBagUpdate()(three.now);
  CHECK(updated[1] == three.now.weights[1]);
  CHECK(updated[2] == doctest::Approx(0.25 * three.now.weights[1]));
  CHECK(updated[0] == 0.0);
}

}  // namespace rankforest
