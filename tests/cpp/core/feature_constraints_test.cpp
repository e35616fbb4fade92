#include "rankforest/core/feature_constraints.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {
namespace {

void CheckRefused(const FeatureConstraints& constraints, const std::string& message) {
  CHECK_THROWS_WITH_AS(Check(constraints, 3), doctest::Contains(message.c_str()),
                       std::invalid_argument);
}

TEST_CASE("constraints of the data's features are accepted, and so are none") {
  CHECK_NOTHROW(Check(FeatureConstraints{}, 3));
  FeatureConstraints all;
  all.directions = {1, 0, -1};
  all.interactions = {{0, 1}, {1, 2}};
  all.weights = {0.0, 1.0, 2.5};
  all.most_features = 2;
  CHECK_NOTHROW(Check(all, 3));
}

TEST_CASE("what does not fit is named") {
  CheckRefused({{1, 1}, {}, {}, {}},
               "monotonic_cst must be of each of the 3 features; there are 2");
  CheckRefused({{1, 2, 0}, {}, {}, {}}, "monotonic_cst must be -1, 0 or 1, got 2");
  CheckRefused({{}, {{0, 3}}, {}, {}}, "interaction_cst names the feature 3 of 3");
  CheckRefused({{}, {{0, 1}}, {}, {}}, "interaction_cst leaves out the feature 2");
  CheckRefused({{}, {}, {1.0}, {}}, "feature_weights must be of each of the 3 features");
  CheckRefused({{}, {}, {1.0, -1.0, 1.0}, {}}, "feature_weights must be finite and >= 0, got -1");
  const double infinite = std::numeric_limits<double>::infinity();
  CheckRefused({{}, {}, {1.0, infinite, 1.0}, {}}, "feature_weights must be finite");
  CheckRefused({{}, {}, {0.0, 0.0, 0.0}, {}}, "feature_weights must not all be 0");
  CheckRefused({{}, {}, {}, 0}, "max_features_used must be >= 1, got 0");
}

}  // namespace
}  // namespace rankforest
