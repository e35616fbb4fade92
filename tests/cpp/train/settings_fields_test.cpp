#include "rankforest/train/settings_fields.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rankforest {

namespace {

/// Notes the names and the addresses of what it visits.
struct Collector {
  std::vector<std::string> names;
  std::set<const void*> fields;

  template <class Field>
  void operator()(const char* name, Field& field) {
    names.emplace_back(name);
    fields.insert(&field);
  }
};

template <class Settings>
std::vector<std::string> NamesIn(Settings settings) {
  Collector collector;
  VisitFields(settings, collector);
  CHECK(collector.fields.size() == collector.names.size());  // no field under two names
  std::vector<std::string> names = collector.names;
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  return names;
}

std::vector<std::string> Sorted(std::vector<std::string> names) {
  const std::vector<std::string> of_trees = {
      "max_depth",    "max_leaf_nodes",     "min_samples_leaf", "min_gain",
      "max_features", "grow_policy",        "missing",          "tree_method",
      "cost_weight",  "cost_normalization", "tree_cost"};
  names.insert(names.end(), of_trees.begin(), of_trees.end());
  std::sort(names.begin(), names.end());
  return names;
}

/// Gives one field a value that is not its default.
class Changer {
 public:
  explicit Changer(std::string name) : name_(std::move(name)) {}

  template <class Field>
  void operator()(const char* name, Field& field) {
    if (name_ != name) return;
    if constexpr (std::is_same_v<Field, std::uint32_t> || std::is_same_v<Field, double>) {
      field += 1;
    } else if constexpr (std::is_same_v<Field, std::optional<std::uint32_t>>) {
      field = field.value_or(0) + 7;
    } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
      field = field.value_or(0.0) + 0.5;
    } else if constexpr (std::is_same_v<Field, bool>) {
      field = !field;
    } else if constexpr (std::is_enum_v<Field>) {
      field = static_cast<Field>(field == static_cast<Field>(0) ? 1 : 0);
    } else if constexpr (std::is_same_v<Field, LeafSize>) {
      field.amount += 1.0;
    } else if constexpr (std::is_same_v<Field, FeatureDraw>) {
      field = {FeatureDraw::Kind::kCount, 3.0};
    } else if constexpr (std::is_same_v<Field, Metric>) {
      field = Metric::Parse("map");
    } else {
      static_assert(std::is_same_v<Field, ForestSettings>);
      field.n_estimators += 1;
    }
  }

 private:
  std::string name_;
};

template <class Settings>
Settings Changed(Settings settings, const std::string& name) {
  Changer changer(name);
  VisitFields(settings, changer);
  return settings;
}

template <class Enum, std::size_t N>
void CheckNames(const EnumNames<Enum, N>& names) {
  std::set<std::string_view> distinct;
  std::set<Enum> values;
  for (const auto& [name, value] : names) {
    distinct.insert(name);
    values.insert(value);
  }
  CHECK(distinct.size() == N);
  CHECK(values.size() == N);
}

}  // namespace

