#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "rankforest/core/data_profile.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section of a data profile, with the notation of ensemble_sections.hpp:
//
//   PROF  u64 n_documents, u64 n_features; then, for each feature: u64 missing values,
//         f32 least, f32 largest, u64 n_edges, f32 for each edge, u64 for each of n_edges + 1 bins
//
// It is not critical: scores do not depend on it, and a model may lack it.

inline Bytes EncodeProfile(const DataProfile& profile) {
  ByteWriter out;
  out.Put(profile.n_documents);
  out.Put(std::uint64_t{profile.features.size()});
  for (const FeatureProfile& feature : profile.features) {
    out.Put(feature.n_missing);
    out.Put(feature.least);
    out.Put(feature.largest);
    out.Put(std::uint64_t{feature.edges.size()});
    for (const float edge : feature.edges) out.Put(edge);
    for (const std::uint64_t count : feature.counts) out.Put(count);
  }
  return std::move(out).Take();
}

/// Throws std::invalid_argument unless the bytes are of the form; ValidateProfile checks the rest.
inline DataProfile DecodeProfile(ByteView bytes) {
  ByteReader in("section PROF", bytes);
  DataProfile profile;
  profile.n_documents = in.Get<std::uint64_t>();
  const auto n_features = in.Get<std::uint64_t>();
  for (std::uint64_t f = 0; f < n_features; ++f) {
    FeatureProfile feature;
    feature.n_missing = in.Get<std::uint64_t>();
    feature.least = in.Get<float>();
    feature.largest = in.Get<float>();
    const auto n_edges = in.Get<std::uint64_t>();
    // Values are appended as they are read: an announced number alone allocates nothing.
    for (std::uint64_t i = 0; i < n_edges; ++i) feature.edges.push_back(in.Get<float>());
    for (std::uint64_t i = 0; i <= n_edges; ++i) feature.counts.push_back(in.Get<std::uint64_t>());
    profile.features.push_back(std::move(feature));
  }
  in.RequireEnd();
  return profile;
}

}  // namespace rankforest
