#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// Among which documents the values of a feature are permuted.
enum class PermutationScope : std::uint8_t {
  kQuery = 0,  ///< those of the same query
  kData = 1,   ///< all of them
};

/// The stream of permutation `repeat` of a feature.
inline Rng PermutationRng(const Rng& rng, FeatureId feature, std::uint64_t repeat) {
  return rng.Child(Purpose::kPermutation, feature).Child(Purpose::kPermutation, repeat);
}

/// For each document the one whose value it takes.
///
/// @param offsets  n_queries + 1, from 0 to the number of documents
inline std::vector<RowId> Permutation(Span<const RowId> offsets, PermutationScope scope, Rng rng) {
  std::vector<RowId> source(offsets[offsets.size() - 1]);
  std::iota(source.begin(), source.end(), RowId{0});
  const Span<RowId> all(source);
  if (scope == PermutationScope::kData) {
    rng.Shuffle(all);
    return source;
  }
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
    rng.Shuffle(all.subspan(offsets[q], offsets[q + 1] - offsets[q]));
  }
  return source;
}

}  // namespace rankforest
