#pragma once

#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/sample/negatives.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/sampler.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

/// What rounds, or the trees of a forest, train on.
inline Sampler SamplerOf(const SampleSettings& settings) {
  if (settings.unit == SampleUnit::kQuery) {
    return settings.fraction < 1.0 ? Sampler(SubsampleQueries{settings.fraction}) : Sampler();
  }
  if (settings.with_replacement) return Sampler(Bootstrap{settings.fraction});
  return settings.fraction < 1.0 ? Sampler(SubsampleRows{settings.fraction}) : Sampler();
}

/// The same with a selection of the negatives among what `settings` draws.
inline Sampler SamplerOf(const SampleSettings& settings, const NegativeSettings& negatives) {
  if (settings.fraction >= 1.0) return Sampler(SelectNegatives(negatives));
  if (settings.unit == SampleUnit::kQuery) {
    return Sampler(SelectNegatives(negatives, SubsampleQueries{settings.fraction}));
  }
  return Sampler(SelectNegatives(negatives, SubsampleRows{settings.fraction}));
}

}  // namespace rankforest
