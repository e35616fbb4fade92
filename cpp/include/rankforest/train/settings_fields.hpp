#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "rankforest/criterion/relevance.hpp"
#include "rankforest/criterion/settings.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/squared_error.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/train/dropout.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/method.hpp"

namespace rankforest {

// The parameters of the recipes by name: the one list that every other face reads and writes
// settings through. Visitor: visit(name, field).

template <class Enum, std::size_t N>
using EnumNames = std::array<std::pair<std::string_view, Enum>, N>;

inline constexpr EnumNames<MissingRule, 2> NamesOf(MissingRule /*tag*/) {
  return {{{"learn", MissingRule::kLearn}, {"third", MissingRule::kThird}}};
}
inline constexpr EnumNames<GrowPolicy, 3> NamesOf(GrowPolicy /*tag*/) {
  return {{{"best_first", GrowPolicy::kBestFirst},
           {"depth_wise", GrowPolicy::kDepthWise},
           {"oblivious", GrowPolicy::kOblivious}}};
}
inline constexpr EnumNames<TreeMethod, 3> NamesOf(TreeMethod /*tag*/) {
  return {
      {{"auto", TreeMethod::kAuto}, {"exact", TreeMethod::kExact}, {"hist", TreeMethod::kHist}}};
}
inline constexpr EnumNames<SplitCriterion, 5> NamesOf(SplitCriterion /*tag*/) {
  return {{{"squared_error", SplitCriterion::kSquaredError},
           {"entropy", SplitCriterion::kEntropy},
           {"random", SplitCriterion::kRandom},
           {"pairwise", SplitCriterion::kPairwise},
           {"listwise", SplitCriterion::kListwise}}};
}
inline constexpr EnumNames<PairWeight, 2> NamesOf(PairWeight /*tag*/) {
  return {{{"one", PairWeight::kOne}, {"difference", PairWeight::kDifference}}};
}
inline constexpr EnumNames<LowerCriterion, 2> NamesOf(LowerCriterion /*tag*/) {
  return {
      {{"entropy", LowerCriterion::kEntropy}, {"squared_error", LowerCriterion::kSquaredError}}};
}
inline constexpr EnumNames<TreeWeights, 2> NamesOf(TreeWeights /*tag*/) {
  return {{{"equal", TreeWeights::kEqual}, {"expected_ndcg", TreeWeights::kExpectedNdcg}}};
}
inline constexpr EnumNames<Relevance, 2> NamesOf(Relevance /*tag*/) {
  return {{{"grade", Relevance::kGrade}, {"exp2", Relevance::kExp2}}};
}
inline constexpr EnumNames<OrdinalScoring, 6> NamesOf(OrdinalScoring /*tag*/) {
  return {{{"expected", OrdinalScoring::kExpected},
           {"square", OrdinalScoring::kSquare},
           {"exp2", OrdinalScoring::kExp2},
           {"ols_train", OrdinalScoring::kOlsTrain},
           {"ols_valid", OrdinalScoring::kOlsValid},
           {"ols_both", OrdinalScoring::kOlsBoth}}};
}
inline constexpr EnumNames<SampleUnit, 2> NamesOf(SampleUnit /*tag*/) {
  return {{{"document", SampleUnit::kDocument}, {"query", SampleUnit::kQuery}}};
}
inline constexpr EnumNames<NegativeSelection, 7> NamesOf(NegativeSelection /*tag*/) {
  return {{{"top", NegativeSelection::kTop},
           {"random", NegativeSelection::kRandom},
           {"gradient", NegativeSelection::kGradient},
           {"mixed", NegativeSelection::kMixed},
           {"adaptive", NegativeSelection::kAdaptive},
           {"fixed_random", NegativeSelection::kFixedRandom},
           {"fixed_feature", NegativeSelection::kFixedFeature}}};
}
inline constexpr EnumNames<InitialScore, 2> NamesOf(InitialScore /*tag*/) {
  return {{{"mean", InitialScore::kMean}, {"zero", InitialScore::kZero}}};
}
inline constexpr EnumNames<RankingObjective, 5> NamesOf(RankingObjective /*tag*/) {
  return {{{"lambdarank", RankingObjective::kLambdaRank},
           {"yetirank", RankingObjective::kYetiRank},
           {"yetiloss", RankingObjective::kYetiLoss},
           {"xe_ndcg", RankingObjective::kXeNdcg},
           {"ndcg_loss2++", RankingObjective::kNdcgLoss2}}};
}
inline constexpr EnumNames<LambdaNorm, 4> NamesOf(LambdaNorm /*tag*/) {
  return {{{"none", LambdaNorm::kNone},
           {"log", LambdaNorm::kLog},
           {"gap", LambdaNorm::kGap},
           {"gap_log", LambdaNorm::kGapLog}}};
}
inline constexpr EnumNames<LambdaLeaf, 2> NamesOf(LambdaLeaf /*tag*/) {
  return {{{"newton", LambdaLeaf::kNewton}, {"mean", LambdaLeaf::kMean}}};
}
inline constexpr EnumNames<BagCombine, 3> NamesOf(BagCombine /*tag*/) {
  return {{{"mean", BagCombine::kMean},
           {"minmax", BagCombine::kMinMax},
           {"borda", BagCombine::kBorda}}};
}
inline constexpr EnumNames<PairWeighting, 2> NamesOf(PairWeighting /*tag*/) {
  return {{{"mean", PairWeighting::kMean}, {"product", PairWeighting::kProduct}}};
}
inline constexpr EnumNames<DropSelection, 2> NamesOf(DropSelection /*tag*/) {
  return {{{"uniform", DropSelection::kUniform}, {"weighted", DropSelection::kWeighted}}};
}
inline constexpr EnumNames<DropNormalization, 2> NamesOf(DropNormalization /*tag*/) {
  return {{{"tree", DropNormalization::kTree}, {"forest", DropNormalization::kForest}}};
}
inline constexpr EnumNames<CostNormalization, 2> NamesOf(CostNormalization /*tag*/) {
  return {
      {{"root_impurity", CostNormalization::kRootImpurity}, {"none", CostNormalization::kNone}}};
}
/// The ways to draw features that have a name; the others are numbers.
inline constexpr EnumNames<FeatureDraw::Kind, 3> NamesOf(FeatureDraw::Kind /*tag*/) {
  return {{{"sqrt", FeatureDraw::Kind::kSqrt},
           {"log2", FeatureDraw::Kind::kLog2},
           {"breiman", FeatureDraw::Kind::kBreiman}}};
}

template <class Visitor>
void VisitFields(TreeSettings& settings, Visitor& visit) {
  visit("max_depth", settings.limits.max_depth);
  visit("max_leaf_nodes", settings.limits.max_leaf_nodes);
  visit("min_samples_leaf", settings.limits.min_samples_leaf);
  visit("min_gain", settings.limits.min_gain);
  visit("max_features", settings.max_features);
  visit("grow_policy", settings.limits.grow_policy);
  visit("missing", settings.limits.missing);
  visit("tree_method", settings.tree_method);
  visit("cost_weight", settings.limits.costs.weight);
  visit("cost_normalization", settings.limits.costs.normalization);
  visit("tree_cost", settings.limits.costs.tree_cost);
}

template <class Visitor>
void VisitFields(OrdinalSettings& settings, Visitor& visit) {
  visit("ordinal", settings.is_ordinal);
  visit("ordinal_scoring", settings.scoring);
}

template <class Visitor>
void VisitFields(ForestSettings& settings, Visitor& visit) {
  visit("n_estimators", settings.n_estimators);
  visit("criterion", settings.criterion.kind);
  visit("pair_weight", settings.criterion.pair_weight);
  visit("listwise_cutoff", settings.criterion.cutoff);
  visit("listwise_levels", settings.criterion.listwise_levels);
  visit("criterion_below", settings.criterion.below);
  visit("relevance", settings.relevance);
  visit("tree_weights", settings.tree_weights);
  VisitFields(settings.ordinal, visit);
  VisitFields(settings.trees, visit);
  visit("bootstrap", settings.sample.with_replacement);
  visit("subsample", settings.sample.fraction);
  visit("subsample_unit", settings.sample.unit);
  visit("cost_stage", settings.cost_stage);
}

template <class Visitor>
void VisitFields(BoostSettings& settings, Visitor& visit) {
  visit("n_estimators", settings.n_estimators);
  visit("learning_rate", settings.learning_rate);
  VisitFields(settings.trees, visit);
  visit("subsample", settings.sample.fraction);
  visit("subsample_unit", settings.sample.unit);
  visit("early_stopping_rounds", settings.early_stopping_rounds);
  visit("min_delta", settings.min_delta);
  visit("overfit_tolerance", settings.overfit.tolerance);
  visit("overfit_rounds", settings.overfit.max_rounds);
}

template <class Visitor>
void VisitFields(MartSettings& settings, Visitor& visit) {
  VisitFields(settings.boost, visit);
  visit("init", settings.init);
  VisitFields(settings.ordinal, visit);
}

/// The forest's parameters have the prefix of their own name space: `forest`.
template <class Visitor>
void VisitFields(IgbrtSettings& settings, Visitor& visit) {
  visit("forest", settings.forest);
  VisitFields(settings.boost, visit);
  VisitFields(settings.ordinal, visit);
}

template <class Visitor>
void VisitFields(LambdaMartSettings& settings, Visitor& visit) {
  VisitFields(settings.boost, visit);
  visit("min_hessian", settings.boost.trees.min_hessian);
  visit("l2_regularization", settings.boost.trees.l2_regularization);
  visit("objective", settings.objective);
  visit("metric", settings.metric);
  visit("truncation", settings.lambda.truncation);
  visit("sigma", settings.lambda.sigma);
  visit("lambda_norm", settings.lambda.norm);
  visit("leaf", settings.lambda.leaf);
  visit("pair_weighting", settings.lambda.pair_weighting);
  visit("n_permutations", settings.yeti.n_permutations);
  visit("noise", settings.yeti.noise);
  visit("decay", settings.yeti.decay);
  visit("mu", settings.mu);
}

template <class Visitor>
void VisitFields(BagSettings& settings, Visitor& visit) {
  visit("n_bags", settings.n_bags);
  visit("query_fraction", settings.query_fraction);
  visit("combine", settings.combine);
}

template <class Visitor>
void VisitFields(SelGbSettings& settings, Visitor& visit) {
  VisitFields(settings.lambdamart, visit);
  visit("negative_fraction", settings.negatives.fraction);
  visit("reselect_every", settings.negatives.reselect_every);
  visit("selection", settings.negatives.selection);
  visit("top_share", settings.negatives.top_share);
  visit("base_feature", settings.negatives.base_feature);
}

/// Whether dropped trees may stay out is the algorithm's, DART or X-DART, and no parameter.
template <class Visitor>
void VisitFields(DartSettings& settings, Visitor& visit) {
  VisitFields(settings.lambdamart, visit);
  visit("drop_rate", settings.drop.drop_rate);
  visit("skip_drop", settings.drop.skip_drop);
  visit("one_drop", settings.drop.one_drop);
  visit("max_drop", settings.drop.max_drop);
  visit("drop_selection", settings.drop.selection);
  visit("drop_normalization", settings.drop.normalization);
}

}  // namespace rankforest