TEST_CASE("every recipe visits its parameters, each once, under the estimators' names") {
  const std::vector<std::string> of_forests =
      Sorted({"n_estimators", "criterion", "pair_weight", "listwise_cutoff", "listwise_levels",
              "criterion_below", "relevance", "tree_weights", "ordinal", "ordinal_scoring",
              "bootstrap", "subsample", "subsample_unit", "cost_stage"});
  CHECK(NamesIn(RandomForestDefaults()) == of_forests);
  CHECK(NamesIn(ExtraTreesDefaults()) == of_forests);
  CHECK(NamesIn(MartDefaults()) ==
        Sorted({"n_estimators", "learning_rate", "subsample", "subsample_unit",
                "early_stopping_rounds", "min_delta", "overfit_tolerance", "overfit_rounds", "init",
                "ordinal", "ordinal_scoring"}));
  CHECK(NamesIn(IgbrtDefaults()) ==
        Sorted({"n_estimators", "learning_rate", "subsample", "subsample_unit",
                "early_stopping_rounds", "min_delta", "overfit_tolerance", "overfit_rounds",
                "forest", "ordinal", "ordinal_scoring"}));
  const std::vector<std::string> of_lambdamart = {"n_estimators",
                                                  "learning_rate",
                                                  "subsample",
                                                  "subsample_unit",
                                                  "early_stopping_rounds",
                                                  "min_delta",
                                                  "overfit_tolerance",
                                                  "overfit_rounds",
                                                  "min_hessian",
                                                  "metric",
                                                  "truncation",
                                                  "sigma",
                                                  "lambda_norm",
                                                  "l2_regularization",
                                                  "leaf",
                                                  "pair_weighting",
                                                  "objective",
                                                  "noise",
                                                  "n_permutations",
                                                  "decay",
                                                  "mu"};
  CHECK(NamesIn(LambdaMartDefaults()) == Sorted(of_lambdamart));
  std::vector<std::string> of_dart = {"drop_rate", "skip_drop",      "one_drop",
                                      "max_drop",  "drop_selection", "drop_normalization"};
  of_dart.insert(of_dart.end(), of_lambdamart.begin(), of_lambdamart.end());
  CHECK(NamesIn(DartDefaults()) == Sorted(of_dart));
  Collector of_bag;
  BagSettings bag;
  VisitFields(bag, of_bag);
  CHECK(of_bag.names == std::vector<std::string>{"n_bags", "query_fraction", "combine"});
}

TEST_CASE("a name is bound to the setting that it says") {
  const LambdaMartSettings before = LambdaMartDefaults();
  const auto after = [&](const char* name) { return Changed(before, name); };
  CHECK(after("n_estimators").boost.n_estimators == 301);
  CHECK(after("learning_rate").boost.learning_rate == 1.1);
  CHECK(after("max_depth").boost.trees.limits.max_depth == 7);
  CHECK(after("max_leaf_nodes").boost.trees.limits.max_leaf_nodes == 38);
  CHECK(after("min_samples_leaf").boost.trees.limits.min_samples_leaf.amount == 21.0);
  CHECK(after("min_gain").boost.trees.limits.min_gain == 1.0);
  CHECK(after("max_features").boost.trees.max_features.amount == 3.0);
  CHECK(after("grow_policy").boost.trees.limits.grow_policy == GrowPolicy::kDepthWise);
  CHECK(after("missing").boost.trees.limits.missing == MissingRule::kThird);
  CHECK(after("tree_method").boost.trees.tree_method == TreeMethod::kExact);
  CHECK(after("subsample").boost.sample.fraction == 2.0);
  CHECK(after("subsample_unit").boost.sample.unit == SampleUnit::kDocument);
  CHECK(after("early_stopping_rounds").boost.early_stopping_rounds == 7);
  CHECK(after("min_delta").boost.min_delta == 1.0);
  CHECK(after("overfit_tolerance").boost.overfit.tolerance == 0.5);
  CHECK(after("overfit_rounds").boost.overfit.max_rounds == 251);
  CHECK(Changed(BagSettings(), "n_bags").n_bags == 21);
  CHECK(Changed(BagSettings(), "query_fraction").query_fraction == 1.67);
  CHECK(Changed(BagSettings(), "combine").combine == BagCombine::kMean);
  CHECK(after("min_hessian").boost.trees.min_hessian == 1.001);
  CHECK(after("l2_regularization").boost.trees.l2_regularization == 1.0);
  CHECK(after("metric").metric == Metric::Parse("map"));
  CHECK(after("truncation").lambda.truncation == 37);
  CHECK(after("sigma").lambda.sigma == 2.0);
  CHECK(after("lambda_norm").lambda.norm != before.lambda.norm);
  CHECK(after("leaf").lambda.leaf == LambdaLeaf::kMean);
  CHECK(after("pair_weighting").lambda.pair_weighting == PairWeighting::kProduct);
  CHECK(after("objective").objective != before.objective);
  CHECK(after("n_permutations").yeti.n_permutations == 11);
  CHECK(after("noise").yeti.noise == 2.0);
  CHECK(after("decay").yeti.decay == 1.85);
  CHECK(after("mu").mu == 11.0);
  CHECK_FALSE(Changed(RandomForestDefaults(), "bootstrap").sample.with_replacement);
  CHECK(Changed(RandomForestDefaults(), "criterion").criterion.kind == SplitCriterion::kEntropy);
  CHECK(Changed(RandomForestDefaults(), "pair_weight").criterion.pair_weight ==
        PairWeight::kDifference);
  CHECK(Changed(RandomForestDefaults(), "listwise_cutoff").criterion.cutoff == 7);
  CHECK(Changed(RandomForestDefaults(), "listwise_levels").criterion.listwise_levels == 7);
  CHECK(Changed(RandomForestDefaults(), "criterion_below").criterion.below ==
        LowerCriterion::kSquaredError);
  CHECK(Changed(RandomForestDefaults(), "tree_weights").tree_weights == TreeWeights::kExpectedNdcg);
  CHECK(Changed(RandomForestDefaults(), "relevance").relevance == Relevance::kExp2);
  CHECK(Changed(RandomForestDefaults(), "ordinal").ordinal.is_ordinal);
  CHECK(Changed(RandomForestDefaults(), "ordinal_scoring").ordinal.scoring ==
        OrdinalScoring::kSquare);
  CHECK(Changed(MartDefaults(), "ordinal").ordinal.is_ordinal);
  CHECK(Changed(IgbrtDefaults(), "ordinal").ordinal.is_ordinal);
  CHECK_FALSE(Changed(IgbrtDefaults(), "ordinal").forest.ordinal.is_ordinal);
  CHECK(Changed(MartDefaults(), "init").init == InitialScore::kZero);
  CHECK(Changed(IgbrtDefaults(), "forest").forest.n_estimators == 501);
  CHECK(Changed(IgbrtDefaults(), "forest").boost.n_estimators == 500);
  CHECK(Changed(IgbrtDefaults(), "n_estimators").boost.n_estimators == 501);
}

