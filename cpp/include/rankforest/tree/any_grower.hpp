#pragma once

#include <functional>
#include <utility>

#include "rankforest/core/training_set.hpp"
#include "rankforest/tree/tree_run.hpp"

namespace rankforest {

/// Any grower of trees, chosen when a run starts, so that a recipe whose trees may be of several
/// kinds is one type.
class AnyGrower {
 public:
  using Run = TreeRun;

  /// @param grower  a learner: Start(training) -> TreeRun
  template <class Grower>
  explicit AnyGrower(Grower grower)
      : start_([grower = std::move(grower)](const TrainingSet& training) {
          return grower.Start(training);
        }) {}

  [[nodiscard]] Run Start(const TrainingSet& training) const { return start_(training); }

 private:
  std::function<TreeRun(const TrainingSet&)> start_;
};

}  // namespace rankforest
