#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// First and second derivative of the loss by one document's score; hess >= 0, both finite.
struct GradientPair {
  double grad = 0.0;
  double hess = 0.0;
};

// Gradients are summed as integers: such sums are exact and associative, so no order of rows,
// features or threads changes a bit of a tree. Each fit multiplies its gradients, and its
// hessians, by a power of two, chosen from the largest magnitude, and rounds to nearest.

/// A power of two that maps reals to integers and back.
class FixedPointScale {
 public:
  FixedPointScale() = default;

  /// The scale under which magnitudes up to `largest` become integers of up to `bits` bits.
  FixedPointScale(double largest, int bits) {
    if (!(largest > 0.0)) return;
    int exponent = 0;
    (void)std::frexp(largest, &exponent);  // largest < 2^exponent
    exponent = std::clamp(bits - exponent, -1000, 1000);
    to_integer_ = detail::PowerOfTwo(exponent);
    to_real_ = detail::PowerOfTwo(-exponent);
  }

  /// The nearest integer, halves away from zero; that of a NaN or beyond int64 is undefined.
  [[nodiscard]] std::int64_t ToInteger(double real) const {
    const double scaled = real * to_integer_;
    return detail::Truncated<std::int64_t>(scaled +
                                           std::copysign(0.5, scaled));  // no branch on a sign
  }
  [[nodiscard]] double ToReal(std::int64_t integer) const {
    return static_cast<double>(integer) * to_real_;
  }

 private:
  double to_integer_ = 1.0;
  double to_real_ = 1.0;
};

/// The scales of one fit for gradients and hessians.
struct GradientScales {
  FixedPointScale grad;
  FixedPointScale hess;
};

/// The largest magnitudes of some targets.
struct LargestPair {
  double grad = 0.0;
  double hess = 0.0;
};

inline LargestPair LargestOf(Span<const GradientPair> targets, Span<const RowId> rows,
                             Threads threads = {}) {
  constexpr std::size_t kChunk = 16384;
  std::vector<LargestPair> of_chunks((rows.size() + kChunk - 1) / kChunk);
  ParallelChunks(threads, rows.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    LargestPair largest;
    for (std::size_t i = begin; i < end; ++i) {
      largest.grad = std::max(largest.grad, std::abs(targets[rows[i]].grad));
      largest.hess = std::max(largest.hess, targets[rows[i]].hess);
    }
    of_chunks[begin / kChunk] = largest;
  });
  LargestPair largest;
  for (const LargestPair& of_chunk : of_chunks) {
    largest.grad = std::max(largest.grad, of_chunk.grad);
    largest.hess = std::max(largest.hess, of_chunk.hess);
  }
  return largest;
}

/// The scales that make integers of up to `bits` bits of targets up to the largest.
inline GradientScales ScalesFor(const LargestPair& largest, int bits) {
  return {FixedPointScale(largest.grad, bits), FixedPointScale(largest.hess, bits)};
}

/// Most bits of the integers that split search sums: SearchBits gives them to 2^16 documents at
/// most, so that sums stay below 2^47 and are exact as doubles.
inline constexpr int kSearchBits = 30;

/// Bits in a fit on many documents: 2^32 of such integers add up to at most 2^48, and histograms
/// sum three quantities in one word (see tree/packed_sums.hpp).
inline constexpr int kLargeSearchBits = 16;

/// Bits in a fit on `n_documents`, for both engines.
inline int SearchBits(std::uint64_t n_documents) {
  return n_documents <= 65536 ? kSearchBits : kLargeSearchBits;
}

/// Bits of the integers that leaf values are computed from, in a fit on `n_documents`: as many
/// as leave room for their sum, n_documents 2^bits <= 2^62, and no more than a double has.
inline int LeafBits(std::uint64_t n_documents) {
  int bits = 62;
  while (bits > kSearchBits && (n_documents >> (62 - bits)) != 0) --bits;
  return std::min(bits, 52);
}

}  // namespace rankforest
