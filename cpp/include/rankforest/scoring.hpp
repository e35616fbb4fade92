#pragma once

// What scoring needs: loading a model and ranking with it. Compiles in a fraction of the time that
// the whole library takes (rankforest.hpp).

#include "rankforest/core/blend.hpp"
#include "rankforest/core/class_probabilities.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/io/model_file.hpp"
#include "rankforest/io/model_info.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/isa_environment.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/provider.hpp"
#include "rankforest/score/score_scratch.hpp"
#include "rankforest/score/top.hpp"
