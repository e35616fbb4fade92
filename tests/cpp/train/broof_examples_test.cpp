#include "rankforest/train/broof_examples.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::ThreePredicted;

TEST_CASE("forests learn the grades, or what a step leaves over of their targets") {
  const ThreePredicted three;
  CHECK(IdentityExamples()(three.now) == std::vector<double>{0.0, 1.0, 2.0});
  CHECK(ResidueExamples()(three.now) == std::vector<double>{0.75, 0.0, 0.75});
}

TEST_CASE("predictions are those of the trees that did not draw a document, or of all") {
  const ThreePredicted three;
  CHECK(OutOfBagSet()(three.now)[1] == 2.0);
  CHECK(OutOfBagSet()(three.now)[2] != OutOfBagSet()(three.now)[2]);
  CHECK(WholeTrainingSet()(three.now) == std::vector<double>{0.5, 2.0, 0.5});
}

}  // namespace rankforest
