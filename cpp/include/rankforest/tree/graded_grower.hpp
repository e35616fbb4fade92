#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/entropy.hpp"
#include "rankforest/criterion/grade_variance.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/relevance.hpp"
#include "rankforest/criterion/settings.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/tree/graded_engine.hpp"
#include "rankforest/tree/graded_search.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/method.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "rankforest/tree/tree_run.hpp"

namespace rankforest {

/// Grows trees by criteria on grades: the forests of Ibrahim 2020. Their leaves are steps on the
/// targets, as those of TreeGrower.
class GradedGrower {
 public:
  using Run = TreeRun;

  /// @param limits  missing values have no child of their own here: MissingRule::kLearn
  GradedGrower(TreeLimits limits, FeatureDraw features, SplitCriterion criterion,
               ThresholdRule thresholds, Relevance relevance, TreeMethod method = TreeMethod::kAuto)
      : limits_(limits),
        features_(features),
        criterion_(criterion),
        thresholds_(thresholds),
        relevance_(relevance),
        method_(method) {}

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    if (Resolve(method_, training.data.n_documents()) == TreeMethod::kExact) {
      return StartOn(training.presorted(), training);
    }
    return StartOn(training.binned_columns(), training);
  }

 private:
  template <class Columns>
  [[nodiscard]] Run StartOn(const Columns& columns, const TrainingSet& training) const {
    auto documents = std::make_shared<const GradedDocuments>(training.data, relevance_);
    GradedEngine<Columns> engine(columns, Search(columns, *documents));
    return Run(TreeGrowth<Graded, GradedEngine<Columns>>(limits_, Graded(std::move(documents)),
                                                         training, std::move(engine)));
  }

  template <class Columns>
  [[nodiscard]] std::unique_ptr<GradedSearch> Search(const Columns& columns,
                                                     const GradedDocuments& documents) const {
    const std::size_t n_drawn = features_.Count(columns.n_features());
    switch (criterion_) {
      case SplitCriterion::kSquaredError:
        return std::make_unique<LargestGain<GradeVariance, Columns>>(
            columns, GradeVariance(documents), thresholds_, n_drawn);
      case SplitCriterion::kEntropy:
        return std::make_unique<LargestGain<Entropy, Columns>>(columns, Entropy(documents),
                                                               thresholds_, n_drawn);
      case SplitCriterion::kRandom:
        return std::make_unique<RandomSplit<Columns>>(columns, thresholds_);
    }
    return nullptr;
  }

  TreeLimits limits_;
  FeatureDraw features_;
  SplitCriterion criterion_;
  ThresholdRule thresholds_;
  Relevance relevance_;
  TreeMethod method_;
};

}  // namespace rankforest
