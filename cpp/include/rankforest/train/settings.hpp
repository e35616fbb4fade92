#pragma once

#include <cstdint>
#include <optional>

#include "rankforest/criterion/relevance.hpp"
#include "rankforest/criterion/settings.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/objective/yeti_settings.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/train/best_round.hpp"
#include "rankforest/train/dropout.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/method.hpp"

namespace rankforest {

// The parameters of every recipe and their defaults. Other faces read these; see
// settings_check.hpp for their ranges.

/// What a fraction of the training data is a fraction of.
enum class SampleUnit : std::uint8_t { kDocument = 0, kQuery = 1 };

/// Which part of the training data a tree or a round sees.
struct SampleSettings {
  double fraction = 1.0;  ///< in (0, 1]
  SampleUnit unit = SampleUnit::kDocument;
  bool with_replacement = false;  ///< of documents; queries never are
};

struct TreeSettings {
  TreeLimits limits;
  FeatureDraw max_features;
  double min_hessian = 0.0;        ///< least sum of hessians in a leaf, >= 0
  double l2_regularization = 0.0;  ///< >= 0
  TreeMethod tree_method = TreeMethod::kAuto;
};

/// What the trees of a forest weigh in its mean.
enum class TreeWeights : std::uint8_t {
  kEqual = 0,
  kExpectedNdcg = 1,  ///< their expected NDCG on held-out queries: see tree_weights.hpp
};

/// What a grade counts where a score is made of the probabilities of grades (Mohan 2010, section
/// 3.2), or on which documents the weights of the cumulative probabilities are fitted to the grades
/// by least squares (table 3.2).
enum class OrdinalScoring : std::uint8_t {
  kExpected = 0,  ///< grade y counts y
  kSquare = 1,    ///< y^2
  kExp2 = 2,      ///< 2^y
  kOlsTrain = 3,  ///< fitted on the training data
  kOlsValid = 4,  ///< on the watch that decides
  kOlsBoth = 5,   ///< on both
};

/// Whether an algorithm is trained on the grades, or once for each grade but the highest on whether
/// a document's is at most that: see ordinal.hpp.
struct OrdinalSettings {
  bool is_ordinal = false;
  OrdinalScoring scoring = OrdinalScoring::kExpected;
};

struct ForestSettings {
  std::uint32_t n_estimators = 500;
  CriterionSettings criterion;
  TreeWeights tree_weights = TreeWeights::kEqual;
  Relevance relevance = Relevance::kGrade;
  OrdinalSettings ordinal{};
  TreeSettings trees;
  SampleSettings sample;
  std::uint32_t cost_stage = 8;  ///< trees that do not know what each other pays, >= 1
};

struct BoostSettings {
  std::uint32_t n_estimators = 500;
  double learning_rate = 0.1;  ///< in (0, 1]
  TreeSettings trees;
  SampleSettings sample;
  std::optional<std::uint32_t> early_stopping_rounds;
  double min_delta = 0.0;  ///< what a better value of early stopping must exceed, >= 0
  OverfitSettings overfit;
};

struct MartSettings {
  BoostSettings boost;
  InitialScore init = InitialScore::kMean;
  OrdinalSettings ordinal{};
};

struct IgbrtSettings {
  ForestSettings forest;
  BoostSettings boost;
  OrdinalSettings ordinal{};  ///< of both; the forest's own is not set
};

/// What LambdaMART's trees learn from.
enum class RankingObjective : std::uint8_t {
  kLambdaRank = 0,  ///< see lambda_rank.hpp
  kYetiRank = 1,    ///< see yeti_rank.hpp
  kYetiLoss = 2,    ///< likewise, with pairs weighed by the metric
  kXeNdcg = 3,      ///< see xe_ndcg.hpp
  kNdcgLoss2 = 4,   ///< see ndcg_loss2_swap.hpp
};

struct LambdaMartSettings {
  BoostSettings boost;
  RankingObjective objective = RankingObjective::kLambdaRank;
  LambdaSettings lambda;
  YetiSettings yeti;
  double mu = 10.0;  ///< share of NDCG-Loss2 in NDCG-Loss2++, >= 0
  Metric metric = Metric::Parse("ndcg@10");
};

/// How the scores of a bag's members become one (see score/combine.hpp).
enum class BagCombine : std::uint8_t { kMean = 0, kMinMax = 1, kBorda = 2 };

struct BagSettings {
  std::uint32_t n_bags = 20;     ///< members
  double query_fraction = 0.67;  ///< of the queries that each draws, without replacement, in (0, 1]
  BagCombine combine = BagCombine::kMinMax;
};

struct SelGbSettings {
  LambdaMartSettings lambdamart;
  NegativeSettings negatives;
};

struct DartSettings {
  LambdaMartSettings lambdamart;
  DropSettings drop;
};

/// Random forest: unpruned trees, floor(log2 M) + 1 features a split, bootstrap.
inline ForestSettings RandomForestDefaults() {
  ForestSettings settings;
  settings.trees.max_features.kind = FeatureDraw::Kind::kBreiman;
  settings.sample.with_replacement = true;
  return settings;
}

/// Extremely randomised trees: random thresholds on all documents.
inline ForestSettings ExtraTreesDefaults() {
  ForestSettings settings;
  settings.trees.max_features.kind = FeatureDraw::Kind::kBreiman;
  return settings;
}

/// Squared-error boosting: trees of depth 3 (Mohan's d = 4 counts levels of nodes).
inline MartSettings MartDefaults() {
  MartSettings settings;
  settings.boost.trees.limits.max_depth = 3;
  return settings;
}

inline IgbrtSettings IgbrtDefaults() { return {RandomForestDefaults(), MartDefaults().boost, {}}; }

inline LambdaMartSettings LambdaMartDefaults() {
  LambdaMartSettings settings;
  settings.boost.n_estimators = 300;
  settings.boost.trees.limits.max_leaf_nodes = 31;
  settings.boost.trees.limits.min_samples_leaf.amount = 20;
  settings.boost.trees.min_hessian = 1e-3;
  settings.boost.sample.unit = SampleUnit::kQuery;
  return settings;
}

inline SelGbSettings SelGbDefaults() { return {LambdaMartDefaults(), {}}; }

/// LambdaMART with dropout of trees.
inline DartSettings DartDefaults() { return {LambdaMartDefaults(), {}}; }

/// The same, where dropped trees may stay out for good.
inline DartSettings XDartDefaults() {
  DartSettings settings = DartDefaults();
  settings.drop.keep_drop = true;
  return settings;
}

}  // namespace rankforest
