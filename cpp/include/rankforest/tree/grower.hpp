#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/column_engine.hpp"
#include "rankforest/tree/drawn_engine.hpp"
#include "rankforest/tree/exact_level_engine.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "rankforest/tree/level_engine.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/method.hpp"
#include "rankforest/tree/refining_engine.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "rankforest/tree/tree_run.hpp"

namespace rankforest {

/// Grows one regression tree (CART), by the engine that suits the data and what is asked for: see
/// ColumnEngine, DrawnEngine, HistogramEngine and RefiningEngine. Where no feature has more than
/// 255 distinct values, all of them grow the same tree. Oblivious trees have engines of their own:
/// LevelEngine and ExactLevelEngine.
///
/// @tparam Criterion  gain of a split and value of a leaf
/// @tparam Threshold  BestThreshold or RandomThreshold
template <class Criterion = Newton, class Threshold = BestThreshold>
class TreeGrower {
 public:
  using Run = TreeRun;

  TreeGrower(TreeLimits limits, FeatureDraw features, Criterion criterion = {},
             TreeMethod method = TreeMethod::kAuto)
      : limits_(limits), features_(features), criterion_(criterion), method_(method) {}

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    const std::size_t n_features = training.data.n_features();
    const std::size_t n_drawn = features_.Count(n_features);
    const bool is_exact = Resolve(method_, training.data.n_documents()) == TreeMethod::kExact;
    if constexpr (std::is_same_v<Criterion, Newton> && std::is_same_v<Threshold, BestThreshold>) {
      if (limits_.grow_policy == GrowPolicy::kOblivious) {
        return is_exact ? StartWith(ExactLevelEngine(training, n_drawn), training)
                        : StartWith(LevelEngine(training, n_drawn), training);
      }
      if (n_drawn == n_features) {
        return is_exact ? StartWith(RefiningEngine(training), training)
                        : StartWith(HistogramEngine(training), training);
      }
    }
    if constexpr (std::is_same_v<Criterion, Newton>) {
      if (!is_exact) return StartWith(DrawnEngine<Threshold>(training, n_drawn), training);
    }
    return is_exact ? StartOn(training.presorted(), training, n_drawn)
                    : StartOn(training.binned_columns(), training, n_drawn);
  }

 private:
  template <class Columns>
  [[nodiscard]] Run StartOn(const Columns& columns, const TrainingSet& training,
                            std::size_t n_drawn) const {
    return StartWith(
        ColumnEngine<Criterion, Threshold, Columns>(columns, training.threads, {}, n_drawn),
        training);
  }

  template <class Engine>
  [[nodiscard]] Run StartWith(Engine engine, const TrainingSet& training) const {
    return Run(TreeGrowth<Criterion, Engine>(limits_, criterion_, training, std::move(engine)));
  }

  TreeLimits limits_;
  FeatureDraw features_;
  Criterion criterion_;
  TreeMethod method_;
};

}  // namespace rankforest
