#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section that holds the blends of an ensemble, with the notation of ensemble_sections.hpp. It
// is critical, and only where there are blends; the combination in section ENSB is 0 then.
//
//   BLND  u64 n_blends; then, for each:
//           u32 combination: 0 sum, 1 minmax, 2 borda, 3 zscore      u32 n_terms
//           then, for each term: f64 weight                          u64 column

inline Bytes EncodeBlends(const std::vector<Blend>& blends) {
  ByteWriter out;
  out.Put(std::uint64_t{blends.size()});
  for (const Blend& blend : blends) {
    out.Put(static_cast<std::uint32_t>(blend.combine));
    out.Put(static_cast<std::uint32_t>(blend.terms.size()));
    for (const Blend::Term& term : blend.terms) {
      out.Put(term.weight);
      out.Put(std::uint64_t{term.column});
    }
  }
  return std::move(out).Take();
}

/// Throws std::invalid_argument where counts, sizes or codes contradict each other; the blends are
/// still to be checked with Validate.
inline std::vector<Blend> DecodeBlends(ByteView bytes) {
  ByteReader in("section BLND", bytes);
  const auto n_blends = in.Get<std::uint64_t>();
  if (n_blends == 0) throw std::invalid_argument("section BLND has no blend");
  std::vector<Blend> blends;
  for (std::uint64_t b = 0; b < n_blends; ++b) {
    const auto combine = in.Get<std::uint32_t>();
    if (combine > static_cast<std::uint32_t>(Combine::kZScore)) {
      throw std::invalid_argument("the combination of a blend is " + std::to_string(combine) +
                                  ", expected a number below 4");
    }
    Blend blend{static_cast<Combine>(combine), {}};
    const auto n_terms = in.Get<std::uint32_t>();
    for (std::uint32_t t = 0; t < n_terms; ++t) {
      const auto weight = in.Get<double>();
      const auto column = in.Get<std::uint64_t>();
      if (column > 0xFFFFFFFFU) {
        throw std::invalid_argument("the column of a blend is " + std::to_string(column) +
                                    ", expected a number below 2^32");
      }
      blend.terms.push_back({static_cast<std::uint32_t>(column), weight});
    }
    blends.push_back(std::move(blend));
  }
  in.RequireEnd();
  return blends;
}

}  // namespace rankforest
