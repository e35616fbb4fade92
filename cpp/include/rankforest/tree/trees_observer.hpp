#pragma once

#include <functional>

#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"

namespace rankforest {

/// Sees the first trees that a learner has grown for one fit, now and then; returns false to stop
/// there.
using TreesObserver = std::function<bool(Span<const Tree> trees)>;

}  // namespace rankforest
