#include "rankforest/core/validate_linear.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "rankforest/core/validate.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

TEST_CASE("a linear part of different features and finite weights is valid, and so is none") {
  CHECK_NOTHROW(ValidateLinear({}, 0));
  CHECK_NOTHROW(ValidateLinear({QueryNormalization::kZScore, {{1, 0.0F}, {0, -3e38F}}}, 2));
}

TEST_CASE("what is wrong with a linear part is said, and where") {
  const auto refuses = [](const Linear& linear, const char* message) {
    CHECK_THROWS_WITH_AS(ValidateLinear(linear, 2), message, std::invalid_argument);
  };
  refuses({QueryNormalization::kNone, {{0, 1.0F}, {2, 1.0F}}},
          "term 1: the feature is 2, expected one of the model's 2");
  refuses({QueryNormalization::kNone, {{1, 1.0F}, {1, 2.0F}}},
          "term 1: the feature 1 has a term already, expected different ones");
  refuses({QueryNormalization::kNone, {{0, testing::kNaN}}},
          "term 0: the weight is nan, expected a finite number");
  refuses({QueryNormalization::kNone, {{0, -testing::kInf}}},
          "term 0: the weight is -inf, expected a finite number");
  refuses({QueryNormalization::kSum, {}}, "has a normalization and no term to normalize");
  refuses({static_cast<QueryNormalization>(4), {{0, 1.0F}}},
          "the normalization is none of none, sum, minmax, zscore");
}

TEST_CASE("a model is checked with its linear parts") {
  Ensemble model;
  model.n_features = 1;
  model.members = {{}, {0.0, {}, {QueryNormalization::kNone, {{5, 1.0F}}}}};
  CHECK_THROWS_WITH_AS(Validate(model),
                       "member 1: term 0: the feature is 5, expected one of the model's 1",
                       std::invalid_argument);
}

}  // namespace rankforest
