#pragma once

#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/sampler.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

inline Sampler SamplerOf(const SampleSettings& settings) {
  if (settings.unit == SampleUnit::kQuery) {
    return settings.fraction < 1.0 ? Sampler(SubsampleQueries{settings.fraction}) : Sampler();
  }
  if (settings.with_replacement) return Sampler(Bootstrap{settings.fraction});
  return settings.fraction < 1.0 ? Sampler(SubsampleRows{settings.fraction}) : Sampler();
}

}  // namespace rankforest
