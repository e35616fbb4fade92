#pragma once

#include <cstdint>
#include <optional>

#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/train/settings_check.hpp"
#include "rankforest/train/settings_fields.hpp"

// Parameters of BROOF: defaults, names and ranges.

namespace rankforest {

/// The paper's instances: what the extension points are where they are not set.
enum class BroofVariant : std::uint8_t { kAbsolute = 0, kMedian = 1, kHeight = 2, kGradient = 3 };

/// Weights of documents before the first iteration.
enum class BroofInitialWeights : std::uint8_t { kUniform = 0, kRandom = 1 };

/// What a forest learns: the grades, or what the last ones left over of them.
enum class BroofExamples : std::uint8_t { kIdentity = 0, kResidue = 1 };

/// Which predictions errors are measured on.
enum class BroofValidation : std::uint8_t { kOutOfBag = 0, kTrain = 1 };

/// How wrong a prediction is: see broof_errors.hpp.
enum class BroofErrors : std::uint8_t { kAbsolute = 0, kMedian = 1, kHeight = 2 };

/// What errors are divided by.
enum class ErrorNormalization : std::uint8_t {
  /// The largest of the iteration; heights by the number of documents that they could count.
  kMax = 0,
  kNone = 1,
};

/// What a forest counts: see broof_weights.hpp.
enum class BroofLearnerWeight : std::uint8_t { kBeta = 0, kLogInverseBeta = 1, kConstant = 2 };

/// Whose weights an iteration changes.
enum class BroofExampleWeights : std::uint8_t { kOutOfBag = 0, kTrain = 1, kConstant = 2 };

struct BroofSettings {
  BroofVariant variant = BroofVariant::kGradient;
  std::uint32_t n_estimators = 100;     ///< trees of a forest, >= 1
  std::uint32_t max_iter = 500;         ///< forests, >= 1
  std::optional<double> learning_rate;  ///< eta, in (0, 1]
  BroofInitialWeights initial_weights = BroofInitialWeights::kUniform;
  std::optional<BroofExamples> examples;
  BroofValidation validation_set = BroofValidation::kOutOfBag;
  std::optional<BroofErrors> errors;
  ErrorNormalization error_normalization = ErrorNormalization::kMax;
  std::optional<BroofLearnerWeight> learner_weight;
  std::optional<BroofExampleWeights> example_weights;
  TreeSettings trees;
  double subsample = 1.0;        ///< of the documents, drawn with replacement, in (0, 1]
  std::uint32_t cost_stage = 8;  ///< trees that do not know what each other pays, >= 1
  std::optional<std::uint32_t> early_stopping_rounds;  ///< iterations
  double min_delta = 0.0;
};

/// The paper's trees: 100 leaves, 30 % of the features a split.
inline BroofSettings BroofDefaults() {
  BroofSettings settings;
  settings.trees.max_features = {FeatureDraw::Kind::kFraction, 0.3};
  settings.trees.limits.max_leaf_nodes = 100;
  return settings;
}

/// The settings with what their variant says where they say nothing (table 1 of the paper, which
/// does not give eta).
inline BroofSettings Resolved(BroofSettings settings) {
  const bool is_gradient = settings.variant == BroofVariant::kGradient;
  const auto fill = [](auto& field, auto value) { field = field.value_or(value); };
  fill(settings.learning_rate, is_gradient ? 0.1 : 1.0);
  fill(settings.examples, is_gradient ? BroofExamples::kResidue : BroofExamples::kIdentity);
  fill(settings.errors, settings.variant == BroofVariant::kMedian   ? BroofErrors::kMedian
                        : settings.variant == BroofVariant::kHeight ? BroofErrors::kHeight
                                                                    : BroofErrors::kAbsolute);
  fill(settings.learner_weight,
       is_gradient ? BroofLearnerWeight::kConstant : BroofLearnerWeight::kLogInverseBeta);
  fill(settings.example_weights,
       is_gradient ? BroofExampleWeights::kConstant : BroofExampleWeights::kOutOfBag);
  return settings;
}

inline constexpr EnumNames<BroofVariant, 4> NamesOf(BroofVariant /*tag*/) {
  return {{{"absolute", BroofVariant::kAbsolute},
           {"median", BroofVariant::kMedian},
           {"height", BroofVariant::kHeight},
           {"gradient", BroofVariant::kGradient}}};
}
inline constexpr EnumNames<BroofInitialWeights, 2> NamesOf(BroofInitialWeights /*tag*/) {
  return {{{"uniform", BroofInitialWeights::kUniform}, {"random", BroofInitialWeights::kRandom}}};
}
inline constexpr EnumNames<BroofExamples, 2> NamesOf(BroofExamples /*tag*/) {
  return {{{"identity", BroofExamples::kIdentity}, {"residue", BroofExamples::kResidue}}};
}
inline constexpr EnumNames<BroofValidation, 2> NamesOf(BroofValidation /*tag*/) {
  return {{{"out_of_bag", BroofValidation::kOutOfBag}, {"train", BroofValidation::kTrain}}};
}
inline constexpr EnumNames<BroofErrors, 3> NamesOf(BroofErrors /*tag*/) {
  return {{{"absolute", BroofErrors::kAbsolute},
           {"median", BroofErrors::kMedian},
           {"height", BroofErrors::kHeight}}};
}
inline constexpr EnumNames<ErrorNormalization, 2> NamesOf(ErrorNormalization /*tag*/) {
  return {{{"max", ErrorNormalization::kMax}, {"none", ErrorNormalization::kNone}}};
}
inline constexpr EnumNames<BroofLearnerWeight, 3> NamesOf(BroofLearnerWeight /*tag*/) {
  return {{{"beta", BroofLearnerWeight::kBeta},
           {"log_inverse_beta", BroofLearnerWeight::kLogInverseBeta},
           {"constant", BroofLearnerWeight::kConstant}}};
}
inline constexpr EnumNames<BroofExampleWeights, 3> NamesOf(BroofExampleWeights /*tag*/) {
  return {{{"out_of_bag", BroofExampleWeights::kOutOfBag},
           {"train", BroofExampleWeights::kTrain},
           {"constant", BroofExampleWeights::kConstant}}};
}

template <class Visitor>
void VisitFields(BroofSettings& settings, Visitor& visit) {
  visit("variant", settings.variant);
  visit("n_estimators", settings.n_estimators);
  visit("max_iter", settings.max_iter);
  visit("learning_rate", settings.learning_rate);
  visit("initial_weights", settings.initial_weights);
  visit("examples", settings.examples);
  visit("validation_set", settings.validation_set);
  visit("errors", settings.errors);
  visit("error_normalization", settings.error_normalization);
  visit("learner_weight", settings.learner_weight);
  visit("example_weights", settings.example_weights);
  VisitFields(settings.trees, visit);
  visit("subsample", settings.subsample);
  visit("cost_stage", settings.cost_stage);
  visit("early_stopping_rounds", settings.early_stopping_rounds);
  visit("min_delta", settings.min_delta);
}

/// Throws std::invalid_argument for the first parameter that is out of range.
inline void Check(const BroofSettings& settings) {
  detail::CheckAtLeastOne("n_estimators", settings.n_estimators);
  detail::CheckAtLeastOne("max_iter", settings.max_iter);
  const double eta = settings.learning_rate.value_or(1.0);
  detail::Require(eta > 0.0 && eta <= 1.0, "learning_rate", "in (0, 1]", eta);
  Check(settings.trees);
  detail::Require(settings.subsample > 0.0 && settings.subsample <= 1.0, "subsample", "in (0, 1]",
                  settings.subsample);
  detail::CheckAtLeastOne("cost_stage", settings.cost_stage);
  detail::CheckStopping(settings.early_stopping_rounds, settings.min_delta);
}

}  // namespace rankforest
