#pragma once

#include <cstdint>

namespace rankforest {

/// A document: its position in the canonical order of its data set (see dataset.hpp), unless a
/// comment says that it is the caller's row number.
using RowId = std::uint32_t;

/// A query: its position in the canonical order of its data set.
using QueryId = std::uint32_t;

/// A column of the feature matrix, counted from 0.
using FeatureId = std::uint32_t;

}  // namespace rankforest
