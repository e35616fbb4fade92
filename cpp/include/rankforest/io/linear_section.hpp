#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section that holds the linear parts of an ensemble, with the notation of
// ensemble_sections.hpp. It is critical, and only where any member has one.
//
//   LINR  for each member: u32 normalization: 0 none, 1 sum, 2 minmax, 3 zscore      u32 n_terms
//           then, for each term: u32 feature, f32 weight

inline Bytes EncodeLinear(const Ensemble& model) {
  ByteWriter out;
  for (const Member& member : model.members) {
    out.Put(static_cast<std::uint32_t>(member.linear.normalization));
    out.Put(static_cast<std::uint32_t>(member.linear.terms.size()));
    for (const Linear::Term& term : member.linear.terms) {
      out.Put(term.feature);
      out.Put(term.weight);
    }
  }
  return std::move(out).Take();
}

/// Adds the linear parts to the members of a model. Throws std::invalid_argument where counts,
/// sizes or codes contradict each other; the parts are still to be checked with Validate.
inline void DecodeLinear(ByteView bytes, Ensemble& model) {
  ByteReader in("section LINR", bytes);
  for (Member& member : model.members) {
    const auto normalization = in.Get<std::uint32_t>();
    if (normalization > static_cast<std::uint32_t>(QueryNormalization::kZScore)) {
      throw std::invalid_argument("the normalization of a linear part is " +
                                  std::to_string(normalization) + ", expected a number below 4");
    }
    member.linear.normalization = static_cast<QueryNormalization>(normalization);
    const auto n_terms = in.Get<std::uint32_t>();
    for (std::uint32_t t = 0; t < n_terms; ++t) {
      const auto feature = in.Get<FeatureId>();
      member.linear.terms.push_back({feature, in.Get<float>()});
    }
  }
  in.RequireEnd();
  if (!model.has_linear()) throw std::invalid_argument("section LINR has no linear part");
}

}  // namespace rankforest
