#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// The documents of one node; position i of every array is the same document.
template <class Target>
struct NodeRows {
  Span<const RowId> rows;            ///< ascending
  Span<const Target> targets;        ///< what each brings to the criterion
  Span<const std::uint32_t> counts;  ///< how often each was drawn; empty: once

  [[nodiscard]] std::size_t size() const { return rows.size(); }
  [[nodiscard]] std::uint32_t Count(std::size_t i) const { return counts.empty() ? 1 : counts[i]; }
};

}  // namespace rankforest
