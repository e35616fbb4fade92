#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/entropy.hpp"
#include "rankforest/criterion/grade_variance.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/listwise.hpp"
#include "rankforest/criterion/pairwise.hpp"
#include "rankforest/criterion/query_weights.hpp"
#include "rankforest/criterion/relevance.hpp"
#include "rankforest/criterion/settings.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
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
  GradedGrower(TreeLimits limits, FeatureDraw features, const CriterionSettings& criterion,
               ThresholdRule thresholds, Relevance relevance, TreeMethod method = TreeMethod::kAuto)
      : limits_(limits),
        features_(features),
        criterion_(criterion),
        thresholds_(thresholds),
        relevance_(relevance),
        method_(method) {
    if (criterion.kind == SplitCriterion::kListwise) limits_.grow_policy = GrowPolicy::kDepthWise;
  }

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    if (Resolve(method_, training.data.n_documents()) == TreeMethod::kExact) {
      return StartOn(training.presorted(), training);
    }
    return StartOn(training.binned_columns(), training);
  }

 private:
  template <class Columns>
  [[nodiscard]] Run StartOn(const Columns& columns, const TrainingSet& training) const {
    if (criterion_.kind == SplitCriterion::kPairwise ||
        criterion_.kind == SplitCriterion::kListwise) {
      RequireQueryWeights(training.data, "a split criterion");
    }
    if (criterion_.kind == SplitCriterion::kListwise) {  // refuses grades whose gains overflow
      (void)MetricRun(Metric::Parse("ndcg"), JudgementsOf(training.data), training.threads);
    }
    auto documents = std::make_shared<const GradedDocuments>(training.data, relevance_);
    const bool is_hybrid =
        criterion_.kind == SplitCriterion::kListwise && criterion_.listwise_levels.has_value();
    const bool lower_is_entropy = criterion_.below == LowerCriterion::kEntropy;
    const SplitCriterion lower =
        lower_is_entropy ? SplitCriterion::kEntropy : SplitCriterion::kSquaredError;
    GradedEngine<Columns> engine(columns, Search(columns, *documents, criterion_.kind),
                                 is_hybrid ? *criterion_.listwise_levels : kAllLevels,
                                 is_hybrid ? Search(columns, *documents, lower) : nullptr);
    return Run(TreeGrowth<Graded, GradedEngine<Columns>>(limits_, Graded(std::move(documents)),
                                                         training, std::move(engine)));
  }

  template <class Columns>
  [[nodiscard]] std::unique_ptr<GradedSearch> Search(const Columns& columns,
                                                     const GradedDocuments& documents,
                                                     SplitCriterion kind) const {
    switch (kind) {
      case SplitCriterion::kSquaredError:
        return LargestGainOf(columns, GradeVariance(documents));
      case SplitCriterion::kEntropy:
        return LargestGainOf(columns, Entropy(documents));
      case SplitCriterion::kRandom:
        return std::make_unique<RandomSplit<Columns>>(columns, thresholds_);
      case SplitCriterion::kPairwise:
        if (documents.grades().size() > kMostTabledGrades) {
          return LargestGainOf(columns, PairwiseOnRanks(documents, criterion_.pair_weight));
        }
        return LargestGainOf(columns, Pairwise(documents, criterion_.pair_weight));
      case SplitCriterion::kListwise:
        return LargestGainOf(columns, Listwise(documents, criterion_.cutoff));
    }
    return nullptr;
  }

  template <class Columns, class Criterion>
  [[nodiscard]] std::unique_ptr<GradedSearch> LargestGainOf(const Columns& columns,
                                                            Criterion criterion) const {
    return std::make_unique<LargestGain<Criterion, Columns>>(
        columns, std::move(criterion), thresholds_, features_.Count(columns.n_features()));
  }

  static constexpr std::uint32_t kAllLevels = std::numeric_limits<std::uint32_t>::max();

  TreeLimits limits_;
  FeatureDraw features_;
  CriterionSettings criterion_;
  ThresholdRule thresholds_;
  Relevance relevance_;
  TreeMethod method_;
};

}  // namespace rankforest
