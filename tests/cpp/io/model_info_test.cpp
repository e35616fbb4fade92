#include "rankforest/io/model_info.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "support/frozen_model.hpp"

namespace rankforest {

TEST_CASE("a difference in any field makes infos differ") {
  CHECK(testing::FrozenInfo() == testing::FrozenInfo());
  const std::function<void(ModelInfo&)> changes[] = {
      [](ModelInfo& info) { info.feature_names[0] = "tf"; },
      [](ModelInfo& info) { info.absent = Absent::kZero; },
      [](ModelInfo& info) { info.index_base = 1; },
      [](ModelInfo& info) { info.algorithm.clear(); },
      [](ModelInfo& info) { info.parameters_json = "{}"; },
      [](ModelInfo& info) { info.summary_json = "{}"; },
      [](ModelInfo& info) { info.unknown[0].name = "NEW2"; },
      [](ModelInfo& info) { info.unknown[0].bytes.pop_back(); },
  };
  for (const auto& change : changes) {
    ModelInfo info = testing::FrozenInfo();
    change(info);
    CHECK_FALSE(info == testing::FrozenInfo());
  }
}

TEST_CASE("LETOR text that leaves a feature out means zero, and counts features from 1") {
  CHECK(ModelInfo{}.absent == Absent::kZero);
  CHECK(ModelInfo{}.index_base == 1);
}

}  // namespace rankforest
