#include "rankforest/train/broof_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

TEST_CASE("BROOF's trees are the paper's by default, and its variant fills what is not set") {
  const BroofSettings settings = BroofDefaults();
  Check(settings);
  CHECK(settings.max_iter == 500);
  CHECK(settings.trees.limits.max_leaf_nodes == 100);
  CHECK(settings.trees.max_features.amount == 0.3);
  CHECK(Resolved(settings).examples == BroofExamples::kResidue);
  CHECK(Resolved(settings).learner_weight == BroofLearnerWeight::kConstant);
  CHECK(Resolved(settings).learning_rate == 0.1);
  BroofSettings height = settings;
  height.variant = BroofVariant::kHeight;
  height.example_weights = BroofExampleWeights::kTrain;
  CHECK(Resolved(height).errors == BroofErrors::kHeight);
  CHECK(Resolved(height).learning_rate == 1.0);
  height.learning_rate = 0.25;
  CHECK(Resolved(height).learning_rate == 0.25);
  CHECK(Resolved(height).example_weights == BroofExampleWeights::kTrain);
}

TEST_CASE("settings of BROOF out of range are named with their value") {
  const auto message_of = [](const std::function<void(BroofSettings&)>& change) {
    BroofSettings settings = BroofDefaults();
    change(settings);
    try {
      Check(settings);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(message_of([](auto& s) { s.n_estimators = 0; }) == "n_estimators must be >= 1, got 0");
  CHECK(message_of([](auto& s) { s.max_iter = 0; }) == "max_iter must be >= 1, got 0");
  CHECK(message_of([](auto& s) { s.learning_rate = 1.5; }) ==
        "learning_rate must be in (0, 1], got 1.5");
  CHECK(message_of([](auto& s) { s.learning_rate = 0.0; }) ==
        "learning_rate must be in (0, 1], got 0");
  CHECK(message_of([](auto& s) { s.subsample = 0.0; }) == "subsample must be in (0, 1], got 0");
  CHECK(message_of([](auto& s) { s.cost_stage = 0; }) == "cost_stage must be >= 1, got 0");
  CHECK(message_of([](auto& s) { s.early_stopping_rounds = 0; }) ==
        "early_stopping_rounds must be >= 1, got 0");
  CHECK(message_of([](auto& s) { s.trees.limits.max_leaf_nodes = 1; }) ==
        "max_leaf_nodes must be >= 2, got 1");
}

TEST_CASE("every setting of BROOF is visited under its name, once") {
  std::vector<std::string> names;
  auto note = [&](const char* name, auto& /*field*/) { names.emplace_back(name); };
  BroofSettings settings;
  VisitFields(settings, note);
  for (const char* name : {"variant", "max_iter", "examples", "errors", "example_weights",
                           "max_leaf_nodes", "subsample", "min_delta"}) {
    INFO(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}

}  // namespace rankforest
