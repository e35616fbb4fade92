#pragma once

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"

namespace rankforest {

/// What a training run reads: the data, its sorted features, and how many threads it may use.
struct TrainingSet {
  const Dataset& data;
  const Presorted& columns;
  Threads threads;
};

}  // namespace rankforest
