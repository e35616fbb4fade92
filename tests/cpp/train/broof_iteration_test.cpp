#include "rankforest/train/broof_iteration.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

TEST_CASE("an extension point may be any function of what the points before it have said") {
  testing::IterationCase two(testing::OneFeature({1, 2}, {3, 3}), 0.5);
  two.Predict({1.0, 2.0});
  BroofParts parts;
  parts.errors = [](const BroofIteration& now) {
    std::vector<double> errors(now.predictions.size());
    for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = now.targets[i] - now.predictions[i];
    return errors;
  };
  parts.learner_weight = [](const BroofIteration& now) {
    return BroofLearner{now.learning_rate, now.errors[0] + now.errors[1]};
  };
  two.now.errors = parts.errors(two.now);
  CHECK(two.now.errors == std::vector<double>{2.0, 1.0});
  CHECK(parts.learner_weight(two.now).weight == 3.0);
  CHECK(two.now.number == 0);
}

}  // namespace rankforest
