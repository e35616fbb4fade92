#pragma once

#include <cstdint>
#include <utility>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"

namespace rankforest::testing {

/// The model of one member, for documents like these.
inline Ensemble ModelOf(Member member, const Dataset& data) {
  Ensemble model;
  model.n_features = static_cast<std::uint32_t>(data.n_features());
  model.members.push_back(std::move(member));
  return model;
}

}  // namespace rankforest::testing
