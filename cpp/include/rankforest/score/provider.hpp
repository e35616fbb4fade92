#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

// Features that are computed when a tree asks for them.
//
// A *provider* is a function (FeatureId, Span<const std::size_t> documents, Span<float> values): it
// writes the feature's value of documents[i] to values[i]. Documents are ascending numbers below
// the number of documents of the call; none is asked for twice. What it does not write is NaN, a
// missing value, as for CompiledScorer.
//
// Trees are evaluated one after the other, for all documents in play. A document goes on in a tree
// until it meets a split of a feature that has not been asked for. When all have reached a leaf or
// wait, the cheapest feature that any waits for (of several, the first) is asked for, for all that
// wait for it, and they go on. So a value is asked for only where a path of an evaluated tree needs
// it, and in the order of costs where trees allow.

/// What lazy scoring did.
struct LazyReport {
  std::size_t n_evaluations = 0;       ///< pairs of a document and a tree that its score has
  double cost = 0.0;                   ///< of these trees, and of the values that were asked for
  std::size_t n_requests = 0;          ///< calls of the provider
  std::vector<std::size_t> n_fetched;  ///< by feature: documents whose value was asked for
  std::vector<std::uint32_t> rounds;   ///< by document: those that its score has
};

template <class Provider>
inline constexpr bool kIsProvider =
    std::is_invocable_v<Provider&, FeatureId, Span<const std::size_t>, Span<float>>;

}  // namespace rankforest
