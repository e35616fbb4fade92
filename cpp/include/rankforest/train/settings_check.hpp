#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "rankforest/criterion/settings.hpp"
#include "rankforest/metric/text.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/train/dropout.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/tree/limits.hpp"

namespace rankforest {

namespace detail {

/// Throws unless `holds`; the message names the parameter, its range and the value.
inline void Require(bool holds, const char* name, const char* range, double value) {
  if (holds) return;
  throw std::invalid_argument(std::string(name) + " must be " + range + ", got " +
                              NumberToString(value));
}

/// Oblivious trees are full: they have as many leaves as a power of two.
inline void CheckOblivious(const TreeLimits& limits) {
  constexpr std::uint32_t kMostLeaves = 1U << kMostLevels;
  if (limits.max_depth) {
    Require(*limits.max_depth <= kMostLevels, "max_depth", "<= 16 with grow_policy=\"oblivious\"",
            *limits.max_depth);
  }
  if (limits.max_leaf_nodes) {
    const std::uint32_t most = *limits.max_leaf_nodes;
    Require(
        (most & (most - 1)) == 0 && most <= kMostLeaves, "max_leaf_nodes",
        "None or a power of two up to 65536 with grow_policy=\"oblivious\", whose trees of depth "
        "d have 2^d leaves",
        most);
  }
  if (limits.missing == MissingRule::kThird) {
    throw std::invalid_argument(
        "missing=\"third\" does not go with grow_policy=\"oblivious\", whose nodes have two "
        "children: use \"learn\"");
  }
}

}  // namespace detail

// Check(settings) throws std::invalid_argument for the first parameter that is out of range.

inline void Check(const TreeSettings& settings) {
  using detail::Require;
  const TreeLimits& limits = settings.limits;
  if (limits.max_depth) Require(*limits.max_depth >= 1, "max_depth", ">= 1", *limits.max_depth);
  if (limits.max_leaf_nodes) {
    Require(*limits.max_leaf_nodes >= 2, "max_leaf_nodes", ">= 2", *limits.max_leaf_nodes);
  }
  constexpr const char* kLeafRange = "a count from 1 to 4294967295 or a fraction in (0, 1)";
  const LeafSize leaf = limits.min_samples_leaf;
  if (leaf.is_fraction) {
    Require(leaf.amount > 0.0 && leaf.amount < 1.0, "min_samples_leaf", kLeafRange, leaf.amount);
  } else {
    Require(leaf.amount >= 1.0 && leaf.amount <= 4294967295.0, "min_samples_leaf", kLeafRange,
            leaf.amount);
  }
  Require(limits.min_gain >= 0.0, "min_gain", ">= 0", limits.min_gain);
  const FeatureDraw draw = settings.max_features;
  if (draw.kind == FeatureDraw::Kind::kCount) {
    Require(draw.amount >= 1.0 && draw.amount <= 4294967295.0, "max_features",
            "a count from 1 to 4294967295", draw.amount);
  }
  if (draw.kind == FeatureDraw::Kind::kFraction) {
    Require(draw.amount > 0.0 && draw.amount <= 1.0, "max_features", "a fraction in (0, 1]",
            draw.amount);
  }
  Require(settings.min_hessian >= 0.0, "min_hessian", ">= 0", settings.min_hessian);
  Require(settings.l2_regularization >= 0.0 && std::isfinite(settings.l2_regularization),
          "l2_regularization", "finite and >= 0", settings.l2_regularization);
  const CostSettings& costs = limits.costs;
  Require(costs.weight >= 0.0 && std::isfinite(costs.weight), "cost_weight", "finite and >= 0",
          costs.weight);
  Require(costs.tree_cost >= 0.0 && std::isfinite(costs.tree_cost), "tree_cost", "finite and >= 0",
          costs.tree_cost);
  if (limits.grow_policy == GrowPolicy::kOblivious) detail::CheckOblivious(limits);
}

inline void Check(const SampleSettings& settings) {
  detail::Require(settings.fraction > 0.0 && settings.fraction <= 1.0, "subsample", "in (0, 1]",
                  settings.fraction);
}

namespace detail {

/// What a forest of 0 and 1 does not go with.
inline void CheckOrdinal(const ForestSettings& settings) {
  if (!settings.ordinal.is_ordinal) return;
  const SplitCriterion kind = settings.criterion.kind;
  if (kind == SplitCriterion::kPairwise || kind == SplitCriterion::kListwise) {
    throw std::invalid_argument(
        "ordinal=True needs criterion=\"squared_error\", \"entropy\" or \"random\": the others "
        "rank by grades, and its trees learn whether a grade is at most another");
  }
  if (settings.relevance != Relevance::kGrade) {
    throw std::invalid_argument(
        "ordinal=True needs relevance=\"grade\": its trees predict probabilities; "
        "ordinal_scoring=\"exp2\" lets a grade count 2^grade");
  }
  if (settings.tree_weights != TreeWeights::kEqual) {
    throw std::invalid_argument(
        "ordinal=True needs tree_weights=\"equal\": a tree of one of its problems ranks nothing "
        "alone");
  }
}

}  // namespace detail

inline void Check(const ForestSettings& settings) {
  detail::Require(settings.n_estimators >= 1, "n_estimators", ">= 1", settings.n_estimators);
  Check(settings.trees);
  Check(settings.sample);
  const CriterionSettings& criterion = settings.criterion;
  if (criterion.cutoff) {
    detail::Require(*criterion.cutoff >= 1, "listwise_cutoff", ">= 1", *criterion.cutoff);
  }
  if (criterion.listwise_levels) {
    detail::Require(*criterion.listwise_levels >= 1, "listwise_levels", ">= 1",
                    *criterion.listwise_levels);
  }
  detail::Require(settings.cost_stage >= 1, "cost_stage", ">= 1", settings.cost_stage);
  detail::CheckOrdinal(settings);
  const bool is_squared = settings.criterion.kind == SplitCriterion::kSquaredError;
  if (!is_squared && settings.trees.limits.missing == MissingRule::kThird) {
    throw std::invalid_argument(
        "missing=\"third\" needs criterion=\"squared_error\": the other criteria divide a node in "
        "two");
  }
  if (!is_squared && settings.trees.limits.grow_policy == GrowPolicy::kOblivious) {
    throw std::invalid_argument(
        "grow_policy=\"oblivious\" needs criterion=\"squared_error\": the other criteria look at "
        "one node at a time");
  }
}

/// For trees whose thresholds are drawn.
inline void CheckRandomThresholds(const ForestSettings& settings) {
  if (settings.trees.limits.grow_policy == GrowPolicy::kOblivious) {
    throw std::invalid_argument(
        "grow_policy=\"oblivious\" searches the best threshold of a level: extremely randomised "
        "trees draw theirs at random, node by node");
  }
}

inline void Check(const BoostSettings& settings) {
  detail::Require(settings.n_estimators >= 1, "n_estimators", ">= 1", settings.n_estimators);
  detail::Require(settings.learning_rate > 0.0 && settings.learning_rate <= 1.0, "learning_rate",
                  "in (0, 1]", settings.learning_rate);
  if (settings.early_stopping_rounds) {
    detail::Require(*settings.early_stopping_rounds >= 1, "early_stopping_rounds", ">= 1",
                    *settings.early_stopping_rounds);
  }
  detail::Require(settings.min_delta >= 0.0 && std::isfinite(settings.min_delta), "min_delta",
                  "finite and >= 0", settings.min_delta);
  if (settings.overfit.tolerance) {
    const double tolerance = *settings.overfit.tolerance;
    detail::Require(tolerance >= 0.0 && std::isfinite(tolerance), "overfit_tolerance",
                    "finite and >= 0", tolerance);
    if (!settings.early_stopping_rounds) {
      throw std::invalid_argument(
          "overfit_tolerance keeps rounds behind the best one, which early_stopping_rounds finds: "
          "set both");
    }
  }
  detail::Require(settings.overfit.max_rounds >= 1, "overfit_rounds", ">= 1",
                  settings.overfit.max_rounds);
  Check(settings.trees);
  Check(settings.sample);
}

inline void Check(const LambdaMartSettings& settings) {
  Check(settings.boost);
  detail::Require(settings.lambda.sigma > 0.0 && std::isfinite(settings.lambda.sigma), "sigma",
                  "finite and > 0", settings.lambda.sigma);
  if (settings.lambda.truncation) {
    detail::Require(*settings.lambda.truncation >= 1, "truncation", ">= 1",
                    *settings.lambda.truncation);
  }
  const YetiSettings& yeti = settings.yeti;
  detail::Require(yeti.n_permutations >= 1, "n_permutations", ">= 1", yeti.n_permutations);
  detail::Require(yeti.noise >= 0.0 && std::isfinite(yeti.noise), "noise", "finite and >= 0",
                  yeti.noise);
  detail::Require(yeti.decay > 0.0 && yeti.decay <= 1.0, "decay", "in (0, 1]", yeti.decay);
  detail::Require(settings.mu >= 0.0 && std::isfinite(settings.mu), "mu", "finite and >= 0",
                  settings.mu);
}

inline void Check(const BagSettings& settings) {
  detail::Require(settings.n_bags >= 1, "n_bags", ">= 1", settings.n_bags);
  detail::Require(settings.query_fraction > 0.0 && settings.query_fraction <= 1.0, "query_fraction",
                  "in (0, 1]", settings.query_fraction);
}

/// @param n_features  of the training data
inline void Check(const SelGbSettings& settings, std::size_t n_features) {
  Check(settings.lambdamart);
  const NegativeSettings& negatives = settings.negatives;
  detail::Require(negatives.fraction > 0.0 && negatives.fraction <= 1.0, "negative_fraction",
                  "in (0, 1]", negatives.fraction);
  detail::Require(negatives.reselect_every >= 1, "reselect_every", ">= 1",
                  negatives.reselect_every);
  detail::Require(negatives.top_share >= 0.0 && negatives.top_share <= 1.0, "top_share",
                  "in [0, 1]", negatives.top_share);
  if (negatives.selection != NegativeSelection::kFixedFeature) return;
  if (!negatives.base_feature.has_value()) {
    throw std::invalid_argument("selection=\"fixed_feature\" needs a base_feature");
  }
  if (*negatives.base_feature >= n_features) {
    throw std::invalid_argument("base_feature must be below the number of features, " +
                                std::to_string(n_features) + ", got " +
                                std::to_string(*negatives.base_feature));
  }
}

inline void Check(const DropSettings& settings) {
  detail::Require(settings.drop_rate >= 0.0 && settings.drop_rate <= 1.0, "drop_rate", "in [0, 1]",
                  settings.drop_rate);
  detail::Require(settings.skip_drop >= 0.0 && settings.skip_drop <= 1.0, "skip_drop", "in [0, 1]",
                  settings.skip_drop);
  if (settings.max_drop) {
    detail::Require(*settings.max_drop >= 1, "max_drop", ">= 1", *settings.max_drop);
  }
}

inline void Check(const DartSettings& settings) {
  Check(settings.lambdamart);
  Check(settings.drop);
}

/// Boosting goes on from the scores of its forest while no query is held out.
inline void Check(const IgbrtSettings& settings) {
  Check(settings.forest);
  Check(settings.boost);
  if (settings.forest.tree_weights != TreeWeights::kEqual) {
    throw std::invalid_argument("the forest that boosting starts from has tree_weights=\"equal\"");
  }
  if (settings.forest.ordinal.is_ordinal) {
    throw std::invalid_argument(
        "the forest that boosting starts from has ordinal=False: that of boosting holds for both");
  }
  ForestSettings forest = settings.forest;
  forest.ordinal = settings.ordinal;
  detail::CheckOrdinal(forest);
}

/// For objectives that only make sense on whole queries.
inline void CheckWholeQueries(const SampleSettings& settings) {
  if (settings.fraction < 1.0 && settings.unit == SampleUnit::kDocument) {
    throw std::invalid_argument("this objective sees whole queries: use subsample_unit=\"query\"");
  }
}

}  // namespace rankforest
