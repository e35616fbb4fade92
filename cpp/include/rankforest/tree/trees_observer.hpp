#pragma once

#include <functional>
#include <vector>

#include "rankforest/core/tree.hpp"

namespace rankforest {

/// Sees the trees that a learner has grown for one fit, now and then; returns false to stop.
using TreesObserver = std::function<bool(const std::vector<Tree>& trees)>;

}  // namespace rankforest
