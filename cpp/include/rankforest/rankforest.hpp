#pragma once

// The whole library: includes only. Each header also works alone.

#include "rankforest/core/canonical_order.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/queries.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/staged.hpp"
