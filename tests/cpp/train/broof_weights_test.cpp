#include "rankforest/train/broof_weights.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::UpdateCase;

TEST_CASE("documents begin with the same weight, or with weights that are drawn") {
  const UpdateCase three;
  CHECK(UniformWeights()(three.now, Rng(1)) == std::vector<double>{1.0, 1.0, 1.0});
  const std::vector<double> drawn = RandomWeights()(three.now, Rng(1));
  CHECK(drawn == RandomWeights()(three.now, Rng(1)));
  CHECK(drawn != RandomWeights()(three.now, Rng(2)));
  for (const double weight : drawn) CHECK((weight > 0.0 && weight <= 1.0));
}

TEST_CASE("a forest counts beta, the logarithm of its inverse, or the learning rate") {
  UpdateCase three;
  three.now.error = 0.2;  // beta = 0.5 x 0.2 / 0.8
  CHECK(BetaWeight()(three.now).beta == doctest::Approx(0.125));
  CHECK(BetaWeight()(three.now).weight == doctest::Approx(0.125));
  CHECK(LogInverseBetaWeight()(three.now).beta == doctest::Approx(0.125));
  CHECK(LogInverseBetaWeight()(three.now).weight == doctest::Approx(std::log(8.0)));
  CHECK(ConstantWeight()(three.now).beta == 0.5);
  CHECK(ConstantWeight()(three.now).weight == 0.5);
}

TEST_CASE("without an error beta is that of one in a million") {
  UpdateCase three;
  three.now.error = 0.0;
  CHECK(BetaWeight()(three.now).beta == doctest::Approx(0.5e-6));
  three.now.learning_rate = 1e-310;
  CHECK(std::isfinite(LogInverseBetaWeight()(three.now).weight));
}

}  // namespace rankforest
