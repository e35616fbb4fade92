#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"

namespace rankforest {

// Samplers say which documents a tree or a round trains on.
//
//   draws_all()     whether they always take all documents; callers can do without them then
//   needs()         what they look at, besides the data
//   redraws(round)  whether that round gets a sample of its own, and not the one before it; true
//                   for round 0. Trees of a forest always do.
//   Draw(view, from, rng) -> RowSample  of documents of `from`, whose counts are 1
//
// A draw depends on its arguments alone.

/// What a sampler looks at. Each includes what is before it.
enum class SamplerNeeds : std::uint8_t {
  kData = 0,
  kScores = 1,     ///< the scores of all documents
  kGradients = 2,  ///< the gradients of all documents at these scores
};

/// What boosting lets a sampler see. Forests let it see the data alone.
struct SamplerView {
  SamplerView(const Dataset& dataset) : data(dataset) {}  // NOLINT(google-explicit-constructor)

  const Dataset& data;
  Threads threads = Threads{1};             ///< never change a draw
  std::size_t round = 0;                    ///< counted from 0
  Span<const double> scores = {};           ///< by document, where the sampler needs them
  Span<const GradientPair> gradients = {};  ///< likewise
  /// The place of each document where equal scores rank in scale-free order (see
  /// core/scale_free_order.hpp); of two documents of a query the lower one comes first. Where the
  /// sampler needs scores.
  Span<const RowId> tie_places = {};
  /// All documents of a grade above 0, ascending, where the sampler needs scores.
  Span<const RowId> positives = {};
  /// Documents of the sample before, ascending, or none: those of the next one are often among
  /// them. Never change a draw.
  Span<const RowId> last = {};
};

}  // namespace rankforest