TEST_CASE("the names of a choice are distinct, and so are their values") {
  CheckNames(NamesOf(MissingRule()));
  CheckNames(NamesOf(GrowPolicy()));
  CheckNames(NamesOf(SampleUnit()));
  CheckNames(NamesOf(TreeMethod()));
  CheckNames(NamesOf(InitialScore()));
  CheckNames(NamesOf(SplitCriterion()));
  CheckNames(NamesOf(PairWeight()));
  CheckNames(NamesOf(LowerCriterion()));
  CheckNames(NamesOf(Relevance()));
  CheckNames(NamesOf(TreeWeights()));
  CheckNames(NamesOf(OrdinalScoring()));
  CheckNames(NamesOf(RankingObjective()));
  CheckNames(NamesOf(LambdaNorm()));
  CheckNames(NamesOf(LambdaLeaf()));
  CheckNames(NamesOf(FeatureDraw::Kind()));
  CheckNames(NamesOf(BagCombine()));
  CheckNames(NamesOf(DropSelection()));
  CheckNames(NamesOf(DropNormalization()));
  CHECK(NamesOf(LambdaNorm())[3].first == "gap_log");
  CHECK(NamesOf(LambdaNorm())[3].second == LambdaNorm::kGapLog);
  CHECK(NamesOf(RankingObjective())[1].first == "yetirank");
  CHECK(NamesOf(RankingObjective())[1].second == RankingObjective::kYetiRank);
  CHECK(NamesOf(FeatureDraw::Kind())[2].first == "breiman");
  CHECK(NamesOf(FeatureDraw::Kind())[2].second == FeatureDraw::Kind::kBreiman);
}

TEST_CASE("the names of dropout are bound to what they say") {
  const DropSettings before;
  CHECK(Changed(DartDefaults(), "drop_rate").drop.drop_rate == before.drop_rate + 1.0);
  CHECK(Changed(DartDefaults(), "skip_drop").drop.skip_drop == before.skip_drop + 1.0);
  CHECK(Changed(DartDefaults(), "one_drop").drop.one_drop != before.one_drop);
  CHECK(Changed(DartDefaults(), "max_drop").drop.max_drop == *before.max_drop + 7);
  CHECK(Changed(DartDefaults(), "drop_selection").drop.selection == DropSelection::kWeighted);
  CHECK(Changed(DartDefaults(), "drop_normalization").drop.normalization ==
        DropNormalization::kForest);
  CHECK(Changed(DartDefaults(), "sigma").lambdamart.lambda.sigma == 2.0);
}

}  // namespace rankforest
