#include "rankforest/train/broof_parts.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::kNoNumber;
using testing::ThreePredicted;

namespace {

BroofParts PartsOfVariant(BroofVariant variant) {
  BroofSettings settings;
  settings.variant = variant;
  return PartsOf(settings);
}

}  // namespace

TEST_CASE("the instances have the extension points of the paper's table 1") {
  ThreePredicted three;
  for (const BroofVariant variant :
       {BroofVariant::kAbsolute, BroofVariant::kMedian, BroofVariant::kHeight}) {
    const BroofParts parts = PartsOfVariant(variant);
    CHECK(parts.examples(three.now) == IdentityExamples()(three.now));
    CHECK(parts.validation_set(three.now)[0] == 0.5);
    CHECK(parts.learner_weight(three.now).beta == BetaOf(three.now));
    three.now.errors = parts.errors(three.now);
    three.now.beta = 0.25;
    CHECK(parts.example_weights(three.now) == OutOfBagUpdate()(three.now));
  }
  CHECK(PartsOfVariant(BroofVariant::kAbsolute).errors(three.now)[0] == 0.5);  // 0.5 of 1
  CHECK(PartsOfVariant(BroofVariant::kMedian).errors(three.now)[0] == 0.0);
  CHECK(PartsOfVariant(BroofVariant::kHeight).errors(three.now)[1] == 0.0);
  const BroofParts gradient = PartsOfVariant(BroofVariant::kGradient);
  CHECK(gradient.examples(three.now) == ResidueExamples()(three.now));
  CHECK(gradient.errors(three.now)[0] == 1.0);  // 0.75, and 0 of the other
  CHECK(gradient.learner_weight(three.now).weight == 0.5);
  CHECK(gradient.example_weights(three.now) == three.now.weights);
}

TEST_CASE("what settings say goes before the variant") {
  ThreePredicted three;
  three.now.errors = {0.0, 1.0, kNoNumber};
  three.now.beta = 0.25;
  BroofSettings settings;
  settings.examples = BroofExamples::kIdentity;
  settings.validation_set = BroofValidation::kTrain;
  settings.errors = BroofErrors::kAbsolute;
  settings.error_normalization = ErrorNormalization::kNone;
  settings.learner_weight = BroofLearnerWeight::kBeta;
  settings.example_weights = BroofExampleWeights::kTrain;
  settings.initial_weights = BroofInitialWeights::kRandom;
  const BroofParts parts = PartsOf(settings);
  CHECK(parts.examples(three.now) == IdentityExamples()(three.now));
  CHECK(parts.validation_set(three.now)[2] == 0.5);
  CHECK(parts.errors(three.now)[0] == 0.5);  // as it is, and not that of a step
  CHECK(parts.learner_weight(three.now).weight == BetaOf(three.now));
  CHECK(parts.example_weights(three.now) == WholeUpdate()(three.now));
  CHECK(parts.initial_weights(three.now, Rng(3)) == RandomWeights()(three.now, Rng(3)));
}

}  // namespace rankforest
