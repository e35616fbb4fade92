#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "rankforest/train/broof_errors.hpp"
#include "rankforest/train/broof_examples.hpp"
#include "rankforest/train/broof_iteration.hpp"
#include "rankforest/train/broof_settings.hpp"
#include "rankforest/train/broof_updates.hpp"
#include "rankforest/train/broof_weights.hpp"

namespace rankforest {

/// Errors on the scale that settings ask for.
inline std::function<std::vector<double>(const BroofIteration&)> Normalized(
    std::function<std::vector<double>(const BroofIteration&)> errors,
    ErrorNormalization normalization) {
  if (normalization == ErrorNormalization::kNone) return errors;
  return SharesOfLargestError(std::move(errors));
}

namespace detail {

inline std::function<std::vector<double>(const BroofIteration&)> ErrorsOf(
    const BroofSettings& settings) {
  const ErrorNormalization normalization = settings.error_normalization;
  if (*settings.errors == BroofErrors::kHeight) {
    return HeightErrors{normalization == ErrorNormalization::kMax};
  }
  if (*settings.errors == BroofErrors::kMedian) return Normalized(MedianErrors(), normalization);
  return Normalized(AbsoluteErrors{*settings.examples == BroofExamples::kResidue}, normalization);
}

}  // namespace detail

/// The extension points that settings name. Any may be replaced before they are handed to Broof.
inline BroofParts PartsOf(const BroofSettings& given) {
  const BroofSettings settings = Resolved(given);
  BroofParts parts;
  parts.initial_weights = UniformWeights();
  if (settings.initial_weights == BroofInitialWeights::kRandom) {
    parts.initial_weights = RandomWeights();
  }
  parts.examples = IdentityExamples();
  if (*settings.examples == BroofExamples::kResidue) parts.examples = ResidueExamples();
  parts.validation_set = OutOfBagSet();
  if (settings.validation_set == BroofValidation::kTrain) {
    parts.validation_set = WholeTrainingSet();
  }
  parts.errors = detail::ErrorsOf(settings);
  switch (*settings.learner_weight) {
    case BroofLearnerWeight::kBeta:
      parts.learner_weight = BetaWeight();
      break;
    case BroofLearnerWeight::kLogInverseBeta:
      parts.learner_weight = LogInverseBetaWeight();
      break;
    case BroofLearnerWeight::kConstant:
      parts.learner_weight = ConstantWeight();
      break;
  }
  switch (*settings.example_weights) {
    case BroofExampleWeights::kOutOfBag:
      parts.example_weights = OutOfBagUpdate();
      break;
    case BroofExampleWeights::kTrain:
      parts.example_weights = WholeUpdate();
      break;
    case BroofExampleWeights::kConstant:
      parts.example_weights = KeptWeights();
      break;
  }
  return parts;
}

}  // namespace rankforest
